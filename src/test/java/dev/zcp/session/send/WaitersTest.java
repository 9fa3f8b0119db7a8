package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitersTest {

  private final Object monitor = new Object();
  private final Waiters waiters = new Waiters(monitor);
  private final AtomicBoolean isSo = new AtomicBoolean();
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void whatIsSoIsNotWaitedFor() {
    waiters.await(() -> true);
  }

  @Test
  void whoeverWaitsIsFreedOnceItIsSoAndNotBefore() throws InterruptedException {
    Thread waiting = begin();
    change();
    assertThat(waiting.isAlive()).isTrue();
    isSo.set(true);
    change();
    waiting.join();
  }

  @Test
  void whatWasSoForAMomentFreesToo() throws InterruptedException {
    Thread waiting = begin();
    synchronized (monitor) {
      isSo.set(true);
      waiters.changed();
      isSo.set(false);
    }
    waiting.join();
  }

  @Test
  void anInterruptedThreadDoesNotWait() throws InterruptedException {
    Thread waiting = begin();
    waiting.interrupt();
    waiting.join();
    looks.set(0);
    change();
    assertThat(looks).as("looks for who has gone").hasValue(0);
  }

  /// A thread that waits for `isSo`, and is known to.
  private Thread begin() throws InterruptedException {
    CountDownLatch looked = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () ->
                waiters.await(
                    () -> {
                      looked.countDown();
                      looks.incrementAndGet();
                      return isSo.get();
                    }));
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
