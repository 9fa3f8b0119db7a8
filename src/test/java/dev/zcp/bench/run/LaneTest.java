package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneTest {

  private static final long AT_ONCE_NS = 50_000_000;

  @Test
  void allRunsAreOneThreads() throws Exception {
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> second = new AtomicReference<>();
    try (Lane lane = new Lane(new ThisHost(false), Requests.CELL_NS_MAX)) {
      lane.run(Purpose.TIME, () -> first.set(Thread.currentThread()), () -> {});
      lane.run(Purpose.COUNT, () -> second.set(Thread.currentThread()), () -> {});
    }
    assertThat(first.get()).isSameAs(second.get()).isNotSameAs(Thread.currentThread());
    assertThat(first.get().isVirtual()).isFalse();
  }

  @Test
  void whatIsThrownIsAnOutcome() throws Exception {
    IOException failure = new IOException("no luck");
    try (Lane lane = new Lane(new ThisHost(false), Requests.CELL_NS_MAX)) {
      for (Purpose purpose : Purpose.values()) {
        Lane.Outcome outcome =
            lane.run(
                purpose,
                () -> {
                  throw failure;
                },
                () -> {});
        assertThat(outcome.failure()).isSameAs(failure);
      }
    }
  }

  @Test
  void aRunThatTakesTooLongIsToldToEndAndTheNextOneGoesOn() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean aborted = new AtomicBoolean();
    AtomicBoolean next = new AtomicBoolean();
    try (Lane lane = new Lane(new ThisHost(false), AT_ONCE_NS)) {
      Lane.Outcome outcome = lane.run(Purpose.TIME, never::await, () -> aborted.set(true));
      assertThat(outcome.failure()).isInstanceOf(Lane.OverdueException.class);
      assertThat(Verdict.of(outcome.failure()))
          .isEqualTo(new Verdict.Failed("did not end within 0 s"));
      assertThat(aborted).isTrue();
      lane.run(Purpose.TIME, () -> next.set(true), () -> {});
    }
    assertThat(next).isTrue();
  }
}
