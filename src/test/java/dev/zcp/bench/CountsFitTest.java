package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.Span;
import dev.zcp.engine.Strategies;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the counters tell against what the real strace saw of the same work.
class CountsFitTest {

  private static final int CALLS = 64;
  private static final int CHUNK_BYTES = 8192;
  private static final byte[] CONTENT = new byte[CALLS * CHUNK_BYTES];

  @TempDir Path folder;

  @Test
  void theTracepointCountsPositionedReads() throws Exception {
    assertAllCallsFit(Kind.FILE, "pread64", CALLS + 1, CountsFitTest::preads);
  }

  @Test
  void theTracepointCountsWritesOfAFile() throws Exception {
    assertAllCallsFit(Kind.FILE, "write", CALLS, CountsFitTest::writes);
  }

  @Test
  void theTracepointCountsTransferToASocket() throws Exception {
    assertAllCallsFit(Kind.SOCKET, "sendfile", CALLS, CountsFitTest::transfersTo);
  }

  @Test
  void theTracepointCountsSplicing() throws Exception {
    assertAllCallsFit(Kind.SOCKET, "splice", 2, route -> moves("splice", route));
  }

  @Test
  void theTracepointCountsMapping() throws Exception {
    assertAllCallsFit(Kind.FILE, "mmap", 1, route -> moves("mmap", route));
  }

  @Test
  void procCountsReads() throws Exception {
    assertReadsAndWritesFit("pread64", CountsFitTest::preads);
  }

  @Test
  void procCountsWrites() throws Exception {
    assertReadsAndWritesFit("write", CountsFitTest::writes);
  }

  private interface Work {
    void run(TestRoute route) throws Exception;
  }

  /// @param name of a call that the work is known to make, `atLeast` so many times
  private void assertAllCallsFit(Kind to, String name, long atLeast, Work work) throws Exception {
    SystemCalls calls = SystemCalls.ofTracepoint(SystemCalls.TRACEFS);
    SystemCallsTest.assume(CallCount.CountedBy.TRACEPOINT, calls);
    Seen seen = seen(calls, "anon_inode:[perf_event]", to, work);
    Map<String, Long> traced = seen.traced();
    assertThat(traced.get(name)).isGreaterThanOrEqualTo(atLeast);
    assertThat(seen.counted())
        .as("%s", traced)
        .isEqualTo(traced.values().stream().mapToLong(Long::longValue).sum());
  }

  private void assertReadsAndWritesFit(String name, Work work) throws Exception {
    SystemCalls calls = SystemCalls.ofReadsAndWrites("");
    SystemCallsTest.assume(CallCount.CountedBy.READS_AND_WRITES, calls);
    Seen seen = seen(calls, "/io", Kind.FILE, work);
    Map<String, Long> traced = seen.traced();
    long readsAndWrites =
        Stream.of("read", "pread64", "write", "pwrite64", "readv", "writev")
            .mapToLong(each -> traced.getOrDefault(each, 0L))
            .sum();
    assertThat(traced.get(name)).isGreaterThanOrEqualTo(CALLS);
    assertThat(seen.counted()).as("%s", traced).isEqualTo(readsAndWrites);
  }

  private record Seen(long counted, Map<String, Long> traced) {}

  /// @param target how the counter's descriptor ends in `/proc/self/fd`
  private Seen seen(SystemCalls calls, String target, Kind to, Work work) throws Exception {
    try (TracedCounter traced = TracedCounter.of(calls, target);
        TestRoute route = TestRoute.open(Kind.FILE, to, CONTENT, folder)) {
      long counted = traced.counter().count(() -> work.run(route)).calls();
      return new Seen(counted, traced.betweenReadings());
    }
  }

  private static void preads(TestRoute route) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
    for (long offset = 0; route.source().read(buffer.clear(), offset) > 0; ) {
      offset += buffer.position();
    }
  }

  private static void writes(TestRoute route) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES);
    WritableByteChannel channel = route.sink().channel();
    for (int i = 0; i < CALLS; i++) {
      channel.write(buffer.clear());
    }
  }

  private static void transfersTo(TestRoute route) throws IOException {
    FileChannel source = (FileChannel) route.source().channel();
    for (long offset = 0; offset < CONTENT.length; ) {
      offset += source.transferTo(offset, CHUNK_BYTES, route.sink().channel());
    }
  }

  private static void moves(String strategy, TestRoute route) throws Exception {
    Source source = route.source();
    Sink sink = route.sink();
    try (Mover mover = Strategies.load(List.of()).named(strategy).open(source, sink)) {
      Span rest = new Span(0, CONTENT.length);
      while (!rest.isEmpty() && mover.move(rest.first(CHUNK_BYTES)) instanceof Step.Moved moved) {
        rest = rest.skip(moved.bytes());
      }
      assertThat(rest.isEmpty()).isTrue();
    }
  }
}
