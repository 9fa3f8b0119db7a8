package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void everyQuotientIsTheDecimalRoundedHalfUp() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long[] units = {1L << 10, 1L << 20, 1L << 30, 1L << 40, 1L << 50, 1_000, 1_000_000_000};
    for (int i = 0; i < 100_000; i++) {
      long unit = units[random.nextInt(units.length)];
      long value = unit + random.nextLong(unit * 1023);
      assertThat(ByteSize.figures(value, unit))
          .as("%d / %d, seed %d", value, unit, seed)
          .isEqualTo(exactly(value, unit));
    }
  }

  @Test
  void theGreatestUnitDoesNotOverflow() {
    assertThat(ByteSize.figures(1L << 60, 1L << 60)).isEqualTo("1.00");
    assertThat(ByteSize.figures((1L << 60) + (1L << 59), 1L << 60)).isEqualTo("1.50");
    assertThat(ByteSize.figures(Long.MAX_VALUE, 1L << 60)).isEqualTo("8.00");
  }

  private static String exactly(long value, long unit) {
    BigDecimal quotient = new BigDecimal(value).divide(new BigDecimal(unit));
    BigDecimal hundredths = quotient.setScale(2, RoundingMode.HALF_UP);
    if (hundredths.compareTo(BigDecimal.TEN) < 0) {
      return hundredths.toPlainString();
    }
    BigDecimal tenths = quotient.setScale(1, RoundingMode.HALF_UP);
    if (tenths.compareTo(new BigDecimal(100)) < 0) {
      return tenths.toPlainString();
    }
    return quotient.setScale(0, RoundingMode.HALF_UP).toPlainString();
  }
}
