package dev.zcp.walk;

import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;

/// What becomes of what a [Walk] finds. It need not know how the walk came there, in which order
/// directories are read, and which of them are open.
///
/// Several threads may call it, each for other entries. What it throws is told of the entry, and
/// the walk goes on; below a directory that was not entered it does not.
public interface Visitor {

  /// What a visitor has of a directory in exchange for the source's.
  ///
  /// @param target takes the entries; null if there is none, as in a dry run
  /// @param created whether it was made just now, so that nothing is in it
  record Entered(OpenDirectory target, boolean created) {

    /// Nothing.
    public static final Entered NOTHING = new Entered(null, false);
  }

  /// The walk that calls it begins. Called once, before everything else.
  default void begin(Walk walk) {}

  /// A directory was opened, and comes before all that is in it. Its parent is held.
  ///
  /// @param source the directory, which `folder` does not have yet
  /// @throws IOException if the target fails
  Entered enter(Folder folder, OpenDirectory source) throws IOException, Failure;

  /// Takes an entry that is no directory. Its folder is held.
  ///
  /// @param type one of [dev.zcp.linux.FileType]'s
  /// @param status what it is, or null if nobody has asked yet
  void entry(Entry entry, int type, FileStatus status) throws Failure;

  /// A folder was listed to its end, and is still held.
  ///
  /// @param listing for whoever wants to read a directory
  default void listed(Folder folder, Listing listing) throws Failure {}

  /// Everything in a folder is over. It was entered, but need not be open now.
  ///
  /// @throws IOException if the target fails
  default void leave(Folder folder) throws IOException, Failure {}
}
