package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.CellResult.CallCount;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class BenchThreadTest {

  private static final long AT_ONCE_NS = 50_000_000;

  private final BenchThread thread = new BenchThread(new Host(false), Requests.CELL_NS_MAX);

  @ParameterizedTest
  @EnumSource
  void everyRunHasAPlatformThreadOfItsOwn(CellRuns.Phase purpose) throws Exception {
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> second = new AtomicReference<>();
    thread.run(purpose, () -> first.set(Thread.currentThread()), () -> {});
    thread.run(purpose, () -> second.set(Thread.currentThread()), () -> {});
    assertThat(first.get()).isNotSameAs(second.get()).isNotSameAs(Thread.currentThread());
    assertThat(first.get().isVirtual()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsThrownIsAnOutcome(CellRuns.Phase purpose) throws Exception {
    for (Throwable failure : new Throwable[] {new IOException(), new OutOfMemoryError()}) {
      BenchThread.TimedRun outcome = thread.run(purpose, () -> raise(failure), () -> {});
      assertThat(outcome.failure()).isSameAs(failure);
    }
  }

  @Test
  void systemCallsAreCountedInTheRunThatIsForThem() throws Exception {
    BenchThread.TimedWork work = () -> Thread.sleep(1);
    assertThat(thread.run(CellRuns.Phase.COUNTED, work, () -> {}).callCount())
        .isEqualTo(CallCount.NONE);
    assertThat(thread.run(CellRuns.Phase.COUNTED, work, () -> {}).usage().voluntarySwitches())
        .isPositive();
    assertThat(thread.run(CellRuns.Phase.SYSTEM_CALLS, work, () -> {}).callCount())
        .isNotEqualTo(CallCount.NONE);
  }

  @Test
  void aRunThatTakesTooLongIsToldToEndAndTheNextOneGoesOn() throws Exception {
    BenchThread hasty = new BenchThread(new Host(false), AT_ONCE_NS);
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean aborted = new AtomicBoolean();
    AtomicBoolean next = new AtomicBoolean();
    BenchThread.TimedRun outcome =
        hasty.run(CellRuns.Phase.COUNTED, never::await, () -> aborted.set(true));
    assertThat(CellRuns.phrase(outcome.failure())).isEqualTo("did not end within 0 s");
    assertThat(aborted).isTrue();
    thread.run(CellRuns.Phase.COUNTED, () -> next.set(true), () -> {});
    assertThat(next).isTrue();
  }

  private static void raise(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (Exception) failure;
  }
}
