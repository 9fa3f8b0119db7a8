package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.WorkerPool.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Walks one folder: opens it, enters it, and hands on what is in it. If it has many directories in
/// it, it goes on later with the rest of its listing, so that few of them wait at a time.
final class FolderWalk implements WorkerPool.Work {

  /// Of directories that were listed and wait; one buffer of the listing may add some more.
  private static final int CHILDREN_MAX = 256;

  private final Walk walk;
  private final Folder folder;

  FolderWalk(Walk walk, Folder folder) {
    this.walk = walk;
    this.folder = folder;
  }

  @Override
  public void run(Worker worker) {
    if (walk.errors().isOver()) {
      walk.errors().left();
      walk.oneIsOver(folder);
      return;
    }
    boolean listed = true;
    try {
      if (folder.isKnown()) {
        walk.folders().hold(folder);
      } else {
        open();
      }
      try {
        if (!isLeftEmpty()) {
          listed = list(worker);
          if (listed) {
            walk.visitor().listed(folder, worker.listing());
          }
        }
      } finally {
        walk.folders().release(folder);
      }
    } catch (Failure | RuntimeException e) {
      walk.errors().tell(folder.label(), Reasons.atTarget(folder.label(), e));
    }
    if (listed) {
      walk.oneIsOver(folder);
    }
  }

  /// Opens it, lets the visitor enter it, and holds it then.
  void open() throws Failure {
    Folder parent = folder.parent;
    walk.folders().hold(parent);
    try {
      OpenDirectory source;
      try {
        source = parent.source.directory(folder.sourceName, folder.followLink);
      } catch (IOException e) {
        throw folder.failure(e);
      }
      try {
        refuseLoops(source.status());
        folder.entered = walk.visitor().enter(folder, source);
        walk.folders().add(folder, source, folder.entered.target());
        source = null;
      } catch (IOException e) {
        throw Reasons.destination(parent.targetLabel(folder.targetName), e);
      } finally {
        Quietly.close(source);
      }
    } finally {
      walk.folders().release(parent);
    }
  }

  /// A link may lead to a directory above, or to the one that a copy grows in: both have no end.
  private void refuseLoops(FileStatus source) throws Failure {
    Folder top = folder;
    for (Folder each = folder.parent; each.parent != null; each = each.parent) {
      if (each.sourceStatus.isSameFile(source)) {
        throw Failure.of(
            ExitCode.SOURCE,
            folder.label(),
            "leads back to " + each.label() + ", which contains it");
      }
      top = each;
    }
    if (top != folder && top.targetStatus != null && top.targetStatus.isSameFile(source)) {
      throw Failure.of(ExitCode.SOURCE, folder.label(), "is the directory that the copy goes to");
    }
  }

  /// A list named it, and no more of it; or something else is mounted on it, and that is not to be
  /// copied.
  private boolean isLeftEmpty() {
    Selection selection = walk.selection();
    if (!selection.recursive() || !selection.oneFileSystem()) {
      return !selection.recursive();
    }
    return folder.top().sourceStatus.device() != folder.sourceStatus.device();
  }

  /// @return false if a part is left for later
  private boolean list(Worker worker) throws Failure {
    List<Folder> children = new ArrayList<>();
    EntryBatch rest = null;
    boolean whole = true;
    try {
      Listing listing = worker.listing();
      listing.begin(folder.source, folder.position);
      while (listing.fill(folder.source)) {
        while (listing.next()) {
          byte[] name = listing.name();
          int type = listing.type();
          folder.position = listing.position();
          if (type == FileType.DIRECTORY) {
            addChild(children, name);
          } else {
            rest = add(worker, rest, name, type);
          }
        }
        if (children.size() > CHILDREN_MAX) {
          whole = false;
          break;
        }
      }
    } catch (IOException e) {
      throw folder.failure(e);
    } finally {
      if (!whole) {
        // Below the children, whose turn comes first.
        walk.workers().push(this);
      }
      for (Folder child : children) {
        walk.push(child);
      }
      if (rest != null) {
        rest.run(worker);
      }
    }
    return whole;
  }

  /// @param batch takes the entry; null if a new batch must be made
  /// @return the batch that has room, or null
  private EntryBatch add(Worker worker, EntryBatch batch, byte[] name, int type) {
    EntryBatch taking = batch == null ? new EntryBatch(walk, folder, null, false) : batch;
    taking.add(name, type);
    if (!taking.isFull()) {
      return taking;
    }
    walk.workers().offer(taking, worker);
    return null;
  }

  private void addChild(List<Folder> children, byte[] name) {
    Filter filter = walk.selection().filter();
    if (filter == Filter.NONE || !filter.excludes(folder.pathInSource(name), true)) {
      folder.oneMore();
      children.add(folder.child(name, false));
    }
  }
}
