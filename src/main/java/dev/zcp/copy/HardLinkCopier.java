package dev.zcp.copy;

import dev.zcp.copy.Verification.Evidence;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.Partial;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.walk.WorkerPool;
import dev.zcp.walk.WorkerPool.Worker;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// Sees to it that a file with several names is copied once, if hard links are preserved: the other
/// names are linked to the copy, as soon as it is there. Any thread may call it.
final class HardLinkCopier {

  private final CopyContext context;
  private final FileCopier files;
  private final Visitor copier;
  private final boolean preservesLinks;
  private final boolean followsLinks;
  private final HardLinks<CopiedName, OtherName> firstNames;

  /// Null until the walk begins.
  private Walk walk;

  /// @param copier copies a name in place of a first one that failed
  HardLinkCopier(CopyContext context, FileCopier files, Visitor copier) {
    this.context = context;
    this.files = files;
    this.copier = copier;
    this.preservesLinks = context.request().preserve().links();
    this.followsLinks = context.request().selection().links() != Links.KEPT;
    // If links are followed, more names may come than the file has.
    this.firstNames = new HardLinks<>(followsLinks);
  }

  void begin(Walk newWalk) {
    walk = newWalk;
  }

  /// Where a copy has its name.
  ///
  /// @param evidence what is known of its bytes, or null
  private record CopiedName(Folder folder, byte[] name, Evidence evidence) {}

  /// The first name of a file, which tells the others how it went.
  private final class FirstName implements FileCopier.CopyListener {

    private final Entry entry;
    private final FileStatus status;

    FirstName(Entry entry, FileStatus status) {
      this.entry = entry;
      this.status = status;
    }

    @Override
    public void published(Evidence evidence) {
      HardLinkCopier.this.published(entry, status, evidence);
    }

    @Override
    public void failed() {
      HardLinkCopier.this.failed(status);
    }
  }

  /// Who is to hear how the copy of a file goes that is [first][#isFirst].
  FileCopier.CopyListener listener(Entry entry, FileStatus status) {
    return concerns(status) ? new FirstName(entry, status) : FileCopier.CopyListener.IGNORED;
  }

  /// Whether the file may have other names in the tree.
  private boolean concerns(FileStatus status) {
    return preservesLinks && (status.links() > 1 || followsLinks);
  }

  /// Whether this name is to be copied: the first of its file. Others are linked, now or later.
  boolean isFirst(Entry entry, FileStatus status) throws Failure {
    if (entry.isFirst() || !concerns(status)) {
      return true;
    }
    OtherName waiter = new OtherName(entry, status);
    HardLinks.NameClaim<CopiedName> claim = firstNames.claim(status, waiter);
    if (claim instanceof HardLinks.Waits) {
      return false;
    }
    waiter.withdraw();
    if (claim instanceof HardLinks.At<CopiedName> at) {
      link(entry, status, at.place());
      return false;
    }
    return true;
  }

  /// The copy has the name of `entry`, and others may be linked to it.
  ///
  /// @param evidence what is known of its bytes, or null
  void published(Entry entry, FileStatus status, Evidence evidence) {
    if (concerns(status)) {
      CopiedName place = new CopiedName(entry.folder(), entry.newName(), evidence);
      for (OtherName waiter : firstNames.published(status, place)) {
        waiter.linkTo(place);
      }
    }
  }

  /// The first name of a file could not be copied: the next one takes its place.
  void failed(FileStatus status) {
    if (concerns(status)) {
      OtherName next = firstNames.failed(status);
      if (next != null) {
        next.goFirst();
      }
    }
  }

  /// Gives the copy at `place` the name of `entry`, whose folder the caller holds. What fails is
  /// told.
  private void link(Entry entry, FileStatus status, CopiedName place) {
    try {
      if (context.request().dryRun()) {
        plan(entry, status);
        return;
      }
      walk.folders().hold(place.folder());
      Linked result;
      try {
        result = link(entry, status, place, place.folder().target());
      } finally {
        walk.folders().release(place.folder());
      }
      switch (result) {
        case MADE -> {
          context.insight().made(Made.HARD_LINK);
          context.insight().placed(entry.label(), new TargetName(entry.folder(), entry.newName()));
          context.durability().made(entry.folder().target());
          list(entry, place);
        }
        case ALREADY -> list(entry, place);
        case KEPT -> {}
        case OBSTACLE, HAS_DATA -> copyAsFirst(entry, status);
      }
    } catch (IOException e) {
      context.errors().tell(entry.label(), Reasons.destination(entry.targetLabel(), e));
    } catch (Failure failure) {
      context.errors().tell(entry.label(), failure);
    }
  }

  private void plan(Entry entry, FileStatus status) throws IOException, Failure {
    TargetConflict conflict = TargetConflict.of(context.overwriting(), entry, status);
    if (conflict.isOver()) {
      files.kept(entry, conflict, FileCopier.CopyListener.IGNORED);
      return;
    }
    Planned action = conflict.planned(Planned.MAKE_HARD_LINK);
    context.insight().planned(action, entry.label().toString(), entry.targetLabel(), -1);
  }

  private void list(Entry entry, CopiedName place) {
    if (place.evidence() != null && context.request().assurance().manifest() != null) {
      place.evidence().alsoNamed(entry.folder().pathInTarget(entry.newName()));
    }
  }

  /// What came of giving a copy another name.
  private enum Linked {
    MADE,
    /// The copy had the name before.
    ALREADY,
    /// What has the name stays.
    KEPT,
    /// The copy can have no other name, as was told.
    OBSTACLE,
    /// With `--attributes-only`: what has the name keeps its data, and gets attributes of its own.
    HAS_DATA
  }

  private Linked link(Entry entry, FileStatus status, CopiedName place, OpenDirectory from)
      throws IOException, Failure {
    OpenDirectory to = entry.folder().target();
    if (entry.folder().created()) {
      try {
        return linked(entry, to.addNameIfPossible(entry.newName(), from, place.name()));
      } catch (FileAlreadyExistsException e) {
        // Somebody was faster: as if something had been there from the beginning.
      }
    }
    FileStatus existing = to.statusOf(entry.newName());
    FileStatus copy = from.statusOf(place.name());
    if (existing != null && copy != null && existing.isSameFile(copy)) {
      return Linked.ALREADY;
    }
    OverwritePolicy policy = context.overwriting();
    TargetConflict conflict =
        existing != null && policy.linksToKept() && isCopy(existing, status)
            ? TargetConflict.replacing(policy, entry, status, existing)
            : TargetConflict.of(policy, entry, status, existing);
    files.refuseToReplace(conflict, status.isRegular());
    if (!conflict.isOver() && files.keepsData(conflict)) {
      return Linked.HAS_DATA;
    }
    String[] obstacle = new String[1];
    if (!conflict.isOver()) {
      Partial partial = context.partials().begin(to);
      try {
        partial.make(name -> obstacle[0] = to.addNameIfPossible(name, from, place.name()));
        if (obstacle[0] == null) {
          conflict.reveal(partial);
        }
      } finally {
        partial.discard();
      }
    }
    if (conflict.isOver()) {
      files.kept(entry, conflict, FileCopier.CopyListener.IGNORED);
      return Linked.KEPT;
    }
    return linked(entry, obstacle[0]);
  }

  /// Whether a file may be what an interrupted run copied under one name, before others were there.
  private static boolean isCopy(FileStatus existing, FileStatus source) {
    return existing.isRegular()
        && existing.sizeBytes() == source.sizeBytes()
        && existing.modified().equals(source.modified());
  }

  /// @param obstacle why the copy can have no other name, or null if it has one more
  private Linked linked(Entry entry, String obstacle) {
    if (obstacle == null) {
      return Linked.MADE;
    }
    context.losses().add(Loss.LossKind.HARD_LINK, entry.label().toString(), obstacle);
    return Linked.OBSTACLE;
  }

  /// Copies a name of a file whose first name could not be copied. What fails is told.
  private void copyAsFirst(Entry entry, FileStatus status) {
    try {
      copier.entry(entry.asFirst(), status.type(), status);
    } catch (Failure failure) {
      context.errors().tell(entry.label(), failure);
    } catch (RuntimeException e) {
      context.errors().tell(entry.label(), Reasons.defect(entry.label(), e));
    }
  }

  /// Another name of a file that is copied once. It waits, in no thread's way, until the first is
  /// there, and is linked to it; if the first failed, it is copied in its place.
  private final class OtherName implements WorkerPool.Work {

    private final Entry entry;
    private final FileStatus status;

    /// Null if this is the first name now. Written before a worker gets this.
    private CopiedName place;

    /// Counts as one of the folder's pending things until it was run.
    OtherName(Entry entry, FileStatus status) {
      this.entry = entry;
      this.status = status;
      entry.folder().oneMore();
    }

    /// It need not wait after all, and does not count any more.
    void withdraw() {
      walk.oneIsOver(entry.folder());
    }

    void linkTo(CopiedName newPlace) {
      place = newPlace;
      walk.workers().push(this);
    }

    /// The file is nowhere, and this is the first name of it now.
    void goFirst() {
      walk.workers().push(this);
    }

    @Override
    public void run(Worker worker) {
      try {
        walk.folders().hold(entry.folder());
        try {
          if (place == null) {
            copyAsFirst(entry, status);
          } else {
            link(entry, status, place);
          }
        } finally {
          walk.folders().release(entry.folder());
        }
      } catch (Failure failure) {
        context.errors().tell(entry.label(), failure);
        if (place == null) {
          failed(status);
        }
      } finally {
        withdraw();
      }
    }
  }
}
