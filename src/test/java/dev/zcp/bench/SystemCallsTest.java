package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.linux.Libc;
import dev.zcp.linux.Mapping;
import dev.zcp.testing.OpenDescriptors;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a thread makes the kernel do: its system calls, and the rest of its usage.
class SystemCallsTest {

  private static final ByteBuffer ONE_BYTE = ByteBuffer.allocateDirect(1);
  private static final int PAGES = 1000;
  private static final int READINGS = 100;
  private static final int WARM_READINGS = 20_000;

  /// Far below the time between two ticks, which is 1 ms or more.
  private static final long ROUND_NS = 200_000;

  private static final long SPENT_NS = 40_000_000;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"TRACEPOINT", "READS_AND_WRITES"})
  void aReadingIsNotPartOfWhatItReads(CallCount.CountedBy kind) throws Exception {
    try (SystemCalls counter = calls(kind)) {
      // The JVM's compiler is woken by a system call, as long as this code is cold.
      for (int i = 0; i < WARM_READINGS; i++) {
        counter.count(() -> {});
      }
      int clean = 0;
      for (int i = 0; i < READINGS; i++) {
        clean += counter.count(() -> {}).calls() == 0 ? 1 : 0;
      }
      // The JVM may still call the kernel on this thread, if it stops all threads for a moment.
      assertThat(clean).isGreaterThan(READINGS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TRACEPOINT", "READS_AND_WRITES"})
  void anotherThreadsCallsAreNotCounted(CallCount.CountedBy kind) throws Exception {
    try (SystemCalls counter = calls(kind)) {
      Thread other =
          new Thread(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  Libc.close(-1);
                  Libc.pwrite(-1, ONE_BYTE.duplicate(), 0);
                }
              });
      CallCount counted =
          counter.count(
              () -> {
                other.start();
                other.join();
              });
      assertThat(counted.calls()).isBetween(0L, 1000L);
    }
  }

  /// Between two ticks of the kernel's clock, when nobody but the counter makes it look: a counter
  /// that does not sees next to nothing of these rounds. The half leaves room for the readings.
  @Test
  void workThatIsShorterThanATickIsSeen() throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARM_READINGS; i++) {
      Usage.now();
    }
    long spentNs = 0;
    long seenNs = 0;
    while (spentNs < SPENT_NS) {
      long startNs = threads.getCurrentThreadCpuTime();
      Usage before = Usage.now();
      long endNs = System.nanoTime() + ROUND_NS;
      while (System.nanoTime() < endNs) {
        Thread.onSpinWait();
      }
      Usage used = Usage.now().since(before);
      spentNs += threads.getCurrentThreadCpuTime() - startNs;
      seenNs += used.userNs() + used.systemNs();
    }
    assertThat(seenNs).as("of %d ns", spentNs).isBetween(spentNs / 2, spentNs + SPENT_NS);
  }

  @Test
  void waitingIsSwitchingAndTouchingAMappingIsFaulting() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[PAGES << 12]);
    try (FileChannel channel = FileChannel.open(file);
        Mapping mapping = Mapping.of(channel, MapMode.READ_ONLY, 0, channel.size())) {
      Usage before = Usage.now();
      Thread.sleep(2);
      assertThat(Usage.now().since(before).voluntarySwitches()).isPositive();

      Usage untouched = Usage.now();
      long sum = 0;
      for (int i = 0; i < mapping.bytes().capacity(); i += 4096) {
        sum += mapping.bytes().get(i);
      }
      Usage touched = Usage.now().since(untouched);
      assertThat(sum).isZero();
      assertThat(touched.minorFaults() + touched.majorFaults()).isPositive();
    }
  }

  @Test
  void aCounterLeavesNoDescriptorBehind() throws Exception {
    SystemCalls.best().close();
    SystemCalls.ofReadsAndWrites("").close();
    List<String> before = OpenDescriptors.targets();
    for (int i = 0; i < 50; i++) {
      try (SystemCalls calls = SystemCalls.best()) {
        calls.count(() -> {});
      }
      SystemCalls.ofReadsAndWrites("").close();
    }
    assertThat(OpenDescriptors.targets()).isEqualTo(before);
  }

  @Test
  void theBestCountThatCanBeHadIsTaken() throws Exception {
    CallCount.CountedBy best = CallCount.CountedBy.NONE;
    for (SystemCalls calls :
        List.of(SystemCalls.ofReadsAndWrites(""), SystemCalls.ofTracepoint(SystemCalls.TRACEFS))) {
      CallCount.CountedBy kind = calls.count(() -> {}).kind();
      best = kind == CallCount.CountedBy.NONE ? best : kind;
      calls.close();
    }
    try (SystemCalls counter = SystemCalls.best()) {
      CallCount counted = counter.count(() -> {});
      assertThat(counted.kind()).isEqualTo(best);
      assertThat(counted.note().isEmpty()).isEqualTo(best == CallCount.CountedBy.TRACEPOINT);
    }
  }

  @Test
  void withoutTracefsTheReasonNamesTheWayOut() throws Exception {
    String way = "tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing)";
    assertThat(SystemCalls.ofTracepoint(List.of(folder)).count(() -> {}))
        .isEqualTo(new CallCount(Usage.UNKNOWN, CallCount.CountedBy.NONE, way));
  }

  @Test
  void aKernelWithoutTheTracepointIsNotOneWithoutTracefs() throws Exception {
    Files.createDirectory(folder.resolve("events"));
    assertThat(SystemCalls.ofTracepoint(List.of(folder)).count(() -> {}).note())
        .isEqualTo("this kernel has no tracepoint raw_syscalls:sys_enter");
  }

  /// The real kernel refuses a tracepoint that it does not have.
  @Test
  void aRefusalOfTheKernelIsAReason() throws Exception {
    Path event = folder.resolve("events/raw_syscalls/sys_enter");
    Files.createDirectories(event);
    Files.writeString(event.resolve("id"), "123456789\n");
    CallCount counted = SystemCalls.ofTracepoint(List.of(folder)).count(() -> {});
    assertThat(counted.kind()).isEqualTo(CallCount.CountedBy.NONE);
    assertThat(counted.note()).startsWith("perf_event_open(2) does not count here: ");
  }

  private static SystemCalls calls(CallCount.CountedBy kind) throws Exception {
    SystemCalls calls =
        kind == CallCount.CountedBy.TRACEPOINT
            ? SystemCalls.ofTracepoint(SystemCalls.TRACEFS)
            : SystemCalls.ofReadsAndWrites("");
    assume(kind, calls);
    return calls;
  }

  /// Skips the test where calls are counted in another way.
  static void assume(CallCount.CountedBy kind, SystemCalls calls) throws Exception {
    CallCount counted = calls.count(() -> {});
    assumeTrue(counted.kind() == kind, counted.note());
  }
}
