package dev.zcp.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final long SECOND_NS = 1_000_000_000L;

  @Test
  void eachAttemptWaitsTwiceAsLongAsTheOneBeforeUpToFiveSeconds() {
    Backoff backoff = new Backoff(9);

    long[] expected = {1, 2, 4, 8, 16, 32, 50, 50, 50};
    for (long tenths : expected) {
      assertEquals(tenths * SECOND_NS / 10, backoff.take());
    }
    assertEquals(-1, backoff.take());
  }

  @Test
  void progressGivesAllAttemptsBack() {
    Backoff backoff = new Backoff(2);
    backoff.look(5);
    backoff.take();
    backoff.take();

    backoff.look(5);
    assertEquals(-1, backoff.take(), "nothing was got done since");

    backoff.look(6);
    assertEquals(SECOND_NS / 10, backoff.take());
  }

  @Test
  void withoutRetriesThereIsNoAttempt() {
    assertEquals(-1, new Backoff(0).take());
  }
}
