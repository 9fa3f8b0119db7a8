package dev.zcp.walk;

/// What is done with a symbolic link of the source: the three letters that cp(1), find(1) and
/// chown(1) have for it.
public enum Links {
  /// It stays a link: `-P`.
  KEPT,
  /// One that was named is followed, those found in directories stay links: `-H`.
  FOLLOWED_IF_NAMED,
  /// It is followed wherever it is: `-L`.
  FOLLOWED
}
