package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Selection.Links;
import java.io.IOException;

/// A walk through the sources of one command.
///
/// [Operands][OperandRoots] or a [list][ListedNames] give the [WorkerPool] a [Folder] or a few
/// [entries][EntryBatch]. Whoever of the workers takes a folder [opens and lists it][FolderWalk]:
/// the directories in it are folders in turn, all else goes in batches, and each [Entry] comes to
/// the [Visitor]. When all in a folder is over, the visitor leaves it.
///
/// Nothing is reached by a path, but for the operands: names are looked up in directories that are
/// held [open][OpenFolders].
public final class Walk {

  private final Selection selection;
  private final OpenFolders folders;
  private final WorkerPool workers;
  private final Visitor visitor;
  private final WalkErrors errors;

  public Walk(
      Selection selection,
      OpenFolders folders,
      WorkerPool workers,
      Visitor visitor,
      WalkErrors errors) {
    this.selection = selection;
    this.folders = folders;
    this.workers = workers;
    this.visitor = visitor;
    this.errors = errors;
    visitor.begin(this);
  }

  public Selection selection() {
    return selection;
  }

  public OpenFolders folders() {
    return folders;
  }

  public WorkerPool workers() {
    return workers;
  }

  Visitor visitor() {
    return visitor;
  }

  public WalkErrors errors() {
    return errors;
  }

  /// Leaves a folder to the workers.
  ///
  /// @param folder one that counts as one of its parent's pending things
  public void push(Folder folder) {
    workers.push(new FolderWalk(this, folder));
  }

  /// One of the folder's [pending][Folder#oneMore] things is over. Folders are left when all in
  /// them is, children before their parents: an entry that is made changes its directory's time,
  /// and a directory that nobody may write to takes no entry.
  public void oneIsOver(Folder folder) {
    Folder each = folder;
    while (each != null && each.pending.decrementAndGet() == 0) {
      leave(each);
      each = each.parent;
    }
  }

  private void leave(Folder folder) {
    if (!folder.isKnown()) {
      return;
    }
    try {
      if (!folder.isAnchor()) {
        visitor.leave(folder);
      }
    } catch (IOException e) {
      String target = folder.parent.targetLabel(folder.targetName);
      errors.tell(folder.label(), Reasons.destination(target, e));
    } catch (Failure | RuntimeException e) {
      // If a defect went on, those above it would never be left.
      errors.tell(folder.label(), Reasons.atTarget(folder.label(), e));
    } finally {
      folders.complete(folder);
    }
  }

  /// Takes one entry of a folder to where it belongs. Any thread may call it that holds the folder;
  /// nothing is thrown, and what fails is told.
  ///
  /// @param name in the source
  /// @param newName in the target
  /// @param type as the listing told it, [Listing#UNKNOWN] if it did not
  /// @param isOperand whether the user named it
  void take(Folder folder, byte[] name, byte[] newName, int type, boolean isOperand) {
    boolean follow =
        selection.links() == Links.FOLLOWED
            || isOperand && selection.links() == Links.FOLLOWED_IF_NAMED;
    Entry entry =
        new Entry(folder, name, newName, follow, false, type != Listing.UNKNOWN && !isOperand);
    try {
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
        visitor.entry(entry, actual, status);
      }
    } catch (Failure | RuntimeException e) {
      errors.tell(entry, Reasons.atTarget(entry, e));
    }
  }

  private void enter(Entry entry) throws Failure {
    if (!selection.recursive() && selection.names() == null) {
      throw Failure.of(ExitCode.USAGE, entry.label(), "is a directory").with("-r copies it");
    }
    entry.folder().oneMore();
    push(entry.folder().child(entry.name(), entry.follow()));
  }

  boolean isExcluded(Folder folder, byte[] name, boolean isDirectory) {
    return selection.filter() != Filter.NONE
        && selection.filter().excludes(folder.pathInSource(name), isDirectory);
  }

  /// Hears of what a walk could not do, and says when it is to end. Any thread may call it.
  public interface WalkErrors {

    /// @param label the entry's name
    void tell(Object label, Failure failure);

    /// Whether nothing more is to be tried.
    boolean isOver();

    /// An entry was not tried, since it is over.
    default void left() {}
  }
}
