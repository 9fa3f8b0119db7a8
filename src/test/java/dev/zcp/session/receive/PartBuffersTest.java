package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.session.Sessions;
import dev.zcp.wire.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PartBuffersTest {

  private final PartBuffers all = new PartBuffers();
  private final PartBuffers.BufferShare buffers = all.share();

  @Test
  void aBufferHasRoomForWhatWasAskedFor() throws InterruptedException {
    for (int count : new int[] {0, 1, 65536, 65537, Limits.PART_BYTES_MAX}) {
      ByteBuffer buffer = buffers.take(count);
      assertThat(buffer.remaining()).isEqualTo(count);
      assertThat(buffer.isDirect()).isTrue();
      buffers.giveBack(buffer);
    }
  }

  @Test
  void aBufferIsUsedAgain() throws InterruptedException {
    ByteBuffer first = buffers.take(100_000);
    buffers.giveBack(first.position(50));
    ByteBuffer again = buffers.take(70_000);
    assertThat(again).isSameAs(first);
    assertThat(again.position()).isZero();
    assertThat(again.remaining()).isEqualTo(70_000);
  }

  @Test
  void twoThatHoldTheSameBytesAreTwo() throws InterruptedException {
    ByteBuffer first = buffers.take(100_000);
    ByteBuffer second = buffers.take(100_000);
    buffers.giveBack(first);
    buffers.giveBack(second);
    assertThat(buffers.take(100_000)).isNotSameAs(buffers.take(100_000));
  }

  @Test
  void whoFindsAllOfItInUseWaitsUntilSomeIsNot() throws InterruptedException {
    List<ByteBuffer> taken = takeAll();
    AtomicReference<ByteBuffer> got = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                got.set(buffers.take(1));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    buffers.giveBack(taken.getFirst());
    waiting.join();
    assertThat(got.get().remaining()).isOne();
  }

  @Test
  void whoeverHasAllThatIsLeftOverKeepsNobodyElseWaiting() throws InterruptedException {
    takeAll();
    for (int i = 1; i < Sessions.SESSIONS_MAX; i++) {
      assertThat(all.share().take(Limits.PART_BYTES_MAX).remaining())
          .isEqualTo(Limits.PART_BYTES_MAX);
    }
  }

  /// As many of the longest as one session can have: its own, and 32 MiB.
  private List<ByteBuffer> takeAll() throws InterruptedException {
    List<ByteBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      taken.add(buffers.take(Limits.PART_BYTES_MAX));
    }
    return taken;
  }
}
