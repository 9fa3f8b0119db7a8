package dev.zcp.tree;

/// What to do with a file that already has the final name.
public enum Existing {
  /// Replace it by the complete new file.
  REPLACE,
  /// Leave it and count the source as done: `cp -n`.
  KEEP,
  /// Leave it and fail: the way of `receive`.
  REFUSE,
  /// Replace it where the source was modified later, else leave it: `cp -u`.
  OLDER,
  /// Replace it if the user consents, else leave it: `cp -i`.
  ASK,
  /// Replace it if the source was modified later and the user consents: `cp -ui`.
  ASK_IF_OLDER
}
