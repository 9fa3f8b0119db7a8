package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.Surplus;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.util.Arrays;

/// `--delete` of a copy on this machine: finds the folders with a [Surplus], and knows what their
/// sources have.
final class TreeDeletion implements Surplus.SurplusEvents {

  /// A copy that is alive writes to a partial file more often.
  private static final long PART_AGE_S_MIN = 3600;

  private static final long MS_PER_S = 1000;

  private final CopyContext context;
  private final Walk walk;
  private final Filter filter;
  private final boolean oneFileSystem;
  private final Surplus surplus;

  TreeDeletion(CopyContext context, Walk walk) {
    this.context = context;
    this.walk = walk;
    this.filter = walk.selection().filter();
    this.oneFileSystem = walk.selection().oneFileSystem();
    this.surplus =
        new Surplus(
            context.conflict(),
            context.durability(),
            context.request().preserve().times(),
            context.request().deleting(),
            context.request().dryRun(),
            this);
  }

  /// Keeps a source that is itself in a directory of the target.
  void spare(FileStatus operand) {
    context.conflict().spare(operand);
  }

  /// As [#spare(FileStatus)], for an operand that is no directory, and for what it leads to.
  void spare(Entry operand) throws Failure {
    spare(operand.status(false));
    if (operand.follow()) {
      spare(operand.status(true));
    }
  }

  /// Notes a folder if its target has entries that its source does not have. The caller holds it
  /// and has listed it to its end. Any thread may call it.
  ///
  /// @throws Failure if either cannot be read: then nothing will be deleted
  void look(Folder folder, Listing names) throws Failure {
    if (folder.created() || folder.target() == null || isMounted(folder)) {
      return;
    }
    MergedFolder merged = new MergedFolder(folder);
    try {
      names.begin(folder.target(), 0);
      while (names.next(folder.target())) {
        byte[] name = names.name();
        FileStatus status = merged.isInSource(name) ? null : folder.target().statusOf(name);
        if (status != null && !merged.isExcluded(name, status)) {
          surplus.add(merged);
          return;
        }
      }
    } catch (IOException e) {
      throw Reasons.destination(merged.label(null), e);
    }
  }

  /// Deletes, or tells what would be deleted. To be called once, when all else is over.
  void run() {
    if (context.insight().isAnyButVanishedFailed()) {
      context.insight().note("--delete: nothing is deleted, since something failed");
      return;
    }
    try {
      surplus.run(context.request().target());
    } catch (Failure failure) {
      context.insight().failed(failure);
    }
  }

  /// What is in the way of an operand itself stays: its user may have named another target than was
  /// meant. So does all if sources are merged: each may have the name.
  @Override
  public Surplus.MergedDirectory directoryOf(Claim claim) {
    Folder folder = ((Entry) claim.claimSource()).folder();
    boolean stays =
        folder.isAnchor() || context.mergesSources() || context.insight().isAnyButVanishedFailed();
    return stays ? null : new MergedFolder(folder);
  }

  @Override
  public void gone(Object label, boolean countsOnly) {
    if (!countsOnly) {
      context.insight().deleted(label);
    } else if (context.request().dryRun()) {
      String text = label.toString();
      context.insight().planned(Planned.DELETE, text, text, -1);
    }
  }

  @Override
  public void failed(Object label, Failure failure) {
    context.errors().tell(label, failure);
  }

  @Override
  public boolean isOver() {
    return context.partials().isAbandoned() || context.errors().isOver();
  }

  /// With `-x`: whether the folder is on another file system than the top of its tree.
  private boolean isMounted(Folder folder) {
    return oneFileSystem
        && (folder.targetStatus().isMountRoot()
            || folder.targetStatus().device() != folder.top().targetStatus().device());
  }

  private final class MergedFolder implements Surplus.MergedDirectory {

    private final Folder folder;

    MergedFolder(Folder folder) {
      this.folder = folder;
    }

    @Override
    public void hold(Surplus.Sweep sweep) throws IOException, Failure {
      walk.folders().hold(folder);
      try {
        if (folder.isSourceDeleted()) {
          throw Failure.of(ExitCode.SOURCE, folder.label(), "was deleted while it was copied");
        }
        sweep.sweep(folder.target());
      } finally {
        walk.folders().release(folder);
      }
    }

    @Override
    public boolean isInSource(byte[] name) throws Failure {
      try {
        // By two calls: one wrong answer of a file system deletes nothing.
        return folder.source().statusOf(name) != null || folder.source().has(name);
      } catch (IOException e) {
        throw Reasons.source(folder.sourceLabel(name), e);
      }
    }

    @Override
    public boolean isFolded(OpenDirectory directory, byte[] name, FileStatus status)
        throws IOException {
      for (byte[] other : folder.source().names()) {
        FileStatus there = Arrays.equals(other, name) ? null : directory.statusOf(other);
        if (there != null && there.isSameFile(status) && !Conflict.hasExactly(directory, other)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean stays(byte[] path, FileStatus status, FileStatus above) {
      return isPartOfAnother(path, status)
          || isExcluded(path, status)
          || oneFileSystem && status.device() != above.device();
    }

    private boolean isExcluded(byte[] path, FileStatus status) {
      return filter != Filter.NONE
          && filter.excludes(folder.pathInSource(path), status.isDirectory());
    }

    /// Whether another copy may be at work on it: a partial file or a journal that nobody wrote to
    /// for a while was left by one that was killed.
    private static boolean isPartOfAnother(byte[] path, FileStatus status) {
      long ageS = System.currentTimeMillis() / MS_PER_S - status.changedSeconds();
      return HiddenName.partner(RawPath.of(path).lastComponent()) != null && ageS < PART_AGE_S_MIN;
    }

    @Override
    public Object label(byte[] path) {
      return path == null
          ? new TargetName(folder.parent(), folder.targetName())
          : new TargetName(folder, path);
    }
  }
}
