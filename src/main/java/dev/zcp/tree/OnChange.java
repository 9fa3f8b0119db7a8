package dev.zcp.tree;

/// What is done about a source that somebody writes to while it is read.
public enum OnChange {
  /// The file fails.
  FAIL,
  /// It is read once more, and fails where it changes again.
  RETRY,
  /// What was read is published, and said to be no single state of the source.
  ACCEPT
}
