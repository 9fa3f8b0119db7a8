package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Planned;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputLinesTest {

  @Test
  void theUrlStandsAloneOnItsLineAndIsFlushed() {
    Page page = new Page();
    OutputLines line = new OutputLines(page.out(), false);
    line.on(new Event.Noted("something else"));
    line.on(new Event.Listening("zcp+plain://KEY@127.0.0.1:5230", "", List.of("h"), true));
    assertThat(page.text()).isEqualTo("zcp+plain://KEY@127.0.0.1:5230\n");
  }

  @Test
  void aDryRunIsOneLineForEachEntryAndGoesOutBeforeTheSummary() {
    Page page = new Page();
    OutputLines lines = new OutputLines(page.out(), false);
    lines.on(new Event.PlanLine(Planned.COPY, "a/f", "b/f", 12));
    lines.on(new Event.PlanLine(Planned.MAKE_DIRECTORY, "a/d\\n", "b/d\\n", -1));
    lines.on(new Event.PlanLine(Planned.DELETE, "b/e", "b/e", -1));
    lines.on(new Event.Finished(Recorded.nothing("copy", 0, 0, ExitCode.OK)));
    assertThat(page.text())
        .isEqualTo("copy a/f -> b/f\nmake directory a/d\\n -> b/d\\n\ndelete b/e\n");
  }

  @Test
  void whatIsCopiedIsNamedAtOnceIfThatIsWanted() {
    Page page = new Page();
    new OutputLines(page.out(), false).on(new Event.Placed("a", "b"));
    assertThat(page.text()).isEmpty();
    new OutputLines(page.out(), true).on(new Event.Placed("a", "b"));
    assertThat(page.text()).isEqualTo("'a' -> 'b'\n");
  }

  @Test
  void aLongDryRunGoesOutByTheBlock() {
    Page page = new Page();
    OutputLines lines = new OutputLines(page.out(), false);
    String name = "n".repeat(100);
    for (int i = 0; i < 1010; i++) {
      lines.on(new Event.PlanLine(Planned.COPY, name, name, 12));
    }
    long early = page.text().lines().count();
    assertThat(early).isBetween(900L, 1009L);
    lines.on(new Event.Finished(Recorded.nothing("copy", 0, 0, ExitCode.OK)));
    assertThat(page.text().lines()).hasSize(1010).containsOnly("copy " + name + " -> " + name);
  }
}
