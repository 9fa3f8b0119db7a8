package dev.zcp.walk;

import dev.zcp.core.Failure;
import dev.zcp.tree.Reasons;
import java.io.IOException;

/// A walk through the sources of one command.
///
/// [Operands][OperandRoots] or a [list][ListedNames] give the [WorkerPool] a [Folder] or a few
/// [entries][EntryBatch]. Whoever of the workers takes a folder [opens and lists it][FolderWalk]:
/// the directories in it are folders in turn, all else goes in batches, and each [entry][EntryWalk]
/// comes to the [Visitor]. When all in a folder is over, the visitor leaves it.
///
/// Nothing is reached by a path, but for the operands: names are looked up in directories that are
/// held [open][OpenFolders].
public final class Walk {

  private final Selection selection;
  private final OpenFolders folders;
  private final WorkerPool workers;
  private final Visitor visitor;
  private final WalkErrors errors;
  private final EntryWalk entries;

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
    this.entries = new EntryWalk(this);
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

  EntryWalk entries() {
    return entries;
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
    } catch (Failure failure) {
      errors.tell(folder.label(), failure);
    } catch (RuntimeException e) {
      // Or those above it would never be left.
      errors.tell(folder.label(), Reasons.defect(folder.label(), e));
    } finally {
      folders.complete(folder);
    }
  }
}
