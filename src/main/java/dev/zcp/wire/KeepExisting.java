package dev.zcp.wire;

/// Which of the files and other entries that exist at the receiver the sender wants left as they
/// are. The receiver answers for them with KEPT.
public enum KeepExisting {
  NONE,
  /// Files with the size and the modification time of the source.
  SAME,
  /// Those that were not modified before the source was.
  NOT_OLDER,
  ALL;

  static final KeepExisting[] ALL_CODES = values();
}
