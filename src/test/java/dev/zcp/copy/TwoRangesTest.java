package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.engine.Observer;
import dev.zcp.engine.TransferException;
import dev.zcp.io.NativeFile;
import dev.zcp.spi.MoveException.End;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TwoRangesTest {

  private static final int BYTES = (40 << 20) + 77;

  @TempDir Path folder;

  private final AtomicLong moved = new AtomicLong();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private Path source;

  @BeforeEach
  void writeTheSource() throws IOException {
    byte[] content = new byte[BYTES];
    new Random(7).nextBytes(content);
    source = Files.write(folder.resolve("source"), content);
  }

  @Test
  void eachByteArrivesOnceAndIsCountedOnce() throws Exception {
    assertThat(move(new TwoRanges(), new Span(0, BYTES), () -> {})).isEqualTo(BYTES);
    assertThat(Files.mismatch(source, folder.resolve("target"))).isEqualTo(-1);
    assertThat(moved).hasValue(BYTES);
    assertThat(threads).hasSize(2);
  }

  @Test
  void whatComesBeforeTheSpanIsLeftAlone() throws Exception {
    assertThat(move(new TwoRanges(), new Span(1000, BYTES - 1000), () -> {})).isEqualTo(BYTES);
    assertThat(moved).hasValue(BYTES - 1000);
    byte[] target = Files.readAllBytes(folder.resolve("target"));
    assertThat(target).startsWith(new byte[1000]);
  }

  @Test
  void aSourceThatEndsEarlyIsSaidToEndThere() throws Exception {
    assertThat(move(new TwoRanges(), new Span(0, BYTES + (64L << 20)), () -> {})).isEqualTo(BYTES);
  }

  @Test
  void aSourceThatIsCutOffMeanwhileIsSaidToEndThere() throws Exception {
    long end = move(new TwoRanges(), new Span(0, BYTES), () -> resize(source, 1 << 20));
    assertThat(end).isBetween(1L << 20, BYTES - 1L);
  }

  @Test
  void whileOneFileHasTheSecondThreadOthersAreToldToGoWithoutIt() throws Exception {
    TwoRanges ranges = new TwoRanges();
    AtomicLong other = new AtomicLong();
    move(ranges, new Span(0, BYTES), () -> other.set(moveQuietly(ranges)));
    assertThat(other).hasValue(-1);
    assertThat(moveQuietly(ranges)).isEqualTo(BYTES);
  }

  @Test
  void aFailureOfOneThreadStopsBothAndIsThrown() throws Exception {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(folder));
        NativeFile from = directory.file(name("source"), false);
        NativeFile readOnly = directory.file(name("source"), false)) {
      assertThatThrownBy(
              () -> new TwoRanges().move(from, readOnly, new Span(0, BYTES), Observer.NONE))
          .isInstanceOfSatisfying(
              TransferException.class, e -> assertThat(e.end()).isEqualTo(End.SINK));
    }
  }

  @Test
  void aDefectInOneThreadIsNotTakenForAnEnd() {
    assertThatThrownBy(
            () ->
                move(
                    new TwoRanges(),
                    new Span(0, BYTES),
                    () -> {
                      throw new IllegalArgumentException("planted");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("planted");
  }

  private interface Disturbance {
    void happen() throws IOException;
  }

  /// @param disturbance what happens after the first step
  private long move(TwoRanges ranges, Span span, Disturbance disturbance)
      throws IOException, TransferException {
    Files.deleteIfExists(folder.resolve("target"));
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(folder));
        NativeFile from = directory.file(name("source"), false);
        NativeFile to = directory.create(name("target"), 0600)) {
      return ranges.move(from, to, span, observer(disturbance));
    }
  }

  private long moveQuietly(TwoRanges ranges) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(folder));
        NativeFile from = directory.file(name("source"), false);
        NativeFile to = directory.create(name("target" + System.nanoTime()), 0600)) {
      return ranges.move(from, to, new Span(0, BYTES), Observer.NONE);
    } catch (TransferException e) {
      throw new AssertionError(e);
    }
  }

  private Observer observer(Disturbance disturbance) {
    return new Observer() {
      @Override
      public void moved(String strategy, long bytes, long elapsedNs) {
        threads.add(Thread.currentThread());
        if (moved.getAndAdd(bytes) == 0) {
          try {
            disturbance.happen();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        }
      }

      @Override
      public void read(long bytes, long elapsedNs) {}

      @Override
      public void written(long bytes, long elapsedNs) {}

      @Override
      public void declined(String strategy, String reason) {}
    };
  }

  private static void resize(Path path, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  private static byte[] name(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
