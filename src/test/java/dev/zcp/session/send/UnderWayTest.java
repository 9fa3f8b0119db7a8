package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnderWayTest {

  private final UnderWay underWay = new UnderWay();

  /// It said that 0 B were kept.
  @Test
  void whereNothingHasArrivedNothingIsSaidToBeKept() {
    for (boolean keepsNothing : new boolean[] {false, true}) {
      assertThat(underWay.whatIsKept(keepsNothing))
          .isEqualTo("nothing new had arrived; run the same command again");
    }
  }

  @Test
  void whatHasArrivedIsKeptUnlessTheReceiverKeepsNothing() {
    underWay.acknowledged(1 << 20);
    assertThat(underWay.whatIsKept(false))
        .isEqualTo("1.00 MiB had arrived and are kept; the same command again sends the rest");
    assertThat(underWay.whatIsKept(true))
        .isEqualTo("1.00 MiB had arrived and are not kept; all is to be sent again");
  }
}
