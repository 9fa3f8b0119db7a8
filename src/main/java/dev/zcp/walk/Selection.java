package dev.zcp.walk;

import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.NameLists.NameList;

/// What is taken of the sources.
///
/// @param recursive whether directories are, with all that is in them
/// @param specials whether FIFOs and devices are made anew, and not read
/// @param oneFileSystem whether a directory that something else is mounted on is left empty
/// @param filter what is left out of directories
/// @param names what is taken of the one source, or null for all of it
public record Selection(
    boolean recursive,
    boolean specials,
    Links links,
    boolean oneFileSystem,
    Filter filter,
    NameList names) {

  /// Files, as cp(1) takes them unasked.
  public static final Selection FILES =
      new Selection(false, false, Links.FOLLOWED, false, Filter.NONE, null);

  /// Whether the list of names is for that.
  public boolean isFor(ListUse use) {
    return names != null && names.use() == use;
  }

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
}
