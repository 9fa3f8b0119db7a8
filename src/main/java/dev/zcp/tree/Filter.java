package dev.zcp.tree;

/// Says what of a tree is not to be taken. It sees names alone, and no file.
@FunctionalInterface
public interface Filter {

  /// Takes everything.
  Filter NONE = (path, isDirectory) -> false;

  /// Whether an entry is left out, a directory with all that is in it.
  ///
  /// @param path the bytes of its path below the source, without a slash at either end: `a/b`
  boolean excludes(byte[] path, boolean isDirectory);
}
