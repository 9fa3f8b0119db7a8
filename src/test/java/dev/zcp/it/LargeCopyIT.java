package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A copy of a large file on this machine that is interrupted: the same command goes on with what
/// is there, if that is what the source has.
@Timeout(300)
class LargeCopyIT {

  private static final long BYTES = 300L << 20;
  private static final Pattern RESUMED = Pattern.compile("resumes after ([0-9.]+) MiB");

  private final long seed = Long.getLong("zcp.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir Path folder;

  private Path source;
  private Path target;

  @BeforeEach
  void makeALargeFile() throws IOException {
    System.out.println("LargeCopyIT: seed " + seed);
    source = folder.resolve("large");
    target = folder.resolve("copy");
    byte[] piece = new byte[1 << 20];
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      for (long at = 0; at < BYTES; at += piece.length) {
        random.nextBytes(piece);
        file.write(piece);
      }
    }
  }

  @Test
  void whatAKilledCopyLeftIsGoneOnWith() throws Exception {
    long there = killInTheMiddle("KILL");
    long resumed = resumedBytes(copy());
    assertThat(resumed).as("seed %d", seed).isBetween(there / 2, there + (1 << 20));
    assertSame();
    assertThat(hidden()).isEmpty();
  }

  @Test
  void aHoleStaysOneAndAnInterruptIsNotTheEndOfIt() throws Exception {
    // The first half is a hole.
    Programs.run("fallocate", "-p", "-o", "0", "-l", "" + BYTES / 2, source.toString());
    killInTheMiddle("INT");
    assertThat(resumedBytes(copy())).as("seed %d", seed).isPositive();
    assertSame();
    assertThat(blocks(target)).isLessThanOrEqualTo(blocks(source) + 64);
    assertThat(hidden()).isEmpty();
  }

  @Test
  void bytesThatAreNotThoseOfTheSourceAreWrittenAgain() throws Exception {
    long there = killInTheMiddle("KILL");
    try (RandomAccessFile file = new RandomAccessFile(hidden().getFirst().toFile(), "rw")) {
      file.seek(there / 2);
      file.write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    }
    assertThat(resumedBytes(copy())).as("seed %d", seed).isLessThanOrEqualTo(there / 2 + 1);
    assertSame();
  }

  @Test
  void aSourceThatWasChangedAtItsBeginningIsCopiedAnew() throws Exception {
    killInTheMiddle("KILL");
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      int first = file.read();
      file.seek(0);
      file.write(first + 1);
    }
    assertThat(resumedBytes(copy())).isZero();
    assertSame();
    assertThat(hidden()).isEmpty();
  }

  @Test
  void aSourceThatGrewMeanwhileIsGoneOnWith() throws Exception {
    long there = killInTheMiddle("KILL");
    Files.write(source, new byte[12_345], StandardOpenOption.APPEND);
    assertThat(resumedBytes(copy())).as("seed %d", seed).isBetween(there / 2, there + (1 << 20));
    assertSame();
    assertThat(hidden()).isEmpty();
  }

  @Test
  void whoeverWantsItFromTheBeginningGetsIt() throws Exception {
    killInTheMiddle("KILL");
    assertThat(resumedBytes(copy("--no-resume"))).isZero();
    assertSame();
  }

  /// The one that finds the other one's file must not write to it once it has its name.
  @Test
  void twoOfTheSameAtOnceLeaveAWholeFile() throws Exception {
    for (int i = 0; i < 5; i++) {
      BuiltZcp first = start();
      BuiltZcp second = start();
      while (first.isAlive() || second.isAlive()) {
        // Whole from the moment on that it is there.
        if (Files.exists(target)) {
          assertThat(Files.size(target)).isEqualTo(BYTES);
        }
        Thread.sleep(1);
      }
      assertThat(first.end().exitCode()).isZero();
      assertThat(second.end().exitCode()).isZero();
      assertSame();
      assertThat(hidden()).isEmpty();
      Files.delete(target);
    }
  }

  @Test
  void twentyKillsAtRandomMomentsLeaveNothingTorn() throws Exception {
    for (int i = 0; i < 20; i++) {
      BuiltZcp killed = start();
      Thread.sleep(random.nextInt(400));
      killed.signalIfAlive("KILL");
      killed.end();
      if (Files.exists(target)) {
        assertSame();
        Files.delete(target);
      }
    }
    copy();
    assertSame();
    assertThat(hidden()).isEmpty();
  }

  /// @return how many bytes are there
  private long killInTheMiddle(String signal) throws Exception {
    // At this rate it takes seconds.
    BuiltZcp killed = start("--limit-rate=60M");
    while (killed.isAlive() && (hidden().isEmpty() || blocks(hidden().getFirst()) < 100_000)) {
      Thread.sleep(5);
    }
    killed.signalIfAlive(signal);
    killed.end();
    assertThat(target).doesNotExist();
    assertThat(hidden()).hasSize(1);
    return Files.size(hidden().getFirst());
  }

  private BuiltZcp start(String... options) throws IOException {
    String[] words =
        Stream.of(List.of("copy"), List.of(options), operands())
            .flatMap(List::stream)
            .toArray(String[]::new);
    return BuiltZcp.start(folder, words);
  }

  private List<String> operands() {
    return List.of(source.toString(), target.toString());
  }

  private String copy(String... options) throws Exception {
    BuiltZcp.Ended ended = start(options).end();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended.err();
  }

  private static long resumedBytes(String told) {
    Matcher found = RESUMED.matcher(told);
    return found.find() ? (long) (Double.parseDouble(found.group(1)) * (1 << 20)) : 0;
  }

  private void assertSame() throws IOException {
    assertThat(Files.mismatch(source, target)).as("seed %d", seed).isEqualTo(-1);
  }

  private List<Path> hidden() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().startsWith(".zcp-")).toList();
    }
  }

  private static long blocks(Path file) throws IOException {
    return Long.parseLong(Programs.run("stat", "-c", "%b", file.toString()));
  }
}
