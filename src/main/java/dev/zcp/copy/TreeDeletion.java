package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.Surplus;
import dev.zcp.tree.Handle;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Deletes the entries of a target directory that the source directory merged into it does not
/// have: `--delete`.
///
/// During the walk it only notes the directories that have such entries; any thread may call it
/// then. When everything is copied and nothing has failed, one thread looks at each of them again
/// and deletes, by a [Surplus].
final class TreeDeletion {

  /// A copy that is alive writes to a partial file more often.
  private static final long PART_AGE_S_MIN = 3600;

  private static final long MS_PER_S = 1000;

  private final CopyContext context;
  private final Walk walk;
  private final Filter filter;
  private final boolean oneFileSystem;
  private final Queue<Folder> folders = new ConcurrentLinkedQueue<>();

  // Used by the thread that deletes.
  private final Set<String> failed = new HashSet<>();
  private boolean countsOnly;
  private long found;

  TreeDeletion(CopyContext context, Walk walk) {
    this.context = context;
    this.walk = walk;
    this.filter = walk.selection().filter();
    this.oneFileSystem = walk.selection().oneFileSystem();
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
  /// and has listed it to its end.
  ///
  /// @throws Failure if either cannot be read: then nothing will be deleted
  void look(Folder folder, Listing names) throws Failure {
    if (folder.created() || folder.target() == null || isMounted(folder)) {
      return;
    }
    try {
      names.begin(folder.target(), 0);
      while (names.fill(folder.target())) {
        while (names.next()) {
          byte[] name = names.name();
          FileStatus status = inSource(folder, name) ? null : folder.target().statusOf(name);
          if (status != null && !isExcluded(folder, name, status)) {
            folders.add(folder);
            return;
          }
        }
      }
    } catch (IOException e) {
      throw Reasons.destination(labelOf(folder), e);
    }
  }

  /// Deletes, or tells what would be deleted. To be called once, when all else is over.
  void run() {
    if (isHeldBack()) {
      return;
    }
    boolean dryRun = context.request().dryRun();
    Deleting deleting = context.request().deleting();
    if (dryRun || deleting.entriesMax() < Deleting.UNLIMITED) {
      countsOnly = true;
      folders.forEach(this::sweep);
      try {
        deleting.require(context.request().target(), found);
      } catch (Failure failure) {
        context.insight().failed(failure);
        return;
      }
    }
    if (dryRun || isHeldBack()) {
      return;
    }
    countsOnly = false;
    folders.forEach(this::sweep);
  }

  private boolean isHeldBack() {
    boolean isAnyFailed = context.insight().isAnyButVanishedFailed();
    if (isAnyFailed) {
      context.insight().note("--delete: nothing is deleted, since something failed");
    }
    return isAnyFailed;
  }

  /// Deletes the surplus of one folder. What fails is told, and does not stop the other folders.
  private void sweep(Folder folder) {
    try {
      walk.folders().hold(folder);
      try {
        if (folder.isSourceDeleted()) {
          throw Failure.of(
              ExitCode.SOURCE, folder.label().toString(), "was deleted while it was copied");
        }
        Surplus surplus = new Surplus(context.conflict(), new FolderRules(folder));
        if (surplus.run(folder.target(), countsOnly)) {
          restore(folder);
        }
      } finally {
        walk.folders().release(folder);
      }
    } catch (IOException e) {
      context.errors().tell(folder.label(), Reasons.destination(labelOf(folder), e));
    } catch (Failure failure) {
      context.errors().tell(folder.label(), failure);
    }
  }

  /// The deletion has changed the times of the directory.
  private void restore(Folder folder) throws IOException, Failure {
    context
        .metadata()
        .directory(
            Handle.of(folder.source().descriptor()),
            folder.sourceStatus(),
            folder.target(),
            false,
            folder.label());
    context.durability().made(folder.target());
  }

  /// What goes from one folder.
  private final class FolderRules implements Surplus.Rules {

    private final Folder folder;

    FolderRules(Folder folder) {
      this.folder = folder;
    }

    @Override
    public boolean stays(byte[] path, FileStatus status, FileStatus above)
        throws IOException, Failure {
      if (Surplus.isOwn(path) && inSource(folder, path) || isPartOfAnother(path, status)) {
        return true;
      }
      return isExcluded(folder, path, status) || oneFileSystem && status.device() != above.device();
    }

    @Override
    public void gone(byte[] path) {
      TargetName label = new TargetName(folder, path);
      found++;
      if (!countsOnly) {
        context.insight().deleted(label);
      } else if (context.request().dryRun()) {
        String text = label.toString();
        context.insight().planned(Planned.DELETE, text, text, -1);
      }
    }

    /// Told once, however often it is tried.
    @Override
    public void failed(byte[] path, IOException cause) {
      TargetName label = new TargetName(folder, path);
      if (failed.add(label.toString())) {
        context.errors().tell(label, Reasons.destination(label, cause));
      }
    }

    @Override
    public boolean isOver() {
      return context.partials().isAbandoned() || context.errors().isOver();
    }

    @Override
    public String label(byte[] path) {
      return folder.targetLabel(path);
    }
  }

  /// Whether another copy may be at work on it: a partial file that nobody wrote to for a while was
  /// left by one that was killed.
  private static boolean isPartOfAnother(byte[] path, FileStatus status) {
    long ageS = System.currentTimeMillis() / MS_PER_S - status.changedSeconds();
    return HiddenName.isPart(RawPath.of(path).lastComponent()) && ageS < PART_AGE_S_MIN;
  }

  private static boolean inSource(Folder folder, byte[] name) throws Failure {
    try {
      // By two calls: one wrong answer of a file system deletes nothing.
      return folder.source().statusOf(name) != null || folder.source().has(name);
    } catch (IOException e) {
      throw Reasons.source(folder.sourceLabel(name), e);
    }
  }

  private boolean isExcluded(Folder folder, byte[] path, FileStatus status) {
    return filter != Filter.NONE
        && filter.excludes(folder.pathInSource(path), status.isDirectory());
  }

  /// With `-x`: whether the folder is on another file system than the top of its tree.
  private boolean isMounted(Folder folder) {
    Folder top = folder;
    while (!top.parent().isAnchor()) {
      top = top.parent();
    }
    return oneFileSystem
        && (folder.targetStatus().isMountRoot()
            || folder.targetStatus().device() != top.targetStatus().device());
  }

  private static String labelOf(Folder folder) {
    return folder.parent().targetLabel(folder.targetName());
  }
}
