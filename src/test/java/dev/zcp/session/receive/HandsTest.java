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
class HandsTest {

  @Test
  void everythingIsDoneOnce() throws InterruptedException {
    int works = 10_000;
    AtomicInteger done = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(works);
    try (Hands hands = new Hands(3, Hands::thread)) {
      for (int i = 0; i < works; i++) {
        hands.take(
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
    try (Hands hands = new Hands(3, Hands::thread)) {
      for (int i = 0; i < 6; i++) {
        hands.take(
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
    try (Hands hands = new Hands(1, Hands::thread)) {
      hands.take(() -> await(open));
      hands.take(done::countDown);
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
    try (Hands hands = new Hands(2, run -> kept(threads, run))) {
      hands.take(() -> {});
      while (threads.getFirst().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      // Or the idle one might be at the first before the second comes.
      synchronized (hands) {
        hands.take(meeting);
        hands.take(meeting);
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
    try (Hands hands = new Hands(2, run -> mayStart.get() ? Hands.thread(run) : unstartable())) {
      assertThatThrownBy(() -> hands.take(() -> fail("nobody was to do it")))
          .isInstanceOf(OutOfMemoryError.class);
      mayStart.set(true);
      hands.take(waiting);
      mayStart.set(false);
      hands.take(waiting);
      open.countDown();
      done.await();
    }
  }

  /// What keeps a hand busy until the latch is open.
  static void await(CountDownLatch open) {
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread kept(List<Thread> threads, Runnable run) {
    Thread thread = Hands.thread(run);
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
