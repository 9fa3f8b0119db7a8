package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.linux.Libc;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A source that changes while it is read is never published as if it had not, whatever changes and
/// whoever reads: a copy reads it once more, a receiver gets nothing; and nothing that happens to a
/// mapped file ends the process by a signal.
@Timeout(120)
class ChangingSourcesTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// Long enough for the change to come in the middle, in steps as small as these.
  private static final long SOURCE_BYTES = 512L << 20;

  private static final String STEPS = "--chunk-size=16K";

  @TempDir Path folder;

  private Path source;
  private Path inbox;

  /// What somebody else does to the source.
  private enum Change {
    TRUNCATED,
    CUT_TO_NOTHING,
    GROWN,
    REWRITTEN,
    REPLACED,
    REMOVED;

    void happenTo(Path source) throws IOException {
      switch (this) {
        case TRUNCATED -> resize(source, SOURCE_BYTES / 2 + 4095);
        case CUT_TO_NOTHING -> resize(source, 0);
        case GROWN -> resize(source, SOURCE_BYTES + 1);
        case REWRITTEN -> rewrite(source);
        case REPLACED -> {
          Path other = source.resolveSibling("other");
          resize(other, SOURCE_BYTES);
          Files.move(other, source, StandardCopyOption.ATOMIC_MOVE);
        }
        case REMOVED -> Files.delete(source);
      }
    }

    private static void rewrite(Path source) throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
        file.write(42);
      }
    }
  }

  @BeforeEach
  void writeTheSource() throws IOException {
    source = folder.resolve("source");
    writeBlocks(source, SOURCE_BYTES);
    inbox = Files.createDirectory(folder.resolve("inbox"));
  }

  static List<Object[]> copies() {
    List<Object[]> all = new ArrayList<>();
    for (Change change : Change.values()) {
      all.add(new Object[] {"auto", change});
    }
    for (String strategy :
        List.of("stream", "heap", "direct", "mmap", "transferTo", "copyFileRange", "splice")) {
      all.add(new Object[] {strategy, Change.TRUNCATED});
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("copies")
  void isCopiedAsItIsAfterTheChange(String strategy, Change change) throws Exception {
    Path target = Files.writeString(inbox.resolve("source"), "old");
    Cli.Result result;
    try (ZcpProcess zcp =
        ZcpProcess.start(
            folder,
            Map.of(),
            "copy",
            "-q",
            STEPS,
            "--strategy=" + strategy,
            source.toString(),
            target.toString())) {
      awaitPartial();
      change.happenTo(source);
      result = zcp.end();
    }
    assertThat(held()).containsExactly("source");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    if (change == Change.REMOVED) {
      // It is open, and all of it is there until it is closed.
      assertThat(target).hasSize(SOURCE_BYTES);
    } else {
      assertThat(Files.mismatch(source, target)).isEqualTo(-1);
    }
  }

  @Test
  void isNotCopiedWhereItChangesEachTime() throws Exception {
    Path target = Files.writeString(inbox.resolve("source"), "old");
    try (ZcpProcess zcp =
        ZcpProcess.start(
            folder, Map.of(), "copy", "-q", STEPS, source.toString(), target.toString())) {
      awaitPartial();
      Thread writer = Thread.ofPlatform().daemon().start(this::rewriteForEver);
      Cli.Result result = zcp.end();
      writer.interrupt();
      writer.join();
      assertFailed(result);
    }
    assertThat(held()).containsExactly("source");
    assertThat(target).hasContent("old");
  }

  private void rewriteForEver() {
    try {
      while (!Thread.interrupted()) {
        Change.REWRITTEN.happenTo(source);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static List<Object[]> sendings() {
    List<Object[]> all = new ArrayList<>();
    for (Change change : Change.values()) {
      all.add(new Object[] {"auto", change});
    }
    for (String strategy : List.of("stream", "direct", "mmap", "transferTo", "splice")) {
      all.add(new Object[] {strategy, Change.TRUNCATED});
    }
    all.add(new Object[] {"transferTo", Change.REWRITTEN});
    return all;
  }

  private ZcpProcess receive() throws IOException {
    return ZcpProcess.start(
        folder, ENVIRONMENT, "receive", "-q", "--once", "--listen=127.0.0.1:0", inbox.toString());
  }

  @ParameterizedTest
  @EnumSource(names = {"TRUNCATED", "REWRITTEN", "REMOVED"})
  void isSentOnceMoreAndBothEndsSayWhatBecameOfThat(Change change) throws Exception {
    try (ZcpProcess receiver = receive()) {
      String url = receiver.line();
      Cli.Result sent;
      try (ZcpProcess sender =
          ZcpProcess.start(folder, ENVIRONMENT, "send", "-q", STEPS, url, source.toString())) {
        awaitPartial();
        change.happenTo(source);
        sent = sender.end();
      }
      Cli.Result received = receiver.end();
      if (change == Change.REMOVED) {
        assertFailed(sent);
        assertThat(received.exitCode()).isEqualTo(3);
        assertThat(held()).isEmpty();
      } else {
        assertThat(List.of(sent, received)).containsOnly(new Cli.Result(0, "", ""));
        assertThat(Files.mismatch(source, inbox.resolve("source"))).isEqualTo(-1);
      }
    }
  }

  @Test
  void anOperandThatIsMissingIsAFailureOfBothEnds() throws Exception {
    Files.writeString(source, "short", StandardOpenOption.TRUNCATE_EXISTING);
    try (ZcpProcess receiver = receive()) {
      String url = receiver.line();
      Path missing = folder.resolve("missing");
      Cli.Result sent =
          Cli.run(ENVIRONMENT, "send", "-q", url, source.toString(), missing.toString());
      String why = missing + ": no such file or directory\n";
      assertThat(sent).isEqualTo(new Cli.Result(1, "", "zcp: " + why));
      Cli.Result received = receiver.end();
      assertThat(received.exitCode()).isEqualTo(1);
      assertThat(received.err()).endsWith("the sender could not send everything: " + why);
    }
    assertThat(inbox.resolve("source")).hasContent("short");
  }

  @ParameterizedTest
  @MethodSource("sendings")
  void isNotPublishedByTheReceiver(String strategy, Change change) throws Exception {
    try (ZcpProcess receiver = receive()) {
      String url = receiver.line();
      try (ZcpProcess sender =
          ZcpProcess.start(
              folder,
              ENVIRONMENT,
              "send",
              "-q",
              "--on-change=fail",
              STEPS,
              "--strategy=" + strategy,
              url,
              source.toString())) {
        awaitPartial();
        change.happenTo(source);
        assertFailed(sender.end());
      }
      Cli.Result received = receiver.end();
      assertThat(received.err()).matches("zcp: source: the source (changed|is shorter)[^\n]*\n");
      assertThat(received.exitCode()).isEqualTo(3);
    }
    assertThat(held()).isEmpty();
  }

  /// One line about the source.
  private void assertFailed(Cli.Result result) {
    assertThat(result.err())
        .matches(
            "zcp: "
                + source
                + ": (changed while it was read|ended [^\n]*"
                + "|the file became shorter while it was read"
                + "|was replaced by another file|no such file or directory)[^\n]*\n");
    assertThat(result.exitCode()).isEqualTo(3);
  }

  private void awaitPartial() throws Exception {
    for (int tries = 0; tries < 3000; tries++) {
      for (String name : held()) {
        if (name.endsWith(".part") && hasBytes(name)) {
          return;
        }
      }
      Thread.sleep(5);
    }
    throw new AssertionError("no partial file of some bytes: " + held());
  }

  private boolean hasBytes(String name) throws IOException {
    Path file = inbox.resolve(name);
    return Files.exists(file) && Files.size(file) > 0;
  }

  private List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(inbox)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /// A file that has its blocks, so that none of it is a hole.
  private static void writeBlocks(Path path, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      int result = Libc.fallocate(TestEnds.descriptor(channel), 0, bytes);
      assumeTrue(result == 0, "this file system reserves no blocks: " + -result);
    }
  }

  private static void resize(Path path, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(bytes);
    }
  }
}
