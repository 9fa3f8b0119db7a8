package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import dev.zcp.wire.Digest;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockDigestTest {

  /// What is read at once, and what a thread is woken for: both sides of each matter.
  private static final int PIECE = 256 << 10;

  private static final int WAKE = 512 << 10;
  private static final int FILE_BYTES = 4 << 20;

  @TempDir Path dir;

  private final FileLog log = new Insight("test", "auto", event -> {}).begin("f", -1, Stage.SEND);
  private byte[] content;
  private Source source;
  private BlockDigest digest;

  @BeforeEach
  void openFile() throws IOException {
    content = new byte[FILE_BYTES];
    new Random(2).nextBytes(content);
    Path path = Files.write(dir.resolve("source"), content);
    source = ChannelEnd.file(FileChannel.open(path, StandardOpenOption.READ), 1);
    digest = new BlockDigest(Digest.Algorithm.SHA256);
  }

  @AfterEach
  void closeFile() throws IOException {
    digest.close();
    source.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        PIECE - 1,
        PIECE,
        PIECE + 1,
        WAKE - 1,
        WAKE,
        WAKE + 1,
        WAKE + PIECE,
        FILE_BYTES - 77
      })
  void itIsTheDigestOfTheBlockAllAtOnceOrBitByBit(int length) throws IOException {
    digest.begin(source, 77, log);
    digest.advance(77 + length);
    assertThat(digest.finish()).isEqualTo(sum(77, length));

    digest.begin(source, 0, log);
    for (int end = 0; end < length; end = Math.min(length, end + 100_000)) {
      digest.advance(end);
    }
    digest.advance(length);
    assertThat(digest.finish()).isEqualTo(sum(0, length));
  }

  @Test
  void manyBlocksOneAfterTheOtherInRandomSteps() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int block = 0; block < 200; block++) {
      int offset = random.nextInt(FILE_BYTES);
      int length = random.nextInt(Math.min(FILE_BYTES - offset, 3 * WAKE) + 1);
      digest.begin(source, offset, log);
      int stepMax = 1 + random.nextInt(WAKE * 2);
      for (int done = 0; done < length; ) {
        done = Math.min(length, done + 1 + random.nextInt(stepMax));
        digest.advance(offset + done);
      }
      assertThat(digest.finish()).as("seed %d", seed).isEqualTo(sum(offset, length));
    }
  }

  @Test
  void nothingIsReadThatWasNotAllowedYet() throws IOException {
    Watched watched = new Watched(source);
    digest.begin(watched, 0, log);
    for (long end = WAKE - 1; end <= FILE_BYTES; end += WAKE / 3) {
      watched.allowed = end;
      digest.advance(end);
    }
    digest.finish();
    assertThat(watched.trespasses).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PIECE, WAKE, WAKE + 1})
  void aSourceThatEndsEarlyIsSeenAndTheNextBlockIsNot(int missing) throws IOException {
    digest.begin(source, 0, log);
    digest.advance(FILE_BYTES + missing);
    if (missing == 0) {
      assertThat(digest.finish()).isEqualTo(sum(0, FILE_BYTES));
    } else {
      assertThatThrownBy(() -> digest.finish())
          .isInstanceOf(EOFException.class)
          .hasMessageContaining(Integer.toString(FILE_BYTES));
    }
    digest.begin(source, 5, log);
    digest.advance(WAKE * 2);
    assertThat(digest.finish()).isEqualTo(sum(5, WAKE * 2 - 5));
  }

  @Test
  void aSourceThatFailsIsSeenOnWhicheverThreadItFails() throws IOException {
    for (int length : new int[] {1, WAKE * 2}) {
      digest.begin(source, 0, log);
      source.close();
      digest.advance(length);
      assertThatThrownBy(() -> digest.finish()).isInstanceOf(IOException.class);
      openFile();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, WAKE * 2})
  void aDefectIsSeenAndKeepsNobodyWaiting(int length) throws InterruptedException {
    Broken broken = new Broken(source);
    digest.begin(broken, 0, log);
    digest.advance(length);
    if (length > WAKE) {
      assertThat(broken.reading.await(30, TimeUnit.SECONDS)).as("on its thread").isTrue();
    }
    assertThatThrownBy(() -> digest.finish())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
  }

  @Test
  void aBlockThatWasGivenUpDoesNotSpoilTheNext() throws Exception {
    Held held = new Held(source);
    digest.begin(held, 0, log);
    digest.advance(FILE_BYTES);
    assertThat(held.reading.await(30, TimeUnit.SECONDS)).isTrue();
    // Without finish(): the block failed elsewhere. The worker is in the midst of its bytes, and
    // stays there until this thread waits for it.
    releaseOnceWaiting(held, Thread.currentThread());

    digest.begin(source, 100, log);
    digest.advance(100 + WAKE / 2);

    assertThat(digest.finish()).isEqualTo(sum(100, WAKE / 2));
  }

  @Test
  void closingEndsItsThread() throws Exception {
    digest.begin(source, 0, log);
    digest.advance(WAKE);
    digest.finish();
    Thread worker = threadOf(digest);
    digest.close();
    worker.join(30_000);
    assertThat(worker.isAlive()).isFalse();
  }

  @Test
  void aSmallBlockTakesNoThread() throws Exception {
    digest.begin(source, 0, log);
    digest.advance(WAKE - 1);
    digest.finish();
    assertThat(threadOf(digest)).isNull();
  }

  /// Its field, since threads of other tests have the same name.
  private static Thread threadOf(BlockDigest digest) throws ReflectiveOperationException {
    Field worker = BlockDigest.class.getDeclaredField("worker");
    worker.setAccessible(true);
    return (Thread) worker.get(digest);
  }

  private static void releaseOnceWaiting(Held held, Thread waiting) {
    Thread thread =
        new Thread(
            () -> {
              while (waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              held.released.countDown();
            });
    thread.setDaemon(true);
    thread.start();
  }

  private Checksum.Sum sum(int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, offset, length);
    Digest sha256 = Checksum.sha256(ByteBuffer.wrap(content, offset, length), (_, _) -> {});
    return new Checksum.Sum((int) crc.getValue(), sha256);
  }

  /// A source that does something of its own before each read.
  private abstract static class Altered implements Source {

    private final Source inner;

    Altered(Source inner) {
      this.inner = inner;
    }

    abstract void before(long offset, int bytes) throws IOException;

    @Override
    public final int read(ByteBuffer target, long offset) throws IOException {
      before(offset, target.remaining());
      return inner.read(target, offset);
    }

    @Override
    public final Route.Traits traits() {
      return inner.traits();
    }

    @Override
    public final ReadableByteChannel channel() {
      return inner.channel();
    }

    @Override
    public final int descriptor() {
      return inner.descriptor();
    }

    @Override
    public final void close() throws IOException {
      inner.close();
    }
  }

  private static final class Watched extends Altered {

    volatile long allowed;
    volatile int trespasses;

    Watched(Source inner) {
      super(inner);
    }

    @Override
    void before(long offset, int bytes) {
      if (offset + bytes > allowed) {
        trespasses++;
      }
    }
  }

  private static final class Broken extends Altered {

    final CountDownLatch reading = new CountDownLatch(1);

    Broken(Source inner) {
      super(inner);
    }

    @Override
    void before(long offset, int bytes) {
      reading.countDown();
      throw new IllegalStateException("broken");
    }
  }

  /// Keeps its reader waiting.
  private static final class Held extends Altered {

    final CountDownLatch reading = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    Held(Source inner) {
      super(inner);
    }

    @Override
    void before(long offset, int bytes) throws IOException {
      reading.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
