package dev.zcp.wire;

/// A digest of a block's bytes, and how it was made.
public record Digest(Algorithm algorithm, Octets value) {

  /// The digests that zcp/1 knows.
  public enum Algorithm {
    /// The Castagnoli CRC (RFC 3720, appendix B.4), least byte first: finds damage, not malice.
    CRC32C(1, 4),
    /// Nobody asked for one.
    NONE(0, 0);

    private static final Algorithm[] ALL = values();

    private final int code;
    private final int bytes;

    Algorithm(int code, int bytes) {
      this.code = code;
      this.bytes = bytes;
    }

    int code() {
      return code;
    }

    int bytes() {
      return bytes;
    }

    static Algorithm ofCode(int code) {
      for (Algorithm algorithm : ALL) {
        if (algorithm.code == code) {
          return algorithm;
        }
      }
      throw new IllegalArgumentException("unknown digest algorithm " + code);
    }
  }

  /// In place of a digest that nobody asked for.
  public static final Digest NONE = new Digest(Algorithm.NONE, Octets.of(new byte[0]));

  public Digest {
    value.require(algorithm.bytes, "the digest");
  }

  /// The digest whose CRC32C has these 32 bits.
  public static Digest crc32c(int crc) {
    byte[] value = {(byte) crc, (byte) (crc >> 8), (byte) (crc >> 16), (byte) (crc >> 24)};
    return new Digest(Algorithm.CRC32C, Octets.of(value));
  }

  /// The 32 bits of it; 0 if nobody asked for one.
  public int crc32c() {
    byte[] bytes = value.bytes();
    int crc = 0;
    for (int i = bytes.length - 1; i >= 0; i--) {
      crc = crc << 8 | bytes[i] & 0xff;
    }
    return crc;
  }
}
