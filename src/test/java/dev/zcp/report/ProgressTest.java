package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Planned;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ProgressTest {

  private static final long NEVER_MS = 3_600_000;
  private static final String ERASE = "\r\u001b[K";

  private final Page page = new Page();
  private final Screen screen = page.screen();
  private final At now = new At();

  @Test
  void theLineFollowsTheBytesAndGoesBeforeTheEnd() throws InterruptedException {
    Progress progress = new Progress(screen, 0, 1);
    TextReport report = new TextReport(screen, Detail.NORMAL, Form.TABLE, 0);
    Listener all =
        event -> {
          report.on(event);
          progress.on(event);
        };
    now.filesAll = 2;
    now.bytesAll = 1000;
    now.current = "photo.raw";
    all.on(new Event.Started("copy", "auto", 2, 1000, now));
    awaitText("1/2 photo.raw");
    now.bytesMoved = 500;
    awaitText(" 50%     500 B of 1000 B");
    all.on(new Event.Noted("a note"));
    all.on(new Event.FileFailed("photo.raw", Failure.of(ExitCode.SOURCE, "photo.raw", "no more")));
    now.filesEnded = 1;
    awaitText("2/2 photo.raw");
    all.on(new Event.Finished(Recorded.nothing("copy", 2, 0, ExitCode.OK)));

    assertThat(page.text())
        .contains("\r\u001b[Kzcp: a note\n")
        .contains("\r\u001b[Kzcp: photo.raw: no more\n")
        .contains("\r\u001b[Kcopied 2 files");
    assertThat(lastRow()).isEmpty();
  }

  @Test
  void aShortTransferShowsNothing() {
    Progress progress = new Progress(screen, NEVER_MS, 1);
    progress.on(new Event.Started("copy", "auto", 1, 1000, now));
    progress.on(new Event.Finished(Recorded.nothing("copy", 1, 0, ExitCode.OK)));
    assertThat(page.text()).isEmpty();
  }

  @Test
  void afterTheEndNothingIsDrawnUntilTheNextTransfer() throws InterruptedException {
    Progress progress = new Progress(screen, 0, 1);
    progress.on(new Event.Started("receive", "auto", -1, -1, now));
    awaitText("0 B/s");
    progress.on(new Event.Failed(Failure.of(ExitCode.NETWORK, "peer", "left")));
    String before = page.text();
    now.bytesMoved = 123;
    progress.on(new Event.Finished(Recorded.nothing("receive", 0, 0, ExitCode.NETWORK)));
    assertThat(page.text()).isEqualTo(before).endsWith("\r\u001b[K");

    progress.on(new Event.Started("receive", "auto", -1, -1, now));
    awaitText("123 B");
    progress.on(new Event.Finished(Recorded.nothing("receive", 0, 0, ExitCode.OK)));
    assertThat(lastRow()).isEmpty();
  }

  @Test
  void howMuchThereIsMayBeKnownLater() throws InterruptedException {
    Progress progress = new Progress(screen, 0, 1);
    now.bytesMoved = 250;
    now.filesEnded = 1234;
    progress.on(new Event.Started("copy", "auto", -1, -1, now));
    awaitText("1,234 files");
    assertThat(page.text()).doesNotContain("%").doesNotContain("left");
    now.filesAll = 10_000;
    now.bytesAll = 1000;
    awaitText(" 25%     250 B of 1000 B");
    awaitText("1,235/10,000");
    progress.on(new Event.Finished(Recorded.nothing("copy", 2, 0, ExitCode.OK)));
  }

  @Test
  void theLinesOfADryRunAreItsProgress() throws InterruptedException {
    Progress progress = new Progress(screen, 0, 1);
    progress.on(new Event.Started("copy", "auto", -1, -1, now));
    awaitText("0 B/s");
    progress.on(new Event.PlanLine(Planned.COPY, "a", "b", 1));
    String before = page.text();
    assertThat(lastRow()).isEmpty();
    progress.on(new Event.PlanLine(Planned.COPY, "c", "d", 1));
    progress.on(new Event.Finished(Recorded.nothing("copy", 0, 0, ExitCode.OK)));
    assertThat(page.text()).isEqualTo(before);
  }

  @Test
  void aTerminalThatGetsNarrowerGetsAShorterLine() throws InterruptedException {
    AtomicInteger columns = new AtomicInteger(80);
    Progress progress = new Progress(page.screen(columns::get), 0, 1);
    now.bytesMoved = 30_000_000;
    now.bytesAll = 60_000_000;
    now.current = "a-name-that-is-as-long-as-the-terminal-is-wide";
    progress.on(new Event.Started("copy", "auto", 1, 60_000_000, now));
    awaitText("28.6 MiB of 57.2 MiB");
    columns.set(40);
    int before = page.text().length();
    now.bytesMoved = 31_000_000;
    awaitText("29.6 MiB");
    progress.on(new Event.Finished(Recorded.nothing("copy", 1, 0, ExitCode.OK)));
    assertThat(page.text().substring(before).split("\r\u001b\\[K"))
        .as("the last column stays free, since a line that is full may wrap")
        .filteredOn(line -> line.contains("29.6"))
        .isNotEmpty()
        .allMatch(line -> line.length() < 40);
  }

  @Test
  void ofSingleFilesItAsksAndIsNotTold() {
    assertThat(new Progress(screen).hearsEachFile()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "null, 80",
        "'', 80",
        "0, 80",
        "-5, 80",
        "wide, 80",
        "1, 20",
        "20, 20",
        "21, 21",
        "132, 132",
        "501, 500",
        "99999999999, 80",
      })
  void theWidthIsThatOfTheEnvironmentWhereItMakesSense(String environment, int columns) {
    assertThat(Progress.columns(environment)).isEqualTo(columns);
  }

  /// What a terminal shows on its last row, as far as these control sequences go.
  private String lastRow() {
    String text = page.text();
    String row = text.substring(text.lastIndexOf('\n') + 1);
    int erased = row.lastIndexOf(ERASE);
    return erased < 0 ? row : row.substring(erased + ERASE.length());
  }

  private void awaitText(String part) throws InterruptedException {
    while (!page.text().contains(part)) {
      Thread.sleep(1);
    }
  }
}
