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
  BLOCK_DEVICE,
  /// A directory that only leads to what is sent: if it is there, it stays as it is.
  WAY,
  /// Is not sent: the receiver only learns that its name is taken.
  SOCKET;

  static final EntryKind[] ALL = values();

  public boolean isDevice() {
    return this == CHARACTER_DEVICE || this == BLOCK_DEVICE;
  }

  public boolean isDirectory() {
    return this == DIRECTORY || this == WAY;
  }
}
