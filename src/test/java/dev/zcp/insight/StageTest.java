package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageTest {

  @Test
  void whatWaitsForTheOtherEndIsToldApartFromDisks() {
    assertThat(Stage.READ.label(WorkSide.RECEIVER)).isEqualTo("net read");
    assertThat(Stage.WRITE.label(WorkSide.SENDER)).isEqualTo("net write");
    assertThat(Stage.READ.label(WorkSide.SENDER)).isEqualTo("read");
    assertThat(Stage.WRITE.label(WorkSide.RECEIVER)).isEqualTo("write");
    assertThat(Stage.READ.label(WorkSide.LOCAL)).isEqualTo("read");
  }
}
