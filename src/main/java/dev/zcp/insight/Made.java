package dev.zcp.insight;

/// What a tree holds besides files.
public enum Made {
  DIRECTORY,
  SYMLINK,
  HARD_LINK,
  SPECIAL
}
