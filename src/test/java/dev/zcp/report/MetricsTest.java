package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Event;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {

  @TempDir private Path folder;

  @Test
  void aRunIsToldByGaugesAndAHistogramOfEachStage() {
    Event.Finished finished = (Event.Finished) Recorded.copyWithAFailure().getLast();
    List<String> lines =
        new String(Metrics.of(finished.result(), 1_700_000_000_500L), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(lines)
        .contains(
            "# TYPE zcp_exit_code gauge",
            "zcp_exit_code{command=\"copy\"} 1",
            "zcp_end_time_seconds{command=\"copy\"} 1.7000000005E9",
            "zcp_duration_seconds{command=\"copy\"} 0.412",
            "zcp_files{command=\"copy\"} 2",
            "zcp_files_failed{command=\"copy\"} 1",
            "zcp_bytes{command=\"copy\"} 1283457024",
            "# TYPE zcp_operation_duration_seconds histogram",
            "zcp_operation_duration_seconds_bucket{command=\"copy\",stage=\"publish\",le=\"1.0E-5\"}"
                + " 0",
            "zcp_operation_duration_seconds_bucket{command=\"copy\",stage=\"publish\",le=\"2.5E-5\"}"
                + " 2",
            "zcp_operation_duration_seconds_bucket{command=\"copy\",stage=\"file\",le=\"0.1\"} 1",
            "zcp_operation_duration_seconds_bucket{command=\"copy\",stage=\"file\",le=\"+Inf\"} 2",
            "zcp_operation_duration_seconds_count{command=\"copy\",stage=\"copy\"} 204");
    assertThat(lines.getLast()).isEqualTo("# EOF");
  }

  @Test
  void prometheusOwnToolFindsNoFault() throws Exception {
    Programs.assume("promtool");
    Path metrics = metricsOfACopy();
    Process tool =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(metrics.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
    assertThat(tool.waitFor()).isZero();
  }

  @Test
  void metricsThatCannotBeWrittenAreToldAndTheCopyStands() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[10]);
    Path target = folder.resolve("target");
    Path missing = folder.resolve("missing/run.prom");
    Cli.Result result =
        Cli.run("copy", "-q", "--metrics=" + missing, source.toString(), target.toString());
    assertThat(result.err())
        .isEqualTo(
            "zcp: "
                + missing
                + ": the metrics cannot be written: no such directory"
                + " (the transfer is complete)\n");
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(target).hasBinaryContent(new byte[10]);
  }

  @Test
  void filesOfAReportThatCannotBeWrittenAreToldIfTheCopyFailedToo() {
    Path none = folder.resolve("none");
    String missing = folder.resolve("missing") + "/";
    Cli.Result result =
        Cli.run(
            "copy",
            "-q",
            "--report-file=" + missing + "page.html",
            "--histogram=" + missing + "run.hlog",
            "--metrics=" + missing + "run.prom",
            none.toString(),
            folder.resolve("target").toString());
    assertThat(result.err().lines())
        .containsExactly(
            "zcp: " + none + ": no such file or directory",
            "zcp: " + missing + "page.html: the page cannot be written: no such directory",
            "zcp: " + missing + "run.hlog: the histograms cannot be written: no such directory",
            "zcp: " + missing + "run.prom: the metrics cannot be written: no such directory");
    assertThat(result.exitCode()).isEqualTo(3);
  }

  private Path metricsOfACopy() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[100_000]);
    Path metrics = folder.resolve("run.prom");
    Path target = folder.resolve("target");
    Cli.Result result =
        Cli.run("copy", "-q", "--metrics=" + metrics, source.toString(), target.toString());
    assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
    return metrics;
  }
}
