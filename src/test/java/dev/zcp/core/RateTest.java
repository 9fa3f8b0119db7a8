package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateTest {

  @Test
  void aRateIsBytesInOneSecond() {
    assertThat(new Rate(1L << 30, 500_000_000)).hasToString("2.00 GiB/s");
    assertThat(new Rate(1, 1_000_000_000)).hasToString("1 B/s");
  }

  @Test
  void whereNoTimeWentByThereIsNoRate() {
    assertThat(new Rate(1, 0).bytesPerSecond()).isZero();
    assertThat(new Rate(1, 1).bytesPerSecond()).isEqualTo(1e9);
  }
}
