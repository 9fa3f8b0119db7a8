package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.insight.Event;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReportsTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void eachEventGoesToAllAndInItsTurn() {
    Reports reports = reports(Detail.NORMAL, true, ProgressWhen.NEVER);
    reports.on(new Event.Noted("a"));
    reports.on(new Event.Noted("b"));
    assertThat(text(err)).isEqualTo("zcp: a\nzcp: b\n");
    assertThat(text(out).lines()).hasSize(2).last().asString().contains("\"message\":\"b\"");
  }

  @Test
  void eachFileIsHeardIfOneOfThemHearsIt() {
    assertThat(reports(Detail.NORMAL, false, ProgressWhen.ALWAYS).hearsEachFile()).isFalse();
    assertThat(reports(Detail.VERBOSE, false, ProgressWhen.NEVER).hearsEachFile()).isTrue();
    assertThat(reports(Detail.NORMAL, true, ProgressWhen.NEVER).hearsEachFile()).isTrue();
  }

  @Test
  void totalsAreWantedIfOneOfThemWantsThem() {
    assertThat(reports(Detail.NORMAL, false, ProgressWhen.NEVER).wantsTotals()).isFalse();
    assertThat(reports(Detail.NORMAL, false, ProgressWhen.ALWAYS).wantsTotals()).isTrue();
  }

  @Test
  @Timeout(60)
  void severalThreadsAreHeardOneAtATime() throws Exception {
    int threads = 8;
    int each = 2_000;
    Reports reports = reports(Detail.NORMAL, true, ProgressWhen.NEVER);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String name = "thread " + i + " " + "x".repeat(100 * i);
      Runnable telling =
          () -> {
            for (int event = 0; event < each; event++) {
              reports.on(new Event.Noted(name));
            }
          };
      all.add(Thread.ofPlatform().start(telling));
    }
    for (Thread thread : all) {
      thread.join();
    }
    List<String> told = text(err).lines().map(line -> line.substring("zcp: ".length())).toList();
    assertThat(told).hasSize(threads * each);
    assertThat(text(out).lines().map(line -> line.replaceAll(".*\"message\":\"|\"}$", "")))
        .isEqualTo(told);
  }

  private Reports reports(Detail detail, boolean json, ProgressWhen progress) {
    Shell shell = new Shell(InputStream.nullInputStream(), out, new PrintStream(err), Map.of());
    int worst = Reports.NOT_SAID;
    return new Reports(
        new ReportRequest(detail, json, Form.TABLE, progress, null, null, worst, null, false),
        shell);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
