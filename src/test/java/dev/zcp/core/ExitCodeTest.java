package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExitCodeTest {

  @ParameterizedTest
  @CsvSource({
    "OK,             0",
    "SOME_FAILED,    1",
    "USAGE,          2",
    "SOURCE,         3",
    "DESTINATION,    4",
    "NETWORK,        5",
    "AUTHENTICATION, 6",
    "INTEGRITY,      7",
    "PROTOCOL,       8",
    "EXISTS,         9",
    "STRATEGY,       10",
    "VANISHED,       11",
    "INTERNAL,       70",
  })
  void theNumbersAreAPromise(ExitCode code, int number) {
    assertThat(code.number()).isEqualTo(number);
    assertThat(ExitCode.ofNumber(number))
        .isEqualTo(code == ExitCode.INTERNAL ? ExitCode.PROTOCOL : code);
  }

  @Test
  void thereAreThirteen() {
    // A new one comes with a row above and a line in every manual page.
    assertThat(ExitCode.values()).hasSize(13);
  }

  @Test
  void aNumberThatIsNoneIsABreachOfTheProtocol() {
    for (int number : new int[] {-1, 12, 69, 71, 255, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThat(ExitCode.ofNumber(number)).isEqualTo(ExitCode.PROTOCOL);
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachHasASentenceThatFitsALine(ExitCode code) {
    assertThat(code.sentence()).isNotBlank().hasSizeLessThan(72).doesNotEndWith(".");
    assertThat(code.retry().isEmpty()).isEqualTo(code == ExitCode.OK);
  }
}
