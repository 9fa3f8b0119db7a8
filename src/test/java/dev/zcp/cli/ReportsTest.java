package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.core.Uninterruptible;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void eachEventGoesToAllAndInItsTurn() throws Exception {
    Reports reports = reports(Detail.NORMAL, true, ProgressWhen.NEVER);
    reports.on(new Event.Noted("a"));
    reports.on(new Event.Noted("b"));
    reports.requireHeard();
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
    reports.requireHeard();
    List<String> told = text(err).lines().map(line -> line.substring("zcp: ".length())).toList();
    assertThat(told).hasSize(threads * each);
    assertThat(text(out).lines().map(ReportsTest::message)).isEqualTo(told);
  }

  private static String message(String line) {
    return line.substring(line.indexOf("thread "), line.length() - "\"}".length());
  }

  @Test
  @Timeout(60)
  void namesThatNobodyReadsAreCountedAndMessagesAreKept() throws Exception {
    int names = 100_000;
    CountDownLatch reading = new CountDownLatch(1);
    OutputStream unread =
        reader(() -> Uninterruptible.await(() -> reading.getCount() == 0, reading::await));
    Reports reports = reports(Detail.NAMES, false, ProgressWhen.NEVER, unread);
    for (int i = 0; i < names; i++) {
      reports.on(new Event.Placed("x".repeat(100) + i, "target"));
      if (i % 1_000 == 0) {
        reports.on(new Event.FileFailed("" + i, Failure.of(ExitCode.SOURCE, "" + i, "gone")));
      }
    }
    reading.countDown();
    reports.on(new Event.Interrupted("interrupted"));
    long shown = text(out).lines().filter(line -> line.endsWith(" -> 'target'")).count();
    assertThat(shown).isBetween(10_000L, 50_000L);
    String leftOut = Prose.count(names - shown, "name");
    assertThat(text(err).lines())
        .hasSize(101)
        .last()
        .isEqualTo("zcp: " + leftOut + " not shown, since nobody read what was printed");
  }

  @Test
  @Timeout(60)
  void aReaderWhoIsSlowMissesNothing() {
    int names = 1_000;
    OutputStream slow = reader(() -> LockSupport.parkNanos(100_000));
    Reports reports = reports(Detail.NAMES, false, ProgressWhen.NEVER, slow);
    for (int i = 0; i < names; i++) {
      reports.on(new Event.Placed("x".repeat(20_000) + i, "target"));
    }
    reports.on(new Event.Interrupted("interrupted"));
    assertThat(text(out).lines()).hasSize(names);
    assertThat(text(err)).isEmpty();
  }

  @Test
  void metricsTellWhenTheRunEndedAndNotWhenTheyWereWritten(@TempDir Path folder) throws Exception {
    Path metrics = folder.resolve("run.prom");
    Reports reports = reports(Detail.NORMAL, false, ProgressWhen.NEVER, out, RawPath.of(metrics));
    Insight insight = new Insight("copy", "auto", event -> {});
    reports.on(new Event.Finished(insight.finish(), 1_700_000_000_500L));
    reports.requireHeard();
    assertThat(metrics).content().contains("zcp_end_time_seconds{command=\"copy\"} 1.7000000005E9");
  }

  /// A standard output that somebody takes something of after `pause` only.
  private OutputStream reader(Runnable pause) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        pause.run();
        out.write(bytes, offset, length);
      }
    };
  }

  private Reports reports(Detail detail, boolean json, ProgressWhen progress) {
    return reports(detail, json, progress, out);
  }

  private Reports reports(Detail detail, boolean json, ProgressWhen progress, OutputStream out) {
    return reports(detail, json, progress, out, null);
  }

  private Reports reports(
      Detail detail, boolean json, ProgressWhen progress, OutputStream out, RawPath metrics) {
    Shell shell =
        new Shell(InputStream.nullInputStream(), out, new PrintStream(err), Map.of(), null);
    int worst = Reports.NOT_SAID;
    return new Reports(
        new ReportRequest(
            detail, json, Form.TABLE, progress, null, metrics, worst, null, null, false, false),
        shell);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
