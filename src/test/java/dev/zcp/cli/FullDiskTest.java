package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file system of 2 MiB, and a file of 3.
@Timeout(60)
class FullDiskTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());
  private static final byte[] TOO_MUCH = new byte[3 << 20];

  @TempDir Path folder;

  private Path disk;
  private Path source;

  @BeforeEach
  void mountTheDisk() throws Exception {
    disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        Programs.succeeds(
            "mount", "-t", "tmpfs", "-o", "size=2m,nr_inodes=8", "tmpfs", disk.toString()),
        "mounting a tmpfs needs root");
    new Random(3).nextBytes(TOO_MUCH);
    source = Files.write(folder.resolve("source"), TOO_MUCH);
    Files.writeString(disk.resolve("source"), "old");
  }

  @AfterEach
  void unmount() throws Exception {
    Programs.succeeds("umount", disk.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto",
        "stream",
        "heap",
        "direct",
        "mmap",
        "transferTo",
        "copyFileRange",
        "splice"
      })
  void aCopyThatDoesNotFitKeepsTheOldTargetAndTheRoomItHad(String strategy) throws Exception {
    Path target = disk.resolve("source");
    Cli.Result result =
        Cli.run("copy", "-q", "--strategy=" + strategy, source.toString(), target.toString());
    if (strategy.equals("copyFileRange") && result.exitCode() == 10) {
      // Not across file systems, on this kernel.
      assertThat(held()).containsExactly("source");
      return;
    }
    assertThat(result.err())
        .matches(
            "zcp: "
                + target
                + ": no space left on device \\(3\\.00 MiB needed, [0-9.]+ [KM]iB free\\)\n");
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(held()).containsExactly("source");
    assertThat(target).hasContent("old");
    assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(3L << 19);
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItsFirstByte() throws Exception {
    try (ZcpProcess receiver = receiver("auto")) {
      String url = receiver.line();
      Cli.Result sent = Cli.run(ENVIRONMENT, "send", "-q", url, source.toString());
      assertThat(sent.err())
          .matches(
              "zcp: 127\\.0\\.0\\.1:\\d+: the receiver gave up: no space left"
                  + " \\(3.00 MiB needed, [0-9.]+ [KM]iB free.*\\)\n");
      assertThat(sent.exitCode()).isEqualTo(4);
      Cli.Result received = receiver.end();
      assertThat(received.err()).contains(": no space left (3.00 MiB needed, ");
      assertThat(received.exitCode()).isEqualTo(4);
    }
    assertThat(held()).containsExactly("source");
  }

  /// What is there already may be a part of what comes, so it is not refused beforehand.
  @ParameterizedTest
  @ValueSource(ints = {1900, 800, 200})
  void whatDoesNotFitInTheEndIsToldWithWhatItNeeds(int kibibytes) throws Exception {
    Files.write(disk.resolve("other"), new byte[(2048 - kibibytes / 2) << 10]);
    Files.write(source, Arrays.copyOf(TOO_MUCH, kibibytes << 10));
    String told = "no space left on device \\([0-9.]+ [KM]iB needed, [0-9.]+ [KM]iB free.*\\)\n";
    try (ZcpProcess receiver = receiver("auto")) {
      Cli.Result sent = Cli.run(ENVIRONMENT, "send", "-q", receiver.line(), source.toString());
      assertThat(sent.err()).matches("zcp: " + source + ": refused there: " + told);
      assertThat(sent.exitCode()).isEqualTo(4);
      assertThat(receiver.end().err()).matches("zcp: source: " + told);
    }
    Cli.Result copied = Cli.run("copy", "-q", source.toString(), disk.toString());
    assertThat(copied.err()).matches("zcp: " + disk.resolve("source") + ": " + told);
  }

  @Test
  void aTreeThatIsTooLargeIsRefusedBeforeItsFirstFile() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    Files.writeString(tree.resolve("small"), "small");
    Files.move(source, tree.resolve("large"));
    Cli.Result copied = Cli.run("copy", "-q", "-r", tree.toString(), disk.toString());
    assertThat(copied.err())
        .matches("zcp: " + disk + ": no space left \\(3.00 MiB needed, [0-9.]+ [KM]iB free.*\\)\n");
    assertThat(copied.exitCode()).isEqualTo(4);
    assertThat(held()).containsExactly("source");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "heap", "direct", "mmap", "transferTo", "splice"})
  void whatTurnsOutTooLargeLeavesNothing(String strategy) throws Exception {
    try (ZcpProcess receiver = receiver(strategy)) {
      String url = receiver.line();
      Cli.Result sent =
          Cli.run(
              Arguments.of("send", "-q", url, "-"),
              new ByteArrayInputStream(TOO_MUCH),
              ENVIRONMENT);
      assertThat(sent.err())
          .isEqualTo("zcp: standard input: refused there: no space left on device\n");
      assertThat(sent.exitCode()).isEqualTo(4);
      Cli.Result received = receiver.end();
      assertThat(received.err()).isEqualTo("zcp: stdin: no space left on device\n");
      assertThat(received.exitCode()).isEqualTo(4);
    }
    assertThat(held()).containsExactly("source");
    assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(3L << 19);
  }

  @Test
  void aDiskWithoutInodesIsFullToo() throws Exception {
    Path small = Files.writeString(folder.resolve("small"), "small");
    int files = 0;
    try {
      while (files < 16) {
        Files.createFile(disk.resolve("file" + files));
        files++;
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
    Path target = disk.resolve("new");
    Cli.Result result = Cli.run("copy", "-q", small.toString(), target.toString());
    assertThat(result.err())
        .isEqualTo("zcp: " + target + ": no space left on device (no inodes are free)\n");
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(held()).hasSize(files + 1);
  }

  @Test
  void aDiskThatIsReadOnlyTakesNothing() throws Exception {
    assumeTrue(
        Programs.succeeds("mount", "-o", "remount,ro", disk.toString()), "cannot mount read-only");
    Path target = disk.resolve("source");
    assertReadOnly(disk);
    assertThat(target).hasContent("old");
    Cli.Result kept =
        Cli.run("copy", "-q", "-n", "--dry-run", source.toString(), target.toString());
    assertThat(kept.err()).isEmpty();
    assertThat(kept.exitCode()).isZero();
  }

  /// The file system itself may be written to, by another way.
  @Test
  void aReadOnlyMountOfADirectoryTakesNothing() throws Exception {
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Path other = Files.createDirectory(folder.resolve("other"));
    assumeTrue(
        Programs.succeeds("mount", "--bind", other.toString(), mount.toString()), "cannot bind");
    try {
      Programs.run("mount", "-o", "remount,bind,ro", mount.toString());
      assertReadOnly(mount);
    } finally {
      Programs.run("umount", mount.toString());
    }
  }

  /// Both commands say the same.
  private void assertReadOnly(Path directory) {
    Path target = directory.resolve("source");
    Cli.Result copied = Cli.run("copy", "-q", source.toString(), target.toString());
    assertThat(copied.err()).isEqualTo("zcp: " + target + ": read-only file system\n");
    assertThat(copied.exitCode()).isEqualTo(4);
    Cli.Result planned = Cli.run("copy", "-q", "--dry-run", source.toString(), target.toString());
    assertThat(planned.err()).isEqualTo("zcp: " + directory + ": read-only file system\n");
    assertThat(planned.exitCode()).isEqualTo(4);
    Cli.Result received =
        Cli.run("receive", "-q", "--once", "--listen=127.0.0.1:0", directory.toString());
    assertThat(received.err()).isEqualTo("zcp: " + directory + ": read-only file system\n");
    assertThat(received.exitCode()).isEqualTo(4);
  }

  private ZcpProcess receiver(String strategy) throws IOException {
    return ZcpProcess.start(
        folder,
        ENVIRONMENT,
        "receive",
        "-q",
        "--once",
        "--overwrite",
        "--strategy=" + strategy,
        "--listen=127.0.0.1:0",
        disk.toString());
  }

  private List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(disk)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
