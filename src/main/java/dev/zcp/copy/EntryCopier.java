package dev.zcp.copy;

import dev.zcp.copy.Verification.Evidence;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Listing;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.Partial;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.walk.WorkerPool;
import dev.zcp.walk.WorkerPool.Worker;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// Copies what a walk finds, whatever it is: directories are made, and completed when all in them
/// is over; files are for the [FileCopier]; symbolic links, FIFOs and devices are made anew; names
/// of one file are linked. Of a dry run it only tells what would be done.
final class EntryCopier implements Visitor {

  private static final int PRIVATE_SPECIAL = 0600;

  private final CopyContext context;
  private final FileCopier files;
  private final boolean preservesLinks;
  private final boolean followsLinks;
  private final HardLinks<CopiedName, OtherName> firstNames;

  /// Null until the walk begins.
  private Walk walk;

  EntryCopier(CopyContext context, FileCopier files) {
    this.context = context;
    this.files = files;
    this.preservesLinks = context.request().preserve().links();
    this.followsLinks = context.request().selection().links() != Links.KEPT;
    // If links are followed, more names may come than the file has.
    this.firstNames = new HardLinks<>(followsLinks);
  }

  @Override
  public void begin(Walk newWalk) {
    walk = newWalk;
    files.begin(newWalk);
  }

  // --- Directories

  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws IOException, Failure {
    OpenDirectory parent = folder.parent().target();
    byte[] name = folder.targetName();
    if (context.request().dryRun()) {
      return plan(folder, parent, name);
    }
    try {
      parent.makeDirectory(
          name, context.preserver().directoryCreationMode(source.status(), parent));
      context.durability().made(parent);
      return new Entered(parent.newDirectory(name), true);
    } catch (FileAlreadyExistsException e) {
      refuseOtherThanDirectory(folder);
      return new Entered(parent.directory(name, false), false);
    }
  }

  /// A directory that is not there has no target.
  private Entered plan(Folder folder, OpenDirectory parent, byte[] name)
      throws IOException, Failure {
    if (parent != null && parent.statusOf(name) != null) {
      refuseOtherThanDirectory(folder);
      return new Entered(parent.directory(name, false), false);
    }
    context
        .insight()
        .planned(
            Planned.MAKE_DIRECTORY,
            folder.label().toString(),
            folder.parent().targetLabel(name),
            -1);
    return new Entered(null, true);
  }

  private static void refuseOtherThanDirectory(Folder folder) throws IOException, Failure {
    Folder parent = folder.parent();
    FileStatus existing = parent.target().statusOf(folder.targetName());
    if (existing != null && !existing.isDirectory()) {
      throw Failure.of(
          ExitCode.EXISTS,
          parent.targetLabel(folder.targetName()),
          "is not a directory, but " + folder.label() + " is");
    }
  }

  @Override
  public void listed(Folder folder, Listing listing) {
    // What else the target has stays as it is.
  }

  @Override
  public void leave(Folder folder) throws IOException, Failure {
    if (context.request().dryRun() || context.partials().isAbandoned()) {
      return;
    }
    walk.folders().hold(folder);
    try {
      long startedNs = System.nanoTime();
      context
          .preserver()
          .directory(
              folder.source(),
              folder.sourceStatus(),
              folder.target(),
              folder.created(),
              folder.label());
      context.insight().sample(Stage.METADATA, System.nanoTime() - startedNs);
      context.durability().made(folder.target());
      if (folder.created()) {
        context.insight().made(Made.DIRECTORY);
      }
      walk.folders().complete(folder);
    } finally {
      walk.folders().release(folder);
    }
  }

  // --- What is no directory

  @Override
  public void entry(Entry entry, int type, FileStatus status) throws Failure {
    switch (type) {
      case FileType.REGULAR -> copyFile(entry, entry.isFirst() ? status : null);
      case FileType.SOCKET -> skip(entry);
      default -> copyOther(entry, status != null ? status : entry.status(entry.follow()));
    }
  }

  private void skip(Entry entry) {
    String label = entry.label().toString();
    if (context.request().dryRun()) {
      context.insight().planned(Planned.SKIP, label, entry.targetLabel(), -1);
    } else {
      context.insight().skipped(label, "is a socket, and is not copied");
    }
  }

  /// @param claimed the file whose further names wait for this one, or null if none do
  private void copyFile(Entry entry, FileStatus claimed) throws Failure {
    boolean isBegun = false;
    try (NativeFile source = files.open(entry)) {
      FileStatus status = source.status();
      if (!status.isRegular()) {
        // Its listing said otherwise, and somebody was faster.
        throw Failure.of(ExitCode.SOURCE, entry.label().toString(), "is no regular file any more");
      }
      if (claimed != null && !claimed.isSameFile(status)) {
        throw Failure.of(
            ExitCode.SOURCE, entry.label().toString(), "was replaced by another file meanwhile");
      }
      if (isFirst(entry, status)) {
        isBegun = true;
        files.copy(
            entry,
            source,
            status,
            concerns(status) ? new FirstName(entry, status) : FileCopier.CopyListener.IGNORED);
      }
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    } finally {
      if (claimed != null && !isBegun) {
        failed(claimed);
      }
    }
  }

  private void copyOther(Entry entry, FileStatus status) throws Failure {
    if (!status.isSymlink() && !context.request().selection().specials()) {
      if (context.request().selection().names() != null) {
        throw Failure.of(ExitCode.SOURCE, entry.label().toString(), "is no regular file")
            .with("-a makes it anew");
      }
      files.copyStream(entry, status);
      return;
    }
    if (!isFirst(entry, status)) {
      return;
    }
    boolean made = false;
    try {
      made = make(entry, status);
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    } finally {
      if (made) {
        published(entry, status, null);
      } else {
        failed(status);
      }
    }
  }

  /// @return whether it is there now
  private boolean make(Entry entry, FileStatus status) throws IOException, Failure {
    TargetConflict conflict = TargetConflict.of(context.overwriting(), entry, status);
    if (conflict.isOver()) {
      files.kept(entry, conflict, FileCopier.CopyListener.IGNORED);
      return false;
    }
    if (context.request().dryRun()) {
      Planned action = status.isSymlink() ? Planned.MAKE_SYMLINK : Planned.MAKE_SPECIAL;
      context
          .insight()
          .planned(conflict.planned(action), entry.label().toString(), entry.targetLabel(), -1);
      return true;
    }
    byte[] content = status.isSymlink() ? linkContent(entry) : null;
    if (!makeNew(entry, status, content, conflict)) {
      Partial partial = context.partials().begin(entry.folder().target());
      try {
        partial.make(name -> make(entry, status, content, name));
        complete(entry, status, partial.name());
        conflict.reveal(partial);
      } finally {
        partial.discard();
      }
      if (conflict.isOver()) {
        files.kept(entry, conflict, FileCopier.CopyListener.IGNORED);
        return false;
      }
    }
    context.durability().made(entry.folder().target());
    context.insight().made(status.isSymlink() ? Made.SYMLINK : Made.SPECIAL);
    return true;
  }

  /// Makes it under its name at once if nothing has it: there is no time at which it is half there,
  /// but for its times and its owner.
  private boolean makeNew(Entry entry, FileStatus status, byte[] content, TargetConflict conflict)
      throws IOException {
    if (conflict.replaced() != null) {
      return false;
    }
    try {
      make(entry, status, content, entry.newName());
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    complete(entry, status, entry.newName());
    return true;
  }

  private static void make(Entry entry, FileStatus status, byte[] content, byte[] name)
      throws IOException {
    OpenDirectory target = entry.folder().target();
    if (content != null) {
      target.makeLink(name, content);
    } else {
      target.makeSpecial(name, status.type() | PRIVATE_SPECIAL, status.represents());
    }
  }

  private void complete(Entry entry, FileStatus status, byte[] name) throws IOException {
    context
        .preserver()
        .special(
            entry.folder().source(),
            entry.name(),
            status,
            entry.folder().target(),
            name,
            entry.label());
  }

  private static byte[] linkContent(Entry entry) throws Failure {
    try {
      return entry.folder().source().readLink(entry.name());
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  // --- Names of one file

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
      EntryCopier.this.published(entry, status, evidence);
    }

    @Override
    public void failed() {
      EntryCopier.this.failed(status);
    }
  }

  /// Whether the file may have other names in the tree.
  private boolean concerns(FileStatus status) {
    return preservesLinks && (status.links() > 1 || followsLinks);
  }

  /// Whether this name is to be copied: the first of its file. Others are linked, now or later.
  private boolean isFirst(Entry entry, FileStatus status) throws Failure {
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

  private void published(Entry entry, FileStatus status, Evidence evidence) {
    if (concerns(status)) {
      CopiedName place = new CopiedName(entry.folder(), entry.newName(), evidence);
      for (OtherName waiter : firstNames.published(status, place)) {
        waiter.linkTo(place);
      }
    }
  }

  private void failed(FileStatus status) {
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
          context.durability().made(entry.folder().target());
          list(entry, place);
        }
        case ALREADY -> list(entry, place);
        case KEPT -> {}
        case OBSTACLE -> copyAsFirst(entry, status);
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
    OBSTACLE
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
      entry(entry.asFirst(), status.type(), status);
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
