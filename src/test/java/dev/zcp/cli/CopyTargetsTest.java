package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.session.Keys;
import dev.zcp.testing.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of what has the target's name already.
@Timeout(60)
class CopyTargetsTest {

  @TempDir Path folder;

  private Path source;
  private Path target;

  @BeforeEach
  void writeBoth() throws IOException {
    source = Files.writeString(folder.resolve("source"), "new");
    target = Files.writeString(folder.resolve("target"), "old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "direct", "mmap", "transferTo", "splice"})
  void aFifoIsWrittenTo(String strategy) throws Exception {
    Path fifo = fifo("fifo");
    CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> contentOf(fifo));
    assertThat(copy("--strategy=" + strategy, source, fifo)).isEqualTo(new Cli.Result(0, "", ""));
    assertThat(read.get()).isEqualTo("new");
    assertThat(Files.isRegularFile(fifo, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "direct", "mmap", "transferTo", "splice"})
  void aFifoIsReadToItsEnd(String strategy) throws Exception {
    Path fifo = fifo("fifo");
    byte[] content = new byte[300_000];
    CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(fifo, content));
    assertThat(copy("--strategy=" + strategy, fifo, target)).isEqualTo(new Cli.Result(0, "", ""));
    written.get();
    assertThat(target).hasBinaryContent(content);
  }

  @Test
  void aFileWhoseNameIsTakenWhileItIsReadIsKeptAndNotCopied() throws IOException {
    Files.delete(target);
    InputStream in =
        new SequenceInputStream(new ByteArrayInputStream(new byte[] {1}), new TakesTheName());
    Cli.Result result = Cli.run(Arguments.of("copy", "-n", "-", "" + target), in, Map.of());
    assertThat(target).hasContent("other");
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("copied 1 B but no whole file in ")
        .endsWith("1 file kept\n");
  }

  /// A sender could overwrite it, or send a link of its name to any file.
  @ParameterizedTest
  @ValueSource(strings = {"--report-file", "--metrics", "--histogram"})
  void whatAReceivingEndReportsIsNotWrittenWhereFilesArrive(String option) throws Exception {
    Path into = Files.createDirectory(folder.resolve("into"));
    Files.createDirectory(into.resolve("sub"));
    Files.createSymbolicLink(folder.resolve("inwards"), into.resolve("run"));
    for (String output : List.of(into + "/run", into + "/sub/run", folder + "/inwards")) {
      String report = option + "=" + output;
      for (List<String> command :
          List.of(
              List.of("receive", "--listen=127.0.0.1:0", report, into.toString()),
              List.of(
                  "receive",
                  report,
                  "zcp+plain://" + Keys.newText() + "@127.0.0.1:9",
                  into.toString()),
              List.of("receive", report, "ssh://nowhere.invalid/x", into.toString()),
              List.of("copy", "-a", report, "nowhere.invalid:x/.", into.toString()),
              List.of("copy", "-aT", report, "nowhere.invalid:x", into.toString()))) {
        assertRefused(option, output, command);
      }
    }
    Files.createDirectory(into.resolve("x"));
    String inCopy = into + "/x/run";
    assertRefused(
        option,
        inCopy,
        List.of("copy", "-a", option + "=" + inCopy, "nowhere.invalid:x", into.toString()));
    Cli.Result beside =
        Cli.run(
            "copy",
            "--ssh=false",
            option + "=" + into + "/run",
            "nowhere.invalid:x",
            into.toString());
    assertThat(beside.err()).doesNotContain("write it elsewhere");
  }

  private static void assertRefused(String option, String output, List<String> command) {
    Cli.Result result = Cli.run(command.toArray(String[]::new));
    assertThat(result.err())
        .as(command.toString())
        .contains(option + ": " + output + " is w", "(write it elsewhere)");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--report-file", "--metrics", "--histogram"})
  void noReportGoesToAFileThatIsCalledLikeStandardOutput(String option) {
    Cli.Result result = Cli.run("copy", option + "=-", source + "", target + "");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("zcp copy: " + option + ": cannot be standard output; a file of the name '-'");
    assertThat(Path.of("-")).doesNotExist();
  }

  @Test
  void whatIsReadOrWrittenIsNotWhereAnOptionWritesToo() {
    List<List<String>> commands =
        List.of(
            List.of("copy", "--histogram=" + source, source.toString(), target.toString()),
            List.of("copy", "--histogram=" + target, source.toString(), target.toString()),
            List.of("copy", "--manifest=" + source, source.toString(), target.toString()),
            List.of("send", "--histogram=" + source, "127.0.0.1:9", source.toString()),
            List.of("bench", "--html=" + source, "--file=" + source, "read"));
    for (List<String> command : commands) {
      Cli.Result result = Cli.run(command.toArray(String[]::new));
      assertThat(result.exitCode()).as(command.toString()).isEqualTo(2);
      assertThat(result.err().lines().findFirst().orElseThrow()).endsWith(" (write it elsewhere)");
    }
    assertThat(source).hasContent("new");
    assertThat(target).hasContent("old");
  }

  @Test
  void theOldContentStaysUntilTheNewIsComplete() throws Exception {
    Path fifo = fifo("fifo");
    CompletableFuture<Cli.Result> copied =
        CompletableFuture.supplyAsync(() -> copy("-q", fifo, target));
    try (OutputStream out = Files.newOutputStream(fifo)) {
      out.write(new byte[100_000]);
      awaitPartial();
      assertThat(target).hasContent("old");
    }
    assertThat(copied.get()).isEqualTo(new Cli.Result(0, "", ""));
    assertThat(target).hasBinaryContent(new byte[100_000]);
    assertThat(held()).containsExactly("fifo", "source", "target");
  }

  @Test
  void aReaderThatLeavesIsAFailureOfTheTarget() throws Exception {
    Path fifo = fifo("fifo");
    Path large = Files.write(folder.resolve("large"), new byte[1 << 20]);
    CompletableFuture<Void> left = CompletableFuture.runAsync(() -> readOne(fifo));
    Cli.Result result = copy("-q", large, fifo);
    left.get();
    assertThat(result.err()).isEqualTo("zcp: " + fifo + ": broken pipe\n");
    assertThat(result.exitCode()).isEqualTo(4);
  }

  @Test
  void whatIsReplacedKeepsItsPermissionsAndItsOtherNamesTheirContent() throws Exception {
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
    Path other = Files.createLink(folder.resolve("other"), target);
    assertThat(copy("-q", source, target).exitCode()).isZero();
    assertThat(target).hasContent("new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("rw-r-----");
    assertThat(other).hasContent("old");
  }

  @Test
  void aLinkInTheWayIsFollowedWhereThatIsAskedForAndItsFileReplacedWhereItLies() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.move(target, elsewhere.resolve("target"));
    Files.createSymbolicLink(target, Path.of("elsewhere/target"));
    assertThat(copy("--follow-target-links", source, target).exitCode()).isZero();
    assertThat(target).isSymbolicLink().hasContent("new");
    assertThat(elsewhere.resolve("target")).isRegularFile().hasContent("new");
    assertThat(held()).containsExactly("elsewhere", "source", "target");
  }

  /// On tmpfs, which shares no extents.
  @Test
  void aStrategyThatTurnsOutNotToServeNamesTheWayOut() throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).as("a tmpfs").isDirectory();
    Path place = Files.createTempDirectory(memory, "zcp");
    try {
      Path from = Files.write(place.resolve("from"), new byte[10]);
      Cli.Result result = copy("--strategy=reflink", from, place.resolve("to"));
      assertThat(result.err())
          .isEqualTo(
              "zcp: "
                  + place.resolve("to")
                  + ": strategy reflink cannot serve here: the file system does not support"
                  + " reflink: EOPNOTSUPP (--strategy=auto falls back to one that can)\n");
      assertThat(result.exitCode()).isEqualTo(10);
      assertThat(place).isDirectoryNotContaining("glob:**to");
    } finally {
      Files.deleteIfExists(place.resolve("from"));
      Files.delete(place);
    }
  }

  private Path fifo(String name) throws Exception {
    Path fifo = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
  }

  private static Cli.Result copy(String option, Path from, Path to) {
    return Cli.run("copy", "-q", option, from.toString(), to.toString());
  }

  private static String contentOf(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void write(Path path, byte[] content) {
    try {
      Files.write(path, content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private final class TakesTheName extends InputStream {

    @Override
    public int read() throws IOException {
      Files.writeString(target, "other");
      return -1;
    }
  }

  private static void readOne(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      in.read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitPartial() throws Exception {
    for (int tries = 0; tries < 3000; tries++) {
      Path first = folder.resolve(held().getFirst());
      if (first.toString().endsWith(".part") && Files.size(first) > 0) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no partial file of some bytes: " + held());
  }

  private List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
