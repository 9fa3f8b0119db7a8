package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReceivingWorkersTest {

  @Test
  void everythingIsDoneOnce() throws InterruptedException {
    int works = 10_000;
    AtomicInteger done = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(works);
    try (ReceivingWorkers workers = new ReceivingWorkers(3, ReceivingWorkers::thread)) {
      for (int i = 0; i < works; i++) {
        workers.take(
            () -> {
              done.incrementAndGet();
              all.countDown();
            });
      }
      all.await();
    }
    assertThat(done.get()).isEqualTo(works);
  }

  @Test
  void asManyWorkAtOnceAsThereAreHands() throws InterruptedException {
    CyclicBarrier together = new CyclicBarrier(3);
    CountDownLatch all = new CountDownLatch(6);
    try (ReceivingWorkers workers = new ReceivingWorkers(3, ReceivingWorkers::thread)) {
      for (int i = 0; i < 6; i++) {
        workers.take(
            () -> {
              try {
                together.await();
                all.countDown();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
      }
      all.await();
    }
  }

  @Test
  void whatWaitedIsDoneAfterTheClose() throws InterruptedException {
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    try (ReceivingWorkers workers = new ReceivingWorkers(1, ReceivingWorkers::thread)) {
      workers.take(() -> await(open));
      workers.take(done::countDown);
    }
    open.countDown();
    done.await();
  }

  @Test
  void oneIdleHandIsNotTakenForTwo() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    CountDownLatch both = new CountDownLatch(2);
    Runnable meeting =
        () -> {
          try {
            together.await();
            both.countDown();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    List<Thread> threads = new CopyOnWriteArrayList<>();
    try (ReceivingWorkers workers = new ReceivingWorkers(2, run -> kept(threads, run))) {
      workers.take(() -> {});
      while (threads.getFirst().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      // Or the idle one might be at the first before the second comes.
      synchronized (workers) {
        workers.take(meeting);
        workers.take(meeting);
      }
      both.await();
    }
    assertThat(threads).hasSize(2);
  }

  @Test
  void whereNoThreadCanBeHadThoseThatAreThereDoIt() throws InterruptedException {
    AtomicBoolean mayStart = new AtomicBoolean(false);
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(2);
    Runnable waiting =
        () -> {
          await(open);
          done.countDown();
        };
    try (ReceivingWorkers workers =
        new ReceivingWorkers(
            2, run -> mayStart.get() ? ReceivingWorkers.thread(run) : unstartable())) {
      assertThatThrownBy(() -> workers.take(() -> fail("nobody was to do it")))
          .isInstanceOf(OutOfMemoryError.class);
      mayStart.set(true);
      workers.take(waiting);
      mayStart.set(false);
      workers.take(waiting);
      open.countDown();
      done.await();
    }
  }

  /// Keeps a worker busy until the latch is open.
  static void await(CountDownLatch open) {
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread kept(List<Thread> threads, Runnable run) {
    Thread thread = ReceivingWorkers.thread(run);
    threads.add(thread);
    return thread;
  }

  static Thread unstartable() {
    return new Thread() {
      @Override
      public void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }
}
