package dev.zcp.bench.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the counters tell against what the real strace saw of the same work.
class CountsFitTest {

  private static final int CALLS = 64;
  private static final int CHUNK_BYTES = 8192;
  private static final byte[] CONTENT = new byte[CALLS * CHUNK_BYTES];

  /// getrusage(2) and read(2), twice.
  private static final long CALLS_OF_TWO_READINGS = 4;

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
    SystemCalls calls = TracepointCalls.open();
    assumeTrue(calls.kind() == SystemCallCount.TRACEPOINT, calls.note());
    Seen seen = seen(calls, to, work);
    assertThat(seen.traced().calls().get(name)).isGreaterThanOrEqualTo(atLeast);
    assertThat(seen.counted())
        .as("%s", seen.traced().calls())
        .isEqualTo(seen.traced().total() - CALLS_OF_TWO_READINGS);
  }

  private void assertReadsAndWritesFit(String name, Work work) throws Exception {
    SystemCalls calls = ProcCalls.open("");
    assumeTrue(calls.kind() == SystemCallCount.READS_AND_WRITES, calls.note());
    Seen seen = seen(calls, Kind.FILE, work);
    Map<String, Long> traced = seen.traced().calls();
    long ofReadings = name.equals("read") ? 2 : 0;
    assertThat(seen.counted()).as("%s", traced).isEqualTo(traced.get(name) - ofReadings);
  }

  private record Seen(long counted, StraceCount.Counted traced) {}

  /// Both look at the very same run, since no two runs of a JVM need make the same calls; a run
  /// before that loads what there is to load, so that nothing comes between a mark and a reading.
  private Seen seen(SystemCalls calls, Kind to, Work work) throws Exception {
    try (UsageCounter counter = UsageCounters.open(calls)) {
      Strace.ofPath().count(() -> counted(counter, to, work));
      try (TestRoute route = TestRoute.open(Kind.FILE, to, CONTENT, folder)) {
        long[] counted = new long[1];
        StraceCount count = Strace.ofPath().count(() -> counted[0] = counted(counter, route, work));
        if (count instanceof StraceCount.Unavailable unavailable) {
          assumeTrue(false, unavailable.reason());
        }
        return new Seen(counted[0], (StraceCount.Counted) count);
      }
    }
  }

  private long counted(UsageCounter counter, Kind to, Work work) throws Exception {
    try (TestRoute route = TestRoute.open(Kind.FILE, to, CONTENT, folder)) {
      return counted(counter, route, work);
    }
  }

  private static long counted(UsageCounter counter, TestRoute route, Work work) throws Exception {
    Usage before = counter.read();
    work.run(route);
    return counter.read().since(before).systemCalls();
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
