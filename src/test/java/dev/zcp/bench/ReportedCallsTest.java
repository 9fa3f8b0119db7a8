package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.engine.Strategies;
import dev.zcp.testing.SampleBench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The system calls that a report gives for a cell are those that strace(1) saw of it.
@Timeout(120)
class ReportedCallsTest {

  private static final int CHUNK_BYTES = 4096;
  private static final int CHUNKS = 75;
  private static final long BYTES = CHUNKS * (long) CHUNK_BYTES;

  private static final Pattern REPORTED =
      Pattern.compile("\"strategy\":\"([^\"]*)\".*?\"systemCalls\":([0-9]+)");

  @TempDir Path dir;

  @Test
  void theSystemCallsReportedOfFiveCellsAreThoseThatStraceSaw() throws Exception {
    TracedCounter.ofTracepoint().close();
    TracedHost host = new TracedHost();
    List<CellSeen> reported = new ArrayList<>();
    List<CellSeen> traced = new ArrayList<>();
    for (Cell cell :
        List.of(
            SampleBench.cell(Experiment.READ, "direct", CHUNK_BYTES, BYTES),
            SampleBench.cell(Experiment.WRITE, "fileStream", CHUNK_BYTES, BYTES),
            SampleBench.cell(Experiment.COPY, "copyFileRange", CHUNK_BYTES, BYTES),
            SampleBench.cell(Experiment.SEND, "transferTo", CHUNK_BYTES, BYTES),
            SampleBench.cell(Experiment.RECEIVE, "splice", CHUNK_BYTES, BYTES))) {
      BenchResult result =
          Bench.run(
              Requests.of(dir, cell),
              new Bench.Contenders(Strategies.load(List.of()), List.of()),
              new RecordingListener(),
              host);
      assertThat(result.groups().getFirst().cells().getFirst())
          .isInstanceOf(CellResult.Measurement.class);
      reported.addAll(reported(result));
      traced.add(new CellSeen(cell.contender(), host.tracedCalls));
    }
    assertThat(reported).hasSize(5).isEqualTo(traced);
    assertThat(reported).allSatisfy(each -> assertThat(each.calls()).isGreaterThan(CHUNKS - 1));
  }

  private record CellSeen(String contender, long calls) {}

  private static List<CellSeen> reported(BenchResult result) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BenchJson.write(result, out);
    return REPORTED
        .matcher(out.toString(StandardCharsets.UTF_8))
        .results()
        .map((MatchResult cell) -> new CellSeen(cell.group(1), Long.parseLong(cell.group(2))))
        .toList();
  }

  /// Counts as this host does, while strace looks on.
  private static final class TracedHost extends Host {

    private volatile long tracedCalls;

    TracedHost() {
      super(false);
    }

    @Override
    CallCount countCalls(BenchThread.TimedWork work) throws Exception {
      try (TracedCounter traced = TracedCounter.ofTracepoint()) {
        CallCount counted = traced.counter().count(work);
        tracedCalls = traced.callsBetweenReadings();
        return counted;
      }
    }
  }
}
