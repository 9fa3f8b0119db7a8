package dev.zcp.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What [Carrier] promises, whatever carries the bytes.
@Timeout(60)
abstract class CarrierContract {

  private static final int MANY_BYTES = 20 << 20;

  Carrier near;
  Carrier far;

  /// Both ends of a connection; nothing was established yet.
  abstract Carrier[] pair() throws IOException;

  @BeforeEach
  void connect() throws Exception {
    Carrier[] pair = pair();
    near = pair[0];
    far = pair[1];
    CompletableFuture<byte[]> there = async(far::establish);
    assertThat(near.establish()).isEqualTo(there.get());
  }

  @AfterEach
  void close() throws IOException {
    near.close();
    far.close();
  }

  @FunctionalInterface
  interface Work<T> {
    T run() throws Exception;
  }

  static <T> CompletableFuture<T> async(Work<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                result.complete(work.run());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  /// Writes bytes of a generator in pieces of all sizes, from the heap and not, and then ends.
  private static Void writeMany(Carrier carrier, long seed) throws IOException {
    Random sizes = new Random(seed);
    Random content = new Random(seed);
    for (int left = MANY_BYTES; left > 0; ) {
      int count = Math.min(left, 1 + sizes.nextInt(1 << sizes.nextInt(19)));
      byte[] bytes = new byte[count];
      content.nextBytes(bytes);
      int first = sizes.nextInt(count + 1);
      ByteBuffer head = ByteBuffer.wrap(bytes, 0, first);
      ByteBuffer tail = ByteBuffer.allocateDirect(count - first);
      tail.put(bytes, first, count - first).flip();
      while (head.hasRemaining() || tail.hasRemaining()) {
        carrier.write(head, tail);
      }
      left -= count;
    }
    carrier.endOutput();
    return null;
  }

  /// Reads what [#writeMany] wrote, into buffers of all sizes, and the end after it.
  private static Void readMany(Carrier carrier, long seed) throws IOException {
    Random sizes = new Random(seed);
    Random content = new Random(seed);
    Random rooms = new Random(seed + 1);
    for (int left = MANY_BYTES; left > 0; ) {
      int count = Math.min(left, 1 + sizes.nextInt(1 << sizes.nextInt(19)));
      byte[] expected = new byte[count];
      content.nextBytes(expected);
      sizes.nextInt(count + 1);
      ByteBuffer got = ByteBuffer.allocate(count);
      while (got.hasRemaining()) {
        int room = Math.min(got.remaining(), 1 + rooms.nextInt(200_000));
        boolean heap = rooms.nextBoolean();
        ByteBuffer part = heap ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room);
        int read = carrier.source().read(part, 0);
        assertThat(read).isPositive().isEqualTo(part.position());
        got.put(part.flip());
      }
      assertThat(got.array()).isEqualTo(expected);
      left -= count;
    }
    assertThat(carrier.source().read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
    assertThat(carrier.source().read(ByteBuffer.allocate(100_000), 0)).isEqualTo(-1);
    return null;
  }

  @Test
  void bytesArriveInOrderBothWaysAtOnceAndTheEndAfterThem() throws Exception {
    CompletableFuture<Void> there = async(() -> writeMany(near, 1));
    CompletableFuture<Void> back = async(() -> writeMany(far, 2));
    CompletableFuture<Void> read = async(() -> readMany(near, 2));
    readMany(far, 1);
    there.get();
    back.get();
    read.get();
  }

  @Test
  void afterTheEndOfOneDirectionTheOtherGoesOn() throws Exception {
    near.endOutput();
    assertThat(far.source().read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
    far.write(ByteBuffer.wrap(new byte[] {42}));
    ByteBuffer got = ByteBuffer.allocate(9);
    assertThat(near.source().read(got, 0)).isEqualTo(1);
    assertThat(got.get(0)).isEqualTo((byte) 42);
  }

  @Test
  void aCutFreesWhoReads() throws Exception {
    CompletableFuture<Integer> reading = async(() -> near.source().read(ByteBuffer.allocate(1), 0));
    Thread.sleep(100);
    near.cut();
    reading.handle((_, _) -> 0).get(30, TimeUnit.SECONDS);
  }

  @Test
  void aCutFreesWhoWritesToSomebodyWhoDoesNotRead() throws Exception {
    CompletableFuture<Void> writing = async(() -> writeMany(near, 1));
    while (near.isWritable()) {
      Thread.sleep(1);
    }
    assertThat(writing).isNotDone();
    near.cut();
    assertThatThrownBy(() -> writing.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void aShortWriteNeedNotWaitAtFirst() throws Exception {
    assertThat(near.isWritable()).isTrue();
    near.write(ByteBuffer.allocate(Carrier.SHORT_BYTES));
    near.write(ByteBuffer.allocate(0));
    assertThat(far.source().read(ByteBuffer.allocate(Carrier.SHORT_BYTES), 0)).isPositive();
  }
}
