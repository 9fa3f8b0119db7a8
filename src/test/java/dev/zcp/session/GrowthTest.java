package dev.zcp.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GrowthTest {

  private static final int MAX = 4;
  private static final long PLENTY = Long.MAX_VALUE;

  private Growth growth = new Growth(false, 0);
  private long bytes;
  private long nowNs;

  private boolean wants(int open, long more, long left) {
    return wants(open, more, left, 1);
  }

  private boolean wants(int open, long more, long left, double idleShare) {
    bytes += more;
    nowNs += Growth.LOOK_NS;
    return growth.wantsOneMore(open, MAX, bytes, left, idleShare, nowNs);
  }

  @Test
  void aSecondConnectionIsTriedOnceTheFirstHasBroughtSomething() {
    assertFalse(wants(1, 0, PLENTY));
    assertTrue(wants(1, 1000, PLENTY));
  }

  @Test
  void anotherIsTriedAsLongAsTheLastOnePaid() {
    assertTrue(wants(1, 1000, PLENTY));
    assertTrue(wants(2, 1100, PLENTY));
    assertFalse(wants(3, 1200, PLENTY), "9 % more do not pay");
    assertFalse(wants(3, 9000, PLENTY), "it has stopped for good");
  }

  @Test
  void thereAreNoMoreThanTheMost() {
    assertTrue(wants(1, 1000, PLENTY));
    assertTrue(wants(2, 2000, PLENTY));
    assertTrue(wants(3, 4000, PLENTY));
    assertFalse(wants(4, 8000, PLENTY));
  }

  @Test
  void whatIsDoneWithinASecondNeedsNoOther() {
    assertFalse(wants(1, 1000, 1999));
    assertTrue(wants(1, 1000, 2000));
  }

  @Test
  void noneIsTriedWhileTheProcessorsAreBusy() {
    assertFalse(wants(1, 1000, PLENTY, 0.2));
    assertTrue(wants(1, 1000, PLENTY, 0.5));
  }

  /// The threads of both ends need a processor each.
  @Test
  void betweenTwoEndsOnOneMachineAnotherNeedsTwiceAsMuch() {
    growth = new Growth(true, 0);
    assertFalse(wants(1, 1000, PLENTY, 0.4));
    assertTrue(wants(1, 1000, PLENTY, 0.6));
  }
}
