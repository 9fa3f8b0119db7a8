package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.Reasons;

/// Takes one entry of a folder to where it belongs. Any thread may call it that holds the folder;
/// nothing is thrown, and what fails is told.
final class EntryWalk {

  private final Walk walk;
  private final Selection selection;

  EntryWalk(Walk walk) {
    this.walk = walk;
    this.selection = walk.selection();
  }

  /// @param name in the source
  /// @param newName in the target
  /// @param type as the listing told it, [Listing#UNKNOWN] where it did not
  /// @param isOperand whether the user named it
  void take(Folder folder, byte[] name, byte[] newName, int type, boolean isOperand) {
    EntryName label = new EntryName(folder, name);
    try {
      boolean follow =
          selection.links() == Links.FOLLOWED
              || isOperand && selection.links() == Links.FOLLOWED_IF_NAMED;
      Entry entry = new Entry(folder, name, newName, label, follow, false);
      FileStatus status = null;
      int actual = type;
      if (type == Listing.UNKNOWN || follow && type == FileType.SYMLINK) {
        status = entry.status(follow);
        actual = status.type();
      }
      boolean isDirectory = actual == FileType.DIRECTORY;
      if (!isOperand && isExcluded(folder, name, isDirectory)) {
        return;
      }
      if (isDirectory) {
        enter(entry);
      } else {
        walk.visitor().entry(entry, actual, status);
      }
    } catch (Failure failure) {
      walk.errors().tell(label, failure);
    } catch (RuntimeException e) {
      walk.errors().tell(label, Reasons.defect(label, e));
    }
  }

  private void enter(Entry entry) throws Failure {
    if (!selection.recursive() && selection.names() == null) {
      throw Failure.of(ExitCode.USAGE, entry.label().toString(), "is a directory")
          .with("-r copies it");
    }
    entry.folder().oneMore();
    walk.push(entry.folder().child(entry.name(), entry.follow()));
  }

  private boolean isExcluded(Folder folder, byte[] name, boolean isDirectory) {
    return selection.filter() != Filter.NONE
        && selection.filter().excludes(folder.pathInSource(name), isDirectory);
  }
}
