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

  private static final EntryKind[] ALL = values();

  static EntryKind ofCode(int code) {
    if (code < 0 || code >= ALL.length) {
      throw new IllegalArgumentException("unknown kind of entry " + code);
    }
    return ALL[code];
  }
}
