package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElapsedTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "999, 999 ns",
    "1000, 1.00 µs",
    "1005, 1.01 µs",
    "9994, 9.99 µs",
    "9995, 10.0 µs",
    "99949, 99.9 µs",
    "99950, 100 µs",
    "999499, 999 µs",
    "999500, 1.00 ms",
    "4560000, 4.56 ms",
    "999499999, 999 ms",
    "999500000, 1.00 s",
    "78900000000, 78.9 s",
    "3600000000000, 3600 s",
  })
  void threeFiguresAreShownOnBothSidesOfEachBoundary(long elapsedNs, String text) {
    assertThat(new Elapsed(elapsedNs)).hasToString(text);
  }

  @Test
  void theLongestTimeOfALongIsShown() {
    assertThat(new Elapsed(Long.MAX_VALUE)).hasToString("9223372037 s");
  }
}
