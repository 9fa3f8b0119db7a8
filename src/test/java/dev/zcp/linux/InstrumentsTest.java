package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.zcp.testing.TestEnds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstrumentsTest {

  private static final int PAGES = 1000;

  @Test
  void aFailureIsMinusItsNumber() {
    assertThat(Instruments.dropPages(-1)).isEqualTo(-Errno.EBADF);
    assertThat(Instruments.countTracepoint(Integer.MAX_VALUE)).isNegative();
    assertThat(Instruments.setTracer(-2)).isEqualTo(-Errno.EINVAL);
    assertThat(Instruments.mincore(1, 1, 0)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aPageIsAPowerOfTwo() {
    assertThat(OwnProcess.pageBytes()).isGreaterThanOrEqualTo(4096);
    assertThat(Integer.bitCount(OwnProcess.pageBytes())).isEqualTo(1);
  }

  @Test
  void cleanPagesOfAFileOnADiskAreDropped() throws Exception {
    // The build's folder is on a disk more often than the one for temporary files.
    Path target = Path.of("target");
    assumeFalse(Files.getFileStore(target).type().equals("tmpfs"), "the project is in memory");
    Path file = Files.write(Files.createTempFile(target, "pages", ""), new byte[PAGES << 12]);
    try (FileChannel channel = FileChannel.open(file)) {
      channel.force(false);
      assertThat(residentPages(channel)).isPositive();
      assertThat(Instruments.dropPages(TestEnds.descriptor(channel))).isZero();
      assertThat(residentPages(channel)).isZero();
    } finally {
      Files.delete(file);
    }
  }

  /// Each figure stands where it is said to: /proc, asked in between, says the same.
  @Test
  void theFiguresOfAThreadAreThoseOfProc() throws Exception {
    for (int i = 0; i < 20; i++) {
      Thread.sleep(1);
    }
    long[] before = usage();
    String status = Files.readString(Path.of("/proc/thread-self/status"));
    List<String> stat = List.of(Files.readString(Path.of("/proc/thread-self/stat")).split(" "));
    long[] after = usage();

    int state =
        stat.lastIndexOf(stat.stream().filter(each -> each.endsWith(")")).toList().getLast());
    assertBetween(before, Instruments.MINOR_FAULTS, Long.parseLong(stat.get(state + 8)), after);
    assertBetween(before, Instruments.MAJOR_FAULTS, Long.parseLong(stat.get(state + 10)), after);
    assertBetween(
        before, Instruments.VOLUNTARY_SWITCHES, line(status, "voluntary_ctxt_switches"), after);
    assertBetween(
        before,
        Instruments.INVOLUNTARY_SWITCHES,
        line(status, "nonvoluntary_ctxt_switches"),
        after);
    assertThat(before[Instruments.VOLUNTARY_SWITCHES]).isGreaterThanOrEqualTo(20);

    // In hundredths of a second.
    assertThat(Long.parseLong(stat.get(state + 12)))
        .isBetween(ticks(before, Instruments.USER_S) - 1, ticks(after, Instruments.USER_S));
    assertThat(Long.parseLong(stat.get(state + 13)))
        .isBetween(ticks(before, Instruments.SYSTEM_S) - 1, ticks(after, Instruments.SYSTEM_S));
  }

  @Test
  void aThreadsClockIsTheOneThatJavaReads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    long time = Instruments.threadTimeNs();
    assertThat(time).isBetween(before, threads.getCurrentThreadCpuTime());
  }

  @Test
  void anotherThreadHasFiguresOfItsOwn() throws Exception {
    for (int i = 0; i < 200; i++) {
      Thread.sleep(1);
    }
    long[] fresh = new long[Instruments.RUSAGE_LONGS];
    Thread other = new Thread(() -> Instruments.threadUsage(fresh));
    other.start();
    other.join();
    assertThat(usage()[Instruments.VOLUNTARY_SWITCHES]).isGreaterThanOrEqualTo(200);
    assertThat(fresh[Instruments.VOLUNTARY_SWITCHES]).isLessThan(200);
  }

  private static long residentPages(FileChannel channel) throws IOException {
    try (Mapping mapping = Mapping.of(channel, MapMode.READ_ONLY, 0, channel.size())) {
      return mapping.residentPages();
    }
  }

  private static void assertBetween(long[] before, int figure, long value, long[] after) {
    assertThat(value).isBetween(before[figure], after[figure]);
  }

  private static long ticks(long[] usage, int seconds) {
    return usage[seconds] * 100 + usage[seconds + 1] / 10_000;
  }

  private static long line(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }

  private static long[] usage() {
    long[] usage = new long[Instruments.RUSAGE_LONGS];
    assertThat(Instruments.threadUsage(usage)).isZero();
    return usage;
  }
}
