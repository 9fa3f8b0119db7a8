package dev.zcp.core;

/// A duration as a person reads it, three significant figures: `870 ns`, `12.3 µs`, `4.56 ms`,
/// `78.9 s`.
public record Elapsed(long elapsedNs) {

  @Override
  public String toString() {
    if (elapsedNs < 1_000) {
      return elapsedNs + " ns";
    }
    if (elapsedNs < 999_500) {
      return ByteSize.figures(elapsedNs, 1_000) + " µs";
    }
    if (elapsedNs < 999_500_000) {
      return ByteSize.figures(elapsedNs, 1_000_000) + " ms";
    }
    return ByteSize.figures(elapsedNs, 1_000_000_000) + " s";
  }
}
