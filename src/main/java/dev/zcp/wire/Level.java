package dev.zcp.wire;

/// How far an arrival is to be proved. Levels ascend; what each means is said where it is done.
public enum Level {
  NONE,
  WIRE,
  READBACK,
  MEDIA;

  static final Level[] ALL = values();

  /// The one that proves less.
  public Level lesser(Level other) {
    return other.ordinal() < ordinal() ? other : this;
  }

  /// Nothing is proved without a digest.
  void requireDigest(Digest.Algorithm digest) {
    if ((this == NONE) != (digest == Digest.Algorithm.NONE)) {
      throw new IllegalArgumentException("level " + this + " by " + digest);
    }
  }
}
