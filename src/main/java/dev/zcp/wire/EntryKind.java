package dev.zcp.wire;

/// What an offered entry is.
public enum EntryKind {
  /// A regular file, or a stream of unknown length.
  FILE,
  DIRECTORY,
  /// A symbolic link.
  LINK,
  /// Another name of a file of this session that is over, and well.
  HARD_LINK,
  FIFO,
  CHARACTER_DEVICE,
  BLOCK_DEVICE;

  static final EntryKind[] ALL = values();
}
