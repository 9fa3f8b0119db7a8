package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LaneTest {

  private static final long AT_ONCE_NS = 50_000_000;

  private final Lane lane = new Lane(new ThisHost(false), Requests.CELL_NS_MAX);

  @ParameterizedTest
  @EnumSource
  void everyRunHasAPlatformThreadOfItsOwn(Purpose purpose) throws Exception {
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> second = new AtomicReference<>();
    lane.run(purpose, () -> first.set(Thread.currentThread()), () -> {});
    lane.run(purpose, () -> second.set(Thread.currentThread()), () -> {});
    assertThat(first.get()).isNotSameAs(second.get()).isNotSameAs(Thread.currentThread());
    assertThat(first.get().isVirtual()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsThrownIsAnOutcome(Purpose purpose) throws Exception {
    for (Throwable failure : new Throwable[] {new IOException(), new OutOfMemoryError()}) {
      Lane.Outcome outcome = lane.run(purpose, () -> raise(failure), () -> {});
      assertThat(outcome.failure()).isSameAs(failure);
    }
  }

  @Test
  void systemCallsAreCountedInTheRunThatIsForThem() throws Exception {
    Lane.Work work = () -> Thread.sleep(1);
    assertThat(lane.run(Purpose.TIME, work, () -> {}).callCount()).isEqualTo(CallCount.NONE);
    assertThat(lane.run(Purpose.TIME, work, () -> {}).usage().voluntarySwitches()).isPositive();
    assertThat(lane.run(Purpose.COUNT, work, () -> {}).callCount()).isNotEqualTo(CallCount.NONE);
  }

  @Test
  void aRunThatTakesTooLongIsToldToEndAndTheNextOneGoesOn() throws Exception {
    Lane hasty = new Lane(new ThisHost(false), AT_ONCE_NS);
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean aborted = new AtomicBoolean();
    AtomicBoolean next = new AtomicBoolean();
    Lane.Outcome outcome = hasty.run(Purpose.TIME, never::await, () -> aborted.set(true));
    assertThat(outcome.failure()).isInstanceOf(Lane.OverdueException.class);
    assertThat(Verdict.of(outcome.failure()))
        .isEqualTo(new Verdict.Failed("did not end within 0 s"));
    assertThat(aborted).isTrue();
    lane.run(Purpose.TIME, () -> next.set(true), () -> {});
    assertThat(next).isTrue();
  }

  private static void raise(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (Exception) failure;
  }
}
