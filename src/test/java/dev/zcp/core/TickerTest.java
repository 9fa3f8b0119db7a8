package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TickerTest {

  private static final long MS = 1_000_000;
  private static final long HOUR_NS = 3_600_000 * MS;

  private final BlockingQueue<String> called = new LinkedBlockingQueue<>();

  @Test
  void aTaskIsCalledUntilItSaysNever() throws Exception {
    CountDownLatch over = new CountDownLatch(3);
    Ticker.start(
        MS,
        nowNs -> {
          called.add("again");
          over.countDown();
          return over.getCount() == 0 ? 0 : MS;
        });
    over.await();
    // Another task that is called later than a fourth call would be.
    CountDownLatch later = new CountDownLatch(1);
    Ticker.start(
        20 * MS,
        nowNs -> {
          later.countDown();
          return 0;
        });
    later.await();
    assertThat(called).hasSize(3);
  }

  @Test
  void whoIsDueFirstIsCalledFirst() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch both = new CountDownLatch(2);
    // Holds the thread until both are due.
    Ticker.start(
        1,
        nowNs -> {
          await(begun);
          return 0;
        });
    Ticker.start(20 * MS, nowNs -> note("late", both));
    Ticker.start(MS, nowNs -> note("early", both));
    Thread.sleep(30);
    begun.countDown();
    both.await();
    assertThat(List.copyOf(called)).containsExactly("early", "late");
  }

  @Test
  void aTaskThatIsDueInAnHourHoldsUpNobody() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    boolean[] ended = {false};
    Ticker.start(50 * MS, nowNs -> ended[0] ? 0 : HOUR_NS);
    Ticker.start(MS, nowNs -> note("soon", over));
    over.await();
    ended[0] = true;
    assertThat(called).hasSize(1);
  }

  @Test
  void aTaskForWhichThereWasNoMemoryIsCalledAgain() throws Exception {
    CountDownLatch over = new CountDownLatch(2);
    Ticker.start(
        MS,
        nowNs -> {
          over.countDown();
          if (over.getCount() > 0) {
            throw new OutOfMemoryError("a test's");
          }
          return 0;
        });
    over.await();
    assertThat(over.getCount()).isZero();
  }

  @Test
  void aTaskWithADefectIsToldOnceAndKeepsNobodyFromBeingCalled() throws Exception {
    CountDownLatch over = new CountDownLatch(3);
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
    try {
      Ticker.start(
          MS,
          nowNs -> {
            over.countDown();
            if (over.getCount() > 0) {
              throw new IllegalStateException("a test's");
            }
            return 0;
          });
      over.await();
      CountDownLatch other = new CountDownLatch(1);
      Ticker.start(MS, nowNs -> note("other", other));
      other.await();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(told).singleElement().isInstanceOf(IllegalStateException.class);
  }

  private long note(String what, CountDownLatch latch) {
    called.add(what);
    latch.countDown();
    return 0;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
