package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
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
    try (Hands hands = new Hands(3)) {
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
    try (Hands hands = new Hands(3)) {
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
    try (Hands hands = new Hands(1)) {
      hands.take(
          () -> {
            try {
              open.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      hands.take(done::countDown);
    }
    open.countDown();
    done.await();
  }
}
