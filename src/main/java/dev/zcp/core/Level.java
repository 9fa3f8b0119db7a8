package dev.zcp.core;

/// How far the arrival of bytes is to be proved, or was. Levels ascend.
public enum Level {
  /// The count of bytes and the identity of the source, but no digest.
  NONE("none"),
  /// The digest of what was sent equals the digest of what was received and written.
  WIRE("wire"),
  /// What was written was read again, and equals the source: by its digest, or byte by byte.
  READBACK("readback"),
  /// The same, past the page cache: what the device has was read.
  MEDIA("media");

  private final String label;

  Level(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /// The one that proves less.
  public Level lesser(Level other) {
    return other.ordinal() < ordinal() ? other : this;
  }
}
