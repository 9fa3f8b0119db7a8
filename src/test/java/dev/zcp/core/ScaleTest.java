package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScaleTest {

  @Test
  void timesThatAreNearHaveTheirPointsInOneColumn() {
    Scale scale = Scale.ofTimes(9.5e6, 93.4e6);
    assertThat(scale.unit(true)).isEqualTo("ms");
    assertThat(scale.text(9.5e6)).isEqualTo("9.50");
    assertThat(scale.text(93.4e6)).isEqualTo("93.40");
  }

  @Test
  void timesThatAreFarApartHaveThreeFiguresEach() {
    assertThat(Scale.ofTimes(1e6, 10e6).text(10e6)).isEqualTo("10.00");
    assertThat(Scale.ofTimes(1e6, 11e6).text(11e6)).isEqualTo("11.0");
    assertThat(Scale.ofTimes(1e6, 11e6).text(1e6)).isEqualTo("1.00");
  }

  @Test
  void theMiddleOfTheTimesGivesTheUnit() {
    assertThat(Scale.ofTimes(999_998, 999_999).unit(true)).isEqualTo("µs");
    assertThat(Scale.ofTimes(999_998, 999_999).unit(false)).isEqualTo("us");
    assertThat(Scale.ofTimes(500_000, 2_000_000).unit(true)).isEqualTo("ms");
    assertThat(Scale.ofTimes(9e9, 11e9).unit(true)).isEqualTo("ms");
    assertThat(Scale.ofTimes(1e10, 1e10).unit(true)).isEqualTo("s");
  }

  @Test
  void threeFiguresStayThreeWhereTheyAreRounded() {
    assertThat(Scale.threeFigures(9.994)).isEqualTo("9.99");
    assertThat(Scale.threeFigures(9.996)).isEqualTo("10.0");
    assertThat(Scale.threeFigures(99.96)).isEqualTo("100");
    assertThat(Scale.threeFigures(0.0123)).isEqualTo("0.012");
    assertThat(Scale.threeFigures(0)).isEqualTo("0");
    assertThat(Scale.threeFigures(12_345.6)).isEqualTo("12346");
    assertThat(Scale.threeFigures(Double.NaN)).isEqualTo("-");
    assertThat(Scale.threeFigures(Double.POSITIVE_INFINITY)).isEqualTo("-");
  }

  @Test
  void countsAreShort() {
    assertThat(Scale.count(0)).isEqualTo("0");
    assertThat(Scale.count(2.5)).isEqualTo("2.5");
    assertThat(Scale.count(9_999)).isEqualTo("9999");
    assertThat(Scale.count(10_000)).isEqualTo("10.0k");
    assertThat(Scale.count(999_499)).isEqualTo("999k");
    assertThat(Scale.count(999_500)).isEqualTo("1.00M");
    assertThat(Scale.count(999.4e6)).isEqualTo("999M");
    assertThat(Scale.count(1e9)).isEqualTo("1.00G");
    assertThat(Scale.count(Double.NaN)).isEqualTo("-");
  }

  @Test
  void halvesAreRoundedUp() {
    assertThat(Scale.threeFigures(48.05)).isEqualTo("48.1");
    assertThat(Scale.threeFigures(64.55)).isEqualTo("64.6");
    assertThat(Scale.decimal(130.45, 1)).isEqualTo("130.5");
  }

  @Test
  void numbersForProgramsHaveNoExponent() {
    assertThat(Scale.plain(1e-6)).isEqualTo("0.000001");
    assertThat(Scale.plain(1e15)).isEqualTo("1000000000000000");
    assertThat(Scale.plain(100)).isEqualTo("100");
    assertThat(Scale.plain(-0.0)).isEqualTo("0");
    assertThat(Scale.plain(0.1 + 0.2)).isEqualTo("0.3");
    assertThat(Scale.plain(-2.0000004)).isEqualTo("-2");
    assertThat(Scale.plain(0.0000005)).isEqualTo("0.000001");
    assertThat(Scale.plain(1.9999996)).isEqualTo("2");
    assertThat(Scale.plain(9_007_199_254.5)).isEqualTo("9007199254.5");
    assertThatThrownBy(() -> Scale.plain(Double.NaN)).isInstanceOf(NumberFormatException.class);
  }
}
