package dev.zcp.core;

/// Writes quotients with three significant figures, rounding half up. By hand and in whole numbers,
/// since the first String.format of a process takes 10 ms, a third of all that `zcp --version`
/// does.
final class Figures {

  private Figures() {}

  /// `value / unit`: `1.23`, `12.3`, `123`, and `1234` if that is not less than a thousand.
  ///
  /// @param value not negative
  /// @param unit from 1 to 2^60
  static String of(long value, long unit) {
    long whole = value / unit;
    if (whole >= 100) {
      return Long.toString(whole + parts(value, unit, 1));
    }
    long hundredths = whole * 100 + parts(value, unit, 100);
    if (hundredths < 1_000) {
      return point(hundredths / 100, hundredths % 100, 2);
    }
    long tenths = whole * 10 + parts(value, unit, 10);
    return tenths < 1_000 ? point(tenths / 10, tenths % 10, 1) : "100";
  }

  /// What is over whole units, in parts of which `parts` make a unit.
  private static long parts(long value, long unit, long parts) {
    long rest = value % unit;
    long divisor = unit;
    // Keeps the product in a long. The digits lost are the tenth and beyond.
    while (divisor > Long.MAX_VALUE / (2 * parts)) {
      rest >>= 1;
      divisor >>= 1;
    }
    return (rest * parts + divisor / 2) / divisor;
  }

  private static String point(long whole, long fraction, int places) {
    String digits = Long.toString(fraction);
    return whole + (places > digits.length() ? ".0" : ".") + digits;
  }
}
