package dev.zcp.core;

/// How many bytes went by in how many nanoseconds.
public record Rate(long bytes, long elapsedNs) {

  /// Bytes in one second; 0 if no time went by, since nothing can be said then.
  public double bytesPerSecond() {
    return elapsedNs <= 0 ? 0 : bytes * 1e9 / elapsedNs;
  }

  /// As a person reads it: `1.23 GiB/s`.
  @Override
  public String toString() {
    return new ByteSize(Math.round(bytesPerSecond())) + "/s";
  }
}
