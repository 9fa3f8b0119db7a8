package dev.zcp.core;

/// One unit for all figures of a column, so that they can be compared by looking down it.
///
/// @param unit `ms`
/// @param size how much of what is measured makes one of it
/// @param decimals how many; [#OWN] gives each figure as many as its first three digits need
public record Scale(String unit, double size, int decimals) {

  private static final int OWN = -1;

  /// If the largest figure is more than this times the smallest, their points are not aligned: the
  /// column would be all zeros.
  private static final double ALIGNED_MAX = 10;

  /// For times that are all between these two; the unit suits the middle of them.
  public static Scale ofTimes(double lowestNs, double highestNs) {
    double middleNs = Math.sqrt(lowestNs * highestNs);
    if (middleNs < 1e6) {
      return of("µs", 1e3, lowestNs, highestNs);
    }
    return middleNs < 1e10 ? of("ms", 1e6, lowestNs, highestNs) : of("s", 1e9, lowestNs, highestNs);
  }

  /// For bytes in a second that are all between these two; the unit suits the highest.
  public static Scale ofRates(double lowest, double highest) {
    if (highest >= 1 << 30) {
      return of("GiB/s", 1 << 30, lowest, highest);
    }
    return highest >= 1 << 20
        ? of("MiB/s", 1 << 20, lowest, highest)
        : of("KiB/s", 1 << 10, lowest, highest);
  }

  private static Scale of(String unit, double size, double lowest, double highest) {
    boolean aligned = highest <= lowest * ALIGNED_MAX;
    return new Scale(unit, size, aligned ? decimalsFor(lowest / size) : OWN);
  }

  /// Without the unit; `-` for what is no number.
  public String text(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    double scaled = value / size;
    return fixed(scaled, decimals == OWN ? decimalsFor(scaled) : decimals);
  }

  public String unit(boolean unicode) {
    return unicode ? unit : unit.replace('µ', 'u');
  }

  /// Three significant figures, and all digits of whole numbers beyond.
  public static String threeFigures(double value) {
    return Double.isFinite(value) ? fixed(value, decimalsFor(value)) : "-";
  }

  /// A count, which need not be whole since it may lie between two runs: `12`, `0.5`, `14.5k`,
  /// `1.20M`.
  public static String count(double count) {
    if (!Double.isFinite(count)) {
      return "-";
    }
    if (count < 10_000) {
      return count == Math.rint(count) ? fixed(count, 0) : fixed(count, 1);
    }
    if (count < 999_500) {
      return threeFigures(count / 1e3) + "k";
    }
    return count < 999.5e6 ? threeFigures(count / 1e6) + "M" : threeFigures(count / 1e9) + "G";
  }

  /// A count for each of something, which is hardly ever whole: `0.031`, `5.28`, `1024`, `56.0M`.
  public static String average(double count) {
    return count < 10_000 ? threeFigures(count) : count(count);
  }

  /// In hundredths: `2%`, `0.4%`.
  public static String percent(double part) {
    return Double.isFinite(part) ? fixed(part * 100, part < 0.01 ? 1 : 0) + "%" : "-";
  }

  /// For programs, to six decimals: `0.000012`, never `1.2E-5`, which not every script reads.
  ///
  /// @throws NumberFormatException if it is not finite
  public static String plain(double value) {
    if (!Double.isFinite(value)) {
      throw new NumberFormatException("not finite: " + value);
    }
    String text = decimal(value, 6);
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    String plain = text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    return plain.equals("-0") ? "0" : plain;
  }

  private static int decimalsFor(double scaled) {
    // Rounding must not make a fourth digit of 9.996.
    if (scaled < 9.995) {
      return scaled < 0.0995 ? 3 : 2;
    }
    return scaled < 99.95 ? 1 : 0;
  }

  private static String fixed(double value, int decimals) {
    return value == 0 ? "0" : decimal(value, decimals);
  }

  /// A finite number with so many decimals. By hand: the first format string of a process takes 10
  /// ms, and the first BigDecimal 17.
  public static String decimal(double value, int decimals) {
    long unit = 1;
    for (int i = 0; i < decimals; i++) {
      unit *= 10;
    }
    double size = Math.abs(value);
    // Above this, a double has no decimals to speak of.
    boolean isHuge = size * unit >= Long.MAX_VALUE;
    long all = isHuge ? 0 : Math.round(size * unit);
    long whole = isHuge ? (long) size : all / unit;
    long parts = all % unit;
    String text = (value < 0 ? "-" : "") + whole;
    if (decimals == 0) {
      return text;
    }
    String fraction = Long.toString(parts);
    return text + "." + "0".repeat(decimals - fraction.length()) + fraction;
  }
}
