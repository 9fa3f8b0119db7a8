package dev.zcp.copy;

import dev.zcp.copy.Verification.Evidence;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.PlaceLink;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.walk.WorkerPool;
import dev.zcp.walk.WorkerPool.Worker;
import java.io.IOException;

/// Sees to it that a file with several names is copied once, if hard links are preserved: the other
/// names are linked to the copy, as soon as it is there. Any thread may call it.
final class FurtherNames {

  private final CopyContext context;
  private final FileCopier files;
  private final Visitor copier;
  private final PlaceLink links;
  private final boolean preservesLinks;
  private final boolean followsLinks;
  private final HardLinks<CopiedName, LinkedName> firstNames;

  /// Null until the walk begins.
  private Walk walk;

  /// @param copier copies a name in place of a first one that failed
  FurtherNames(CopyContext context, FileCopier files, Visitor copier) {
    this.context = context;
    this.files = files;
    this.copier = copier;
    this.links = context.placeLink();
    this.preservesLinks = context.request().preserve().links();
    this.followsLinks = context.request().selection().links() != Selection.Links.KEPT;
    // If links are followed, more names may come than the file has.
    this.firstNames = new HardLinks<>(followsLinks);
  }

  void begin(Walk newWalk) {
    walk = newWalk;
  }

  /// Where a copy has its name.
  ///
  /// @param isKept whether it was there before this run
  /// @param evidence what is known of its bytes, or null
  private record CopiedName(Folder folder, byte[] name, boolean isKept, Evidence evidence) {}

  /// Whether the file may have other names in the tree.
  private boolean concerns(FileStatus status) {
    return preservesLinks && (status.links() > 1 || followsLinks);
  }

  /// Whether this name is to be copied: the first of its file. Others are linked, now or later.
  boolean isFirst(Entry entry, FileStatus status) throws Failure {
    if (entry.isFirst() || !concerns(status)) {
      return true;
    }
    // If it waits, it is one of the folder's pending things until it was run.
    entry.folder().oneMore();
    HardLinks.NameClaim<CopiedName> claim = firstNames.claim(status, new LinkedName(entry, status));
    if (claim instanceof HardLinks.Waits) {
      return false;
    }
    walk.oneIsOver(entry.folder());
    if (claim instanceof HardLinks.At<CopiedName> at) {
      link(entry, status, at.place());
      return false;
    }
    return true;
  }

  /// The entry's name in the target leads to a file that further names may be linked to.
  ///
  /// @param isKept whether that file was there before this run
  /// @param evidence what is known of its bytes, or null if none were moved
  void published(Entry entry, FileStatus status, boolean isKept, Evidence evidence) {
    if (concerns(status)) {
      CopiedName place = new CopiedName(entry.folder(), entry.newName(), isKept, evidence);
      for (LinkedName waiter : firstNames.published(status, place)) {
        waiter.goOn(place);
      }
    }
  }

  /// The first name of a file could not be copied: the next one takes its place.
  void failed(FileStatus status) {
    if (concerns(status)) {
      LinkedName next = firstNames.failed(status);
      if (next != null) {
        next.goOn(null);
      }
    }
  }

  /// Gives the copy at `place` the name of `entry`, whose folder the caller holds. What fails is
  /// told.
  private void link(Entry entry, FileStatus status, CopiedName place) {
    try {
      if (context.request().dryRun()) {
        plan(entry, status, place);
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
          context.insight().placed(entry, entry.target());
          list(entry, place);
        }
        case ALREADY -> {
          if (context.conflict().skipsSame()) {
            context.insight().kept(entry.target(), "is a name of the same file already");
          }
          list(entry, place);
        }
        case KEPT -> {}
        case OBSTACLE -> copyAsFirst(entry, status);
      }
    } catch (IOException | Failure e) {
      tell(entry, Reasons.atTarget(entry.target(), e));
    }
  }

  private void tell(Entry entry, Failure failure) {
    context.errors().tell(entry.label(), context.ofTarget(entry.folder(), failure));
  }

  private void plan(Entry entry, FileStatus status, CopiedName place) throws IOException, Failure {
    Claim claim = context.claim(entry, status);
    FileStatus existing = claim.isInNew() ? null : claim.directory().statusOf(claim.name());
    boolean isReplaced = context.conflict().skipsSame() && existing != null;
    if (isReplaced && isLinkOfKept(existing, place)) {
      files.planToKeep(claim);
      return;
    }
    if (isReplaced && !existing.isDirectory()) {
      context.conflict().replace(claim, existing);
    } else {
      context.conflict().decide(claim, existing);
    }
    if (claim.isOver()) {
      files.kept(claim);
    } else {
      files.plan(claim, Planned.MAKE_HARD_LINK, -1);
    }
  }

  /// Whether what has a further name is what has the first one, and stays.
  private boolean isLinkOfKept(FileStatus existing, CopiedName place) throws IOException, Failure {
    if (!place.isKept()) {
      return false;
    }
    walk.folders().hold(place.folder());
    try {
      FileStatus first = place.folder().target().statusOf(place.name());
      return first != null && existing.isSameFile(first);
    } finally {
      walk.folders().release(place.folder());
    }
  }

  private void list(Entry entry, CopiedName place) {
    if (place.evidence() != null && context.request().assurance().manifest() != null) {
      place.evidence().alsoNamed(entry.folder().pathInTarget(entry.newName()));
    }
  }

  private Linked link(Entry entry, FileStatus status, CopiedName place, OpenDirectory from)
      throws IOException, Failure {
    Claim claim = context.claim(entry, status);
    if (!claim.isInNew() && links.isThere(claim, from, place.name())) {
      return Linked.ALREADY;
    }
    files.refuseToReplace(claim, status.isRegular());
    if (claim.isOver()) {
      files.kept(claim);
      return Linked.KEPT;
    }
    if (files.keepsData(claim)) {
      // It gets attributes of its own.
      return Linked.OBSTACLE;
    }
    Linked linked = links.link(claim, from, place.name());
    if (linked == Linked.KEPT) {
      files.kept(claim);
    }
    return linked;
  }

  /// Copies a name of a file whose first name could not be copied. What fails is told.
  private void copyAsFirst(Entry entry, FileStatus status) {
    try {
      copier.entry(entry.asFirst(), status.type(), status);
    } catch (Failure | RuntimeException e) {
      tell(entry, Reasons.atTarget(entry.label(), e));
    }
  }

  /// Another name of a file that is copied once. It waits, in no thread's way, until the first is
  /// there, and is linked to it; if the first failed, the next one is copied in its place.
  private final class LinkedName implements WorkerPool.Work {

    private final Entry entry;
    private final FileStatus status;

    /// Null if this is the first name. Written before a worker gets this.
    private CopiedName place;

    LinkedName(Entry entry, FileStatus status) {
      this.entry = entry;
      this.status = status;
    }

    /// @param newPlace where the copy is; null if it is nowhere, and this is the first name now
    void goOn(CopiedName newPlace) {
      place = newPlace;
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
          FurtherNames.this.failed(status);
        }
      } finally {
        walk.oneIsOver(entry.folder());
      }
    }
  }
}
