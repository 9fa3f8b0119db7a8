package dev.zcp.wire;

import dev.zcp.core.Level;

/// A digest of the bytes of a block or of a part, and how it was made.

public record Digest(Algorithm algorithm, Bytes value) {

  /// The digests that zcp/1 knows; each shows more than the one before.
  public enum Algorithm {
    /// Nobody asked for one.
    NONE(0),
    /// The Castagnoli CRC (RFC 3720, appendix B.4), least byte first: finds damage, not malice.
    CRC32C(4),
    /// FIPS 180-4: nobody can choose other bytes that have the same.
    SHA256(32);

    static final Algorithm[] ALL = values();

    private final int bytes;

    Algorithm(int bytes) {
      this.bytes = bytes;
    }

    /// What one end wishes for.
    ///
    /// @param isTamperProof whether nobody on the way can change bytes unseen, since they stay in
    ///   this machine's memory or TLS carries them
    public static Algorithm of(Level level, boolean isTamperProof) {
      return level == Level.NONE ? NONE : isTamperProof ? CRC32C : SHA256;
    }

    /// Nothing is proved without a digest.
    void require(Level level) {
      if ((level == Level.NONE) != (this == NONE)) {
        throw new IllegalArgumentException("level " + level + " by " + this);
      }
    }

    public Algorithm stronger(Algorithm other) {
      return compareTo(other) < 0 ? other : this;
    }

    /// One of its size, for bytes that nobody compares.
    public Digest ofNothing() {
      return new Digest(this, Bytes.of(new byte[bytes]));
    }

    int bytes() {
      return bytes;
    }
  }

  /// In place of a digest that nobody asked for.
  public static final Digest NONE = new Digest(Algorithm.NONE, Bytes.of(new byte[0]));

  public Digest {
    value.require(algorithm.bytes, "the digest");
  }

  public static Digest crc32c(int crc) {
    byte[] value = {(byte) crc, (byte) (crc >> 8), (byte) (crc >> 16), (byte) (crc >> 24)};
    return new Digest(Algorithm.CRC32C, Bytes.of(value));
  }

  public static Digest sha256(byte[] value) {
    return new Digest(Algorithm.SHA256, Bytes.of(value));
  }

  public boolean isSha256() {
    return algorithm == Algorithm.SHA256;
  }

  /// Written out: a record makes its own at the first use, for milliseconds.
  @Override
  public boolean equals(Object other) {
    return other instanceof Digest(Algorithm otherAlgorithm, Bytes otherValue)
        && algorithm == otherAlgorithm
        && value.equals(otherValue);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }
}
