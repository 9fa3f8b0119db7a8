package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a receiver holds on to, however much it has received.
class FootprintIT {

  private static final int SENDS = 30;

  private static final long MIB = 1 << 20;

  /// Enough to wake the digest's thread.
  private static final long FILE_BYTES = 3 * MIB;

  private static final int FILES = 1200;
  private static final long MEDIUM_BYTES = 400 << 10;

  private static final long HUGE_BYTES = 2048 * MIB;

  /// The JVM itself with its cache takes some 80 MiB.
  private static final long RESIDENT_BYTES_MAX = 192 * MIB;

  @TempDir Path folder;

  private Path inbox;

  @BeforeEach
  void makeInbox() throws IOException {
    inbox = Files.createDirectory(folder.resolve("inbox"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "splice", "mmap"})
  void manyTransfersLeaveNoDescriptorAndNoPartialFile(String strategy) throws Exception {
    Path source = folder.resolve("source");
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      file.setLength(FILE_BYTES);
    }
    try (BuiltZcp receiver = receiver("--overwrite", "--strategy=" + strategy)) {
      // The first opens what stays open: libraries, and whatever the JDK keeps.
      assertThat(send(receiver, source).exitCode()).isZero();
      int before = receiver.descriptors();
      for (int i = 0; i < SENDS; i++) {
        assertThat(send(receiver, source).exitCode()).isZero();
      }
      settle(receiver, before);
      assertThat(names(inbox)).containsExactly("source");
    }
  }

  @Test
  void refusedTransfersLeaveNoDescriptorAndNoPartialFile() throws Exception {
    Path source = Files.write(folder.resolve("source"), new byte[(int) FILE_BYTES]);
    try (BuiltZcp receiver = receiver()) {
      assertThat(send(receiver, source).exitCode()).isZero();
      Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
      // A class that only a refusal takes opens the jar.
      assertThat(send(receiver, source).exitCode()).isEqualTo(9);
      int before = receiver.descriptors();
      for (int i = 1; i < SENDS; i++) {
        // With the same size and time it would count as the same file, sent again.
        Files.setLastModifiedTime(source, FileTime.from(Instant.ofEpochSecond(i)));
        BuiltZcp.Ended ended = send(receiver, source);
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(9);
      }
      settle(receiver, before);
      assertThat(names(inbox)).containsExactly("source");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "heap", "splice", "mmap"})
  void memoryDoesNotGrowWithTheFile(String strategy) throws Exception {
    Path source = folder.resolve("source");
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      file.setLength(HUGE_BYTES);
    }
    try (BuiltZcp receiver = receiver("--overwrite", "--strategy=" + strategy)) {
      assertThat(send(receiver, source)).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(receiver.residentBytesMax()).isLessThan(RESIDENT_BYTES_MAX);
    }
    assertThat(inbox.resolve("source")).hasSize(HUGE_BYTES);
  }

  /// Each goes in blocks, since it is too long for a part.
  @ParameterizedTest
  @ValueSource(strings = {"auto", "direct", "heap"})
  void memoryDoesNotGrowWithTheNumberOfFiles(String strategy) throws Exception {
    Path sources = Files.createDirectory(folder.resolve("sources"));
    for (int i = 0; i < FILES; i++) {
      try (RandomAccessFile file =
          new RandomAccessFile(sources.resolve("file" + i).toFile(), "rw")) {
        file.setLength(MEDIUM_BYTES);
      }
    }
    String asked = "--strategy=" + strategy;
    try (BuiltZcp receiver = receiver(asked);
        BuiltZcp sender =
            BuiltZcp.start(
                folder,
                "send",
                "-q",
                "-r",
                asked,
                // Holes would not be sent.
                "--sparse=never",
                receiver.firstLine(),
                sources.toString())) {
      long senderBytes = residentBytesMax(sender);
      assertThat(sender.end()).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(senderBytes).as("sender").isBetween(MIB, RESIDENT_BYTES_MAX);
      assertThat(receiver.residentBytesMax()).as("receiver").isLessThan(RESIDENT_BYTES_MAX);
    }
  }

  /// As far as it can be seen before the process is over.
  private static long residentBytesMax(BuiltZcp process) throws InterruptedException {
    long bytes = 0;
    try {
      while (process.isAlive()) {
        bytes = Math.max(bytes, process.residentBytesMax());
        Thread.sleep(20);
      }
    } catch (IOException e) {
      // It has no memory any more.
    }
    return bytes;
  }

  private BuiltZcp receiver(String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("receive", "-q", "--listen=127.0.0.1:0"));
    words.addAll(List.of(options));
    words.add(inbox.toString());
    return BuiltZcp.start(folder, words.toArray(String[]::new));
  }

  private BuiltZcp.Ended send(BuiltZcp receiver, Path source) throws Exception {
    return BuiltZcp.run(folder, "send", "-q", receiver.firstLine(), source.toString());
  }

  /// The sender ends first; the receiver closes its side of the connection a moment later.
  private static void settle(BuiltZcp receiver, int descriptors) throws Exception {
    receiver.await(
        "no more than " + descriptors + " descriptors",
        () -> receiver.descriptors() <= descriptors);
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
