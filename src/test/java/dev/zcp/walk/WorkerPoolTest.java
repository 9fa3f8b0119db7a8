package dev.zcp.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.walk.WorkerPool.Worker;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WorkerPoolTest {

  @Test
  void workThatLeadsToWorkIsDoneToTheEnd() {
    AtomicInteger done = new AtomicInteger();
    WorkerPool workers = new WorkerPool(4);
    workers.push(new Tree(workers, done, 12));
    workers.run();
    assertThat(done).hasValue((1 << 13) - 1);
    assertThat(workers.hasWork()).isFalse();
  }

  @Test
  void aCrewThatIsThroughTakesMoreWorkLater() {
    AtomicInteger done = new AtomicInteger();
    WorkerPool workers = new WorkerPool(3);
    for (int i = 1; i <= 5; i++) {
      workers.push(new Tree(workers, done, 5));
      workers.run();
      assertThat(done).hasValue(i * 63);
    }
  }

  @Test
  void twoThatWaitForEachOtherAreRunByTwoThreads() {
    WorkerPool workers = new WorkerPool(2);
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger met = new AtomicInteger();
    WorkerPool.Work work =
        worker -> {
          both.countDown();
          if (await(both)) {
            met.incrementAndGet();
          }
        };
    workers.push(work);
    workers.push(work);
    workers.run();
    assertThat(met).hasValue(2);
  }

  @Test
  void oneThingIsDoneByTheCallerAlone() {
    WorkerPool workers = new WorkerPool(8);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    workers.push(worker -> threads.add(Thread.currentThread()));
    workers.run();
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void moreBatchesThanMayWaitAreLeftToWhoeverHasThem() {
    WorkerPool workers = new WorkerPool(1);
    int taken = 0;
    while (workers.offer(worker -> {})) {
      taken++;
    }
    assertThat(taken).isEqualTo(64);
    workers.run();
    assertThat(workers.offer(worker -> {})).isTrue();
  }

  /// Of a list that is still being written, nothing may come for a while.
  @Test
  void aThreadThatHadNothingToDoIsReplacedOnceThereIsWorkAgain() throws Exception {
    WorkerPool workers = new WorkerPool(2);
    for (int round = 0; round < 3; round++) {
      CountDownLatch done = new CountDownLatch(2);
      workers.push(worker -> done.countDown());
      workers.push(worker -> done.countDown());
      assertThat(await(done)).as("in round %d", round).isTrue();
      while (Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().startsWith("zcp-copy-"))) {
        Thread.sleep(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAnyThreadThrowsEndsTheWorkAndIsThrownToTheCaller(boolean byCaller) {
    WorkerPool workers = new WorkerPool(2);
    CountDownLatch both = new CountDownLatch(2);
    Thread caller = Thread.currentThread();
    WorkerPool.Work work =
        worker -> {
          both.countDown();
          await(both);
          if (byCaller == (Thread.currentThread() == caller)) {
            workers.push(next -> {});
            throw new OutOfMemoryError("planted");
          }
        };
    workers.push(work);
    workers.push(work);
    assertThatThrownBy(workers::run).isInstanceOf(OutOfMemoryError.class).hasMessage("planted");
    assertThat(workers.hasWork()).isFalse();
  }

  @Test
  void onceStoppedWhatWaitsIsDroppedAndNothingIsTaken() {
    AtomicInteger done = new AtomicInteger();
    WorkerPool workers = new WorkerPool(2);
    workers.push(worker -> done.incrementAndGet());
    workers.stop();
    workers.push(worker -> done.incrementAndGet());
    workers.run();
    assertThat(done).hasValue(0);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Work that leads to two of its kind, so many levels deep.
  private record Tree(WorkerPool workers, AtomicInteger done, int levels)
      implements WorkerPool.Work {

    @Override
    public void run(Worker worker) {
      done.incrementAndGet();
      if (levels > 0) {
        workers.push(new Tree(workers, done, levels - 1));
        workers.push(new Tree(workers, done, levels - 1));
      }
    }
  }
}
