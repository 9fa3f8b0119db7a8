package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A counter of the calling thread, and the real strace that looks at the same thread.
///
/// Both look at the very same run, since no two runs of a JVM need make the same calls; and strace
/// from one read(2) of the counter to the next, since the JVM may wake its compiler between a
/// reading and a mark.
public final class TracedCounter implements AutoCloseable {

  private static final long STRACE_NS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final UsageCounter counter;
  private final Strace.Tracing tracing;
  private final String reading;

  private TracedCounter(UsageCounter counter, Strace.Tracing tracing, String reading) {
    this.counter = counter;
    this.tracing = tracing;
    this.reading = reading;
  }

  /// With the tracepoint as the counter. Skips the test where there is no tracepoint or no strace.
  public static TracedCounter ofTracepoint() throws IOException {
    SystemCalls calls = SystemCalls.Tracepoint.open(SystemCalls.Tracepoint.TRACEFS);
    assumeTrue(calls.kind() == CallCount.Kind.TRACEPOINT, calls.note());
    return of(calls, "anon_inode:[perf_event]");
  }

  /// @param target how the counter's descriptor ends in `/proc/self/fd`
  static TracedCounter of(SystemCalls calls, String target) throws IOException {
    Path strace = Strace.find(System.getenv("PATH"));
    assumeTrue(strace != null, "strace is not installed");
    UsageCounter counter = UsageCounter.open(calls);
    String reading = "read(" + descriptorOf(target) + ", ";
    Strace.Tracing tracing = new Strace.Tracing(strace, STRACE_NS_MAX);
    TracedCounter traced = new TracedCounter(counter, tracing, reading);
    String refusal = tracing.attach(STRACE_NS_MAX);
    if (!refusal.isEmpty()) {
      traced.close();
    }
    assumeTrue(refusal.isEmpty(), refusal);
    return traced;
  }

  public UsageCounter counter() {
    return counter;
  }

  /// Ends strace, and tells what it saw from the counter's first reading to its second. Of the
  /// second it saw what stands before its read(2), and so do counts by name.
  Strace.Counted betweenReadings() {
    Strace.Count traced = tracing.counted(reading, reading);
    assertThat(traced).isInstanceOf(Strace.Counted.class);
    return (Strace.Counted) traced;
  }

  /// How many calls strace saw between the counter's first reading and its second: those of neither
  /// are among them.
  public long callsBetweenReadings() {
    Strace.Counted traced = betweenReadings();
    assertThat(traced.calls()).containsKeys("clock_gettime", "getrusage");
    return traced.total() - 2;
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
