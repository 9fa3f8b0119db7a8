package dev.zcp.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RateLimitTest {

  private static final long SECOND_NS = 1_000_000_000L;

  @Test
  void whatIsTakenLetsTheNextOneWaitAsLongAsTheRateSays() {
    RateLimit limit = new RateLimit(1000);
    long nowNs = System.nanoTime();
    limit.take(5000, nowNs);

    long untilNs = limit.take(1000, nowNs);

    long bursts = SECOND_NS / 10;
    assertTrue(untilNs - nowNs <= 6 * SECOND_NS, "no longer than six seconds at the rate");
    assertTrue(untilNs - nowNs >= 6 * SECOND_NS - bursts, "less what a burst may have");
  }

  @Test
  void aPauseIsMadeUpForByNoMoreThanABurst() {
    RateLimit limit = new RateLimit(1000);
    long laterNs = System.nanoTime() + 3600 * SECOND_NS;

    assertEquals(laterNs + 900_000_000L, limit.take(1000, laterNs));
  }

  @Test
  void withoutALimitNothingWaitsAndAPieceIsAsLongAsItLikes() {
    RateLimit limit = new RateLimit(0);

    limit.spend(Long.MAX_VALUE, (_, _) -> {});

    assertEquals(Long.MAX_VALUE, limit.pieceBytesMax());
  }

  @Test
  void aSlowRateIsKeptInSmallPieces() {
    assertEquals(1024, new RateLimit(1).pieceBytesMax());
    assertEquals(50_000, new RateLimit(1_000_000).pieceBytesMax());
  }

  @Test
  void theIntervalIsWhatATakingLastsOnAverage() {
    RateLimit limit = new RateLimit(1000);
    assertEquals(0, limit.intervalNs());
    limit.take(100, System.nanoTime());
    limit.take(300, System.nanoTime());
    assertEquals(SECOND_NS / 5, limit.intervalNs());
  }
}
