package dev.zcp.session.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Planned;
import dev.zcp.io.FileStatus;
import dev.zcp.io.FileType;
import dev.zcp.session.Reasons;
import dev.zcp.tree.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;

/// Copies a folder: opens the source's directory, makes the target's, and hands on what is in it.
/// Where it has many directories in it, it goes on later with the rest of its listing, so that few
/// of them wait at a time.
final class FolderCopy implements Crew.Work {

  /// Of directories that were listed and wait; one buffer of the listing may add some more.
  private static final int CHILDREN_MAX = 256;

  /// Only its owner gets at a directory that is not complete.
  private static final int PRIVATE = 0700;

  private final Means means;
  private final Folder folder;

  FolderCopy(Means means, Folder folder) {
    this.means = means;
    this.folder = folder;
  }

  @Override
  public void run(Hand hand) {
    if (means.failures().isOver()) {
      means.failures().left();
      means.completion().oneIsOver(folder);
      return;
    }
    boolean listed = true;
    try {
      if (folder.isKnown()) {
        means.folders().hold(folder);
      } else {
        open();
      }
      try {
        listed = isLeftEmpty() || list(hand) && compareNames(hand);
      } finally {
        means.folders().release(folder);
      }
    } catch (Failure failure) {
      means.failures().tell(folder.label(), failure);
    } catch (RuntimeException e) {
      means.failures().tell(folder.label(), Reasons.defect(folder.label(), e));
    }
    if (listed) {
      means.completion().oneIsOver(folder);
    }
  }

  /// Opens it, makes it in the target, and holds it then.
  void open() throws Failure {
    Folder parent = folder.parent;
    means.folders().hold(parent);
    try {
      OpenDirectory source;
      try {
        source = parent.source.directory(folder.sourceName, folder.followLink);
      } catch (IOException e) {
        throw Reasons.source(folder.label(), e);
      }
      OpenDirectory target = null;
      try {
        refuseLoops(source.status());
        target = openTarget(parent);
        means.folders().add(folder, source, target);
        source = null;
      } catch (IOException e) {
        throw Reasons.destination(parent.targetLabel(folder.targetName), e);
      } finally {
        if (source != null) {
          closeQuietly(source);
        }
      }
    } finally {
      means.folders().release(parent);
    }
  }

  /// The directory of the target, made where there is none; null in a dry run, where there is none.
  private OpenDirectory openTarget(Folder parent) throws IOException, Failure {
    byte[] name = folder.targetName;
    if (means.comparison() != null) {
      return means.comparison().open(parent, name);
    }
    if (means.request().dryRun()) {
      return plan(parent, name);
    }
    try {
      parent.target.makeDirectory(name, PRIVATE);
      folder.created = true;
      means.durability().made(parent.target);
      return parent.target.newDirectory(name);
    } catch (FileAlreadyExistsException e) {
      refuseNoDirectory(parent, name);
      OpenDirectory target = parent.target.directory(name, false);
      // The copy of a directory that nobody may write to is one, too: a second copy must get in.
      folder.modeBefore = target.admitOwner();
      return target;
    }
  }

  private OpenDirectory plan(Folder parent, byte[] name) throws IOException, Failure {
    if (parent.target != null && parent.target.statusOf(name) != null) {
      refuseNoDirectory(parent, name);
      return parent.target.directory(name, false);
    }
    folder.created = true;
    means
        .insight()
        .planned(Planned.MAKE_DIRECTORY, folder.label().toString(), parent.targetLabel(name), -1);
    return null;
  }

  private void refuseNoDirectory(Folder parent, byte[] name) throws IOException, Failure {
    FileStatus existing = parent.target.statusOf(name);
    if (existing != null && !existing.isDirectory()) {
      throw Failure.of(
          ExitCode.EXISTS,
          parent.targetLabel(name),
          "is no directory, and " + folder.label() + " is one");
    }
  }

  /// A link may lead to a directory above, or to the one that the copy grows in: both have no end.
  private void refuseLoops(FileStatus source) throws Failure {
    Folder top = folder;
    for (Folder each = folder.parent; each.parent != null; each = each.parent) {
      if (each.sourceStatus.isSameFile(source)) {
        throw Failure.of(
            ExitCode.SOURCE,
            folder.label().toString(),
            "leads back to " + each.label() + ", which it is in");
      }
      top = each;
    }
    if (top != folder && top.targetStatus != null && top.targetStatus.isSameFile(source)) {
      throw Failure.of(
          ExitCode.SOURCE, folder.label().toString(), "is where the copy is being made");
    }
  }

  /// A list named it, and no more of it; or something else is mounted on it, and that is not to be
  /// copied.
  private boolean isLeftEmpty() {
    Selection selection = means.request().selection();
    if (!selection.recursive() || !selection.oneFileSystem()) {
      return !selection.recursive();
    }
    Folder top = folder;
    while (!top.parent.isAnchor()) {
      top = top.parent;
    }
    return top.sourceStatus.device() != folder.sourceStatus.device();
  }

  /// @return false where a part is left for later
  private boolean list(Hand hand) throws Failure {
    List<Folder> children = new ArrayList<>();
    EntryBatch rest = null;
    boolean whole = true;
    try {
      Listing listing = hand.listing();
      listing.begin(folder.source, folder.position);
      while (listing.fill(folder.source)) {
        while (listing.next()) {
          byte[] name = listing.name();
          int type = listing.type();
          folder.position = listing.position();
          if (type == FileType.DIRECTORY) {
            addChild(children, name);
          } else {
            rest = add(hand, rest, name, type);
          }
        }
        if (children.size() > CHILDREN_MAX) {
          whole = false;
          break;
        }
      }
    } catch (IOException e) {
      throw Reasons.source(folder.label(), e);
    } finally {
      if (!whole) {
        // Below the children, whose turn comes first.
        means.crew().push(this);
      }
      for (Folder child : children) {
        means.crew().push(new FolderCopy(means, child));
      }
      if (rest != null) {
        rest.run(hand);
      }
    }
    return whole;
  }

  /// @return true
  private boolean compareNames(Hand hand) throws Failure {
    if (means.comparison() != null) {
      means.comparison().extras(folder, hand.listing());
    }
    return true;
  }

  /// @param batch that takes the entry, or null where a new one must
  /// @return the batch that has room, or null
  private EntryBatch add(Hand hand, EntryBatch batch, byte[] name, int type) {
    EntryBatch taking = batch == null ? new EntryBatch(means, folder, null, false) : batch;
    taking.add(name, type);
    if (!taking.isFull()) {
      return taking;
    }
    if (!means.crew().offer(taking)) {
      taking.run(hand);
    }
    return null;
  }

  private void addChild(List<Folder> children, byte[] name) {
    Filter filter = means.request().selection().filter();
    if (filter == Filter.NONE || !filter.excludes(folder.pathInSource(name), true)) {
      folder.pending.incrementAndGet();
      children.add(folder.child(name, false));
    }
  }

  private static void closeQuietly(OpenDirectory directory) {
    try {
      directory.close();
    } catch (IOException e) {
      // It was only read from.
    }
  }
}
