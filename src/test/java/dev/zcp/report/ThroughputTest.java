package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.report.Throughput.Course;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputTest {

  private static final Event END = new Event.Finished(Recorded.nothing("copy", 1, 0, ExitCode.OK));

  private final At at = new At();

  @Test
  void theCourseEndsWithAllThatWasMovedHoweverLongItTook() throws InterruptedException {
    Throughput throughput = new Throughput(1_000);
    throughput.on(new Event.Started("copy", "auto", 1, -1, at));
    at.bytesDurable = 0;
    Course course = null;
    // Until it has dropped every second step at least once.
    while (course == null || course.stepNs() == 1_000) {
      at.bytesMoved += 1_000;
      Thread.sleep(1);
      course = throughput.courseOf(null);
    }
    at.bytesDurable = 500;
    at.bytesCarried = 2_000;
    throughput.on(END);
    Course whole = throughput.courseOf(null);
    assertThat(whole.bytes()).hasSizeLessThanOrEqualTo(240).isSorted();
    assertThat(whole.bytes()[whole.bytes().length - 1]).isEqualTo(at.bytesMoved);
    assertThat(whole.bytesDurable()).hasSameSizeAs(whole.bytes()).isSorted().endsWith(500);
    assertThat(whole.bytesCarried()).hasSameSizeAs(whole.bytes()).endsWith(2_000);
    at.bytesMoved = Long.MAX_VALUE;
    assertThat(throughput.courseOf(null).bytes()).isEqualTo(whole.bytes());
  }

  /// A web visit ends with its last request, and is known to be over after a pause.
  @Test
  void theCourseThatIsToldEndsWithTheRunThoughItsEndWasFoundLater() throws Exception {
    at.bytesMoved = 7;
    for (long stepNs : List.of(1_000_000L, 2_000_000L)) {
      Throughput throughput = new Throughput(stepNs);
      Page page = new Page();
      throughput.on(new Event.Started("copy", "auto", 1, -1, at));
      Thread.sleep(12);
      throughput.on(END);
      assertThat(throughput.courseOf(null).bytes()).hasSizeGreaterThan(2);
      new JsonReport(page.out(), throughput, null).on(END);
      Course told = SavedSample.runs(page.text()).getFirst().course();
      // The run took 1.2 ms.
      if (stepNs == 1_000_000) {
        assertThat(told.bytes()).hasSize(2).endsWith(7);
      } else {
        assertThat(told).isNull();
      }
    }
  }

  @Test
  void eachSessionHasItsOwnAndOneThatIsOverTooSoonHasNone() {
    Throughput throughput = new Throughput(3_600_000_000_000L);
    SessionName one = new SessionName(1, "h:1");
    SessionName other = new SessionName(2, "h:2");
    throughput.on(new Event.Started("send", "auto", 1, -1, at), one);
    throughput.on(END, one);
    assertThat(throughput.courseOf(one)).isNull();
    assertThat(throughput.courseOf(other)).isNull();
    throughput.on(END, other);
    throughput.forget(one);
    assertThat(throughput.courseOf(one)).isNull();
  }
}
