package dev.zcp.walk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrewTest {

  @Test
  void workThatLeadsToWorkIsDoneToTheEnd() {
    AtomicInteger done = new AtomicInteger();
    Crew crew = new Crew(4);
    crew.push(new Tree(crew, done, 12));
    crew.run();
    assertThat(done).hasValue((1 << 13) - 1);
    assertThat(crew.hasWork()).isFalse();
  }

  @Test
  void aCrewThatIsThroughTakesMoreWorkLater() {
    AtomicInteger done = new AtomicInteger();
    Crew crew = new Crew(3);
    for (int i = 1; i <= 5; i++) {
      crew.push(new Tree(crew, done, 5));
      crew.run();
      assertThat(done).hasValue(i * 63);
    }
  }

  @Test
  void twoThatWaitForEachOtherAreRunByTwoThreads() {
    Crew crew = new Crew(2);
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger met = new AtomicInteger();
    Crew.Work work =
        hand -> {
          both.countDown();
          if (await(both)) {
            met.incrementAndGet();
          }
        };
    crew.push(work);
    crew.push(work);
    crew.run();
    assertThat(met).hasValue(2);
  }

  @Test
  void oneThingIsDoneByTheCallerAlone() {
    Crew crew = new Crew(8);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    crew.push(hand -> threads.add(Thread.currentThread()));
    crew.run();
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void moreBatchesThanMayWaitAreLeftToWhoeverHasThem() {
    Crew crew = new Crew(1);
    int taken = 0;
    while (crew.offer(hand -> {})) {
      taken++;
    }
    assertThat(taken).isEqualTo(64);
    crew.run();
    assertThat(crew.offer(hand -> {})).isTrue();
  }

  @Test
  void onceStoppedWhatWaitsIsDroppedAndNothingIsTaken() {
    AtomicInteger done = new AtomicInteger();
    Crew crew = new Crew(2);
    crew.push(hand -> done.incrementAndGet());
    crew.stop();
    crew.push(hand -> done.incrementAndGet());
    crew.run();
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
  private record Tree(Crew crew, AtomicInteger done, int levels) implements Crew.Work {

    @Override
    public void run(Hand hand) {
      done.incrementAndGet();
      if (levels > 0) {
        crew.push(new Tree(crew, done, levels - 1));
        crew.push(new Tree(crew, done, levels - 1));
      }
    }
  }
}
