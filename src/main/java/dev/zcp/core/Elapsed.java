package dev.zcp.core;

/// A duration as a person reads it, three significant figures: `870 ns`, `12.3 µs`, `4.56 ms`,
/// `78.9 s`.
public record Elapsed(long elapsedNs) {

  /// Two significant figures, for those who compare: `870 ns`, `12 µs`, `4.6 ms`, `79 s`.
  public String brief() {
    if (elapsedNs < 995) {
      return (elapsedNs < 100 ? elapsedNs : (elapsedNs + 5) / 10 * 10) + " ns";
    }
    if (elapsedNs < 995_000) {
      return brief(1_000) + " µs";
    }
    return elapsedNs < 995_000_000 ? brief(1_000_000) + " ms" : brief(1_000_000_000) + " s";
  }

  private String brief(long unit) {
    // A longer time than this would overflow, and is none.
    long ns = Math.min(elapsedNs, Long.MAX_VALUE / 2);
    long tenths = (ns + unit / 20) / (unit / 10);
    if (tenths < 100) {
      return tenths / 10 + "." + tenths % 10;
    }
    long whole = (ns + unit / 2) / unit;
    return Long.toString(whole < 100 ? whole : (ns / unit + 5) / 10 * 10);
  }

  @Override
  public String toString() {
    if (elapsedNs < 1_000) {
      return elapsedNs + " ns";
    }
    if (elapsedNs < 999_500) {
      return ByteSize.figures(elapsedNs, 1_000) + " µs";
    }
    return elapsedNs < 999_500_000
        ? ByteSize.figures(elapsedNs, 1_000_000) + " ms"
        : ByteSize.figures(elapsedNs, 1_000_000_000) + " s";
  }
}
