package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitersTest {

  private static final long FOR_EVER_NS = Long.MAX_VALUE;

  private final Object monitor = new Object();
  private final Waiters waiters = new Waiters(monitor);
  private final AtomicBoolean isSo = new AtomicBoolean();
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void whatIsSoIsNotWaitedFor() {
    waiters.await(() -> true, FOR_EVER_NS);
  }

  @Test
  void whoeverWaitsIsFreedOnceItIsSoAndNotBefore() throws InterruptedException {
    Thread waiting = begin(FOR_EVER_NS);
    change();
    assertThat(waiting.isAlive()).isTrue();
    isSo.set(true);
    change();
    waiting.join();
  }

  @Test
  void whatWasSoForAMomentFreesToo() throws InterruptedException {
    Thread waiting = begin(FOR_EVER_NS);
    synchronized (monitor) {
      isSo.set(true);
      waiters.changed();
      isSo.set(false);
    }
    waiting.join();
  }

  @Test
  void nobodyWaitsLongerThanItSays() {
    waiters.await(() -> looks.incrementAndGet() < 0, TimeUnit.MILLISECONDS.toNanos(1));
    looks.set(0);
    change();
    assertThat(looks).as("looks for who has gone").hasValue(0);
  }

  @Test
  void anInterruptedThreadDoesNotWait() throws InterruptedException {
    Thread waiting = begin(FOR_EVER_NS);
    waiting.interrupt();
    waiting.join();
  }

  /// A thread that waits for `isSo`, and is known to.
  private Thread begin(long limitNs) throws InterruptedException {
    CountDownLatch looked = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () ->
                waiters.await(
                    () -> {
                      looked.countDown();
                      looks.incrementAndGet();
                      return isSo.get();
                    },
                    limitNs));
    thread.start();
    looked.await();
    return thread;
  }

  private void change() {
    synchronized (monitor) {
      waiters.changed();
    }
  }
}
