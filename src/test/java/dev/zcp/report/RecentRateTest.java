package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Rate;
import dev.zcp.report.Progress.RecentRate;
import org.junit.jupiter.api.Test;

class RecentRateTest {

  private final RecentRate pace = new RecentRate();

  @Test
  void aSingleTickHasNoRate() {
    pace.tick(5, 100);
    assertThat(pace.recent().bytesPerSecond()).isZero();
  }

  @Test
  void theFirstTicksCountAsLongAsThereIsRoomAndNoLonger() {
    for (int tick = 0; tick < 30; tick++) {
      pace.tick(tick, 10 * tick);
    }
    assertThat(pace.recent()).isEqualTo(new Rate(290, 29));
    pace.tick(30, 300);
    assertThat(pace.recent()).isEqualTo(new Rate(290, 29));
    pace.tick(31, 300);
    assertThat(pace.recent()).isEqualTo(new Rate(280, 29));
  }

  @Test
  void aStallIsSeen() {
    for (int tick = 0; tick < 100; tick++) {
      pace.tick(tick, Math.min(tick, 50));
    }
    assertThat(pace.recent().bytesPerSecond()).isZero();
  }
}
