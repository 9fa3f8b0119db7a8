package dev.zcp.core;

import java.util.Locale;

/// A duration as a person reads it, three significant figures: `870 ns`, `12.3 µs`, `4.56 ms`,
/// `78.9 s`.
public record Elapsed(long elapsedNs) {

  @Override
  public String toString() {
    if (elapsedNs < 1_000) {
      return elapsedNs + " ns";
    }
    if (elapsedNs < 999_500) {
      return figures(elapsedNs / 1e3) + " µs";
    }
    if (elapsedNs < 999_500_000) {
      return figures(elapsedNs / 1e6) + " ms";
    }
    return figures(elapsedNs / 1e9) + " s";
  }

  private static String figures(double value) {
    String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, value);
  }
}
