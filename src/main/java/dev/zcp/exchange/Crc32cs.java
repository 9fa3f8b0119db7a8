package dev.zcp.exchange;

import dev.zcp.wire.Digest;

/// CRC32Cs as numbers.
final class Crc32cs {

  private Crc32cs() {}

  /// The 32 bits of a digest; 0 if nobody asked for one.
  static int of(Digest digest) {
    byte[] value = digest.value().bytes();
    int crc = 0;
    for (int i = value.length - 1; i >= 0; i--) {
      crc = crc << 8 | value[i] & 0xff;
    }
    return crc;
  }
}
