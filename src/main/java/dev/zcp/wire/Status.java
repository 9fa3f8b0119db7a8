package dev.zcp.wire;

/// What became of a source while it was read.
public enum Status {
  /// Read as announced.
  OK,
  /// It was shorter than announced.
  SHORT,
  /// Another process changed it while it was read.
  CHANGED,
  /// It could not be read.
  FAILED,
  /// It arrived damaged too often: the way there cannot be trusted.
  DAMAGED,
  /// It is not there any more.
  VANISHED;

  static final Status[] ALL = values();

  /// Whether only an end may have it, and no bytes.
  boolean isOfEndsOnly() {
    return this == DAMAGED || this == VANISHED;
  }
}
