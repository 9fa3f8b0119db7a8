package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/// A counter of the calling thread, and the real strace that looks at the same thread.
///
/// Both look at the very same run, since no two runs of a JVM need make the same calls; and strace
/// from one read(2) of the counter to the next, since the JVM may wake its compiler between a
/// reading and a mark.
public final class TracedCounter implements AutoCloseable {

  private static final long STRACE_NS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final SystemCalls counter;
  private final Strace tracing;
  private final String reading;

  private TracedCounter(SystemCalls counter, Strace tracing, String reading) {
    this.counter = counter;
    this.tracing = tracing;
    this.reading = reading;
  }

  /// With the tracepoint as the counter. Skips the test where there is no tracepoint or no strace.
  public static TracedCounter ofTracepoint() throws Exception {
    SystemCalls calls = SystemCalls.ofTracepoint(SystemCalls.TRACEFS);
    SystemCallsTest.assume(CallCount.CountedBy.TRACEPOINT, calls);
    return of(calls, "anon_inode:[perf_event]");
  }

  /// @param target how the counter's descriptor ends in `/proc/self/fd`
  static TracedCounter of(SystemCalls calls, String target) throws IOException {
    String reading = "read(" + descriptorOf(target) + ", ";
    Strace tracing = new Strace(System.getenv("PATH"), STRACE_NS_MAX, STRACE_NS_MAX);
    TracedCounter traced = new TracedCounter(calls, tracing, reading);
    try {
      tracing.attach();
    } catch (Strace.UnavailableException e) {
      traced.close();
      throw new TestAbortedException(e.getMessage());
    }
    return traced;
  }

  public SystemCalls counter() {
    return counter;
  }

  /// Ends strace, and tells what it saw from the counter's first reading to its second.
  Map<String, Long> betweenReadings() throws Exception {
    return tracing.counted(reading, reading);
  }

  /// How many calls strace saw between the counter's first reading and its second.
  public long callsBetweenReadings() throws Exception {
    return betweenReadings().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    tracing.close();
    counter.close();
  }

  private static String descriptorOf(String target) throws IOException {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors) {
        if (Files.isSymbolicLink(each)
            && Files.readSymbolicLink(each).toString().endsWith(target)) {
          return each.getFileName().toString();
        }
      }
    }
    throw new AssertionError("no descriptor of " + target);
  }
}
