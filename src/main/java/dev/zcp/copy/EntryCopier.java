package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.HiddenName;
import dev.zcp.tree.Partials.Partial;
import dev.zcp.tree.Partials.Partial.Making;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// Copies what a walk finds, whatever it is: directories are made, and completed when all in them
/// is over; files are for the [FileCopier]; symbolic links, FIFOs and devices are made anew;
/// further names of a file are for the [HardLinkCopier]. Of a dry run it only tells what would be
/// done.
final class EntryCopier implements Visitor {

  private static final int PRIVATE_SPECIAL = 0600;

  private final CopyContext context;
  private final FileCopier files;
  private final HardLinkCopier names;

  /// Guarded by this.
  private final Listing leftovers = new Listing();

  /// Null until the walk begins.
  private Walk walk;

  /// Null until the walk begins, and if nothing is deleted.
  private TreeDeletion deletion;

  EntryCopier(CopyContext context, FileCopier files) {
    this.context = context;
    this.files = files;
    this.names = new HardLinkCopier(context, files, this);
  }

  @Override
  public void begin(Walk newWalk) {
    walk = newWalk;
    files.begin(newWalk);
    names.begin(newWalk);
    deletion = context.request().deleting() == null ? null : new TreeDeletion(context, newWalk);
  }

  /// Deletes what is to go. To be called once, when the walk is over.
  void delete() {
    if (deletion != null) {
      deletion.run();
    }
  }

  // --- Directories

  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws IOException, Failure {
    OpenDirectory parent = folder.parent().target();
    byte[] name = folder.targetName();
    if (deletion != null && folder.parent().isAnchor()) {
      deletion.spare(source.status());
    }
    if (context.request().dryRun()) {
      return plan(folder, parent, name);
    }
    try {
      parent.makeDirectory(
          name, context.preserver().directoryCreationMode(source.status(), parent));
      context.durability().made(parent);
      context.insight().placed(folder.label(), new TargetName(folder.parent(), name));
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
  public void listed(Folder folder, Listing listing) throws Failure {
    if (deletion != null) {
      deletion.look(folder, listing);
    }
  }

  @Override
  public void leave(Folder folder) throws IOException, Failure {
    if (context.request().dryRun() || context.partials().isAbandoned()) {
      return;
    }
    walk.folders().hold(folder);
    try {
      long startedNs = System.nanoTime();
      if (context.request().selection().isFor(ListUse.FINISH)) {
        deleteLeftovers(folder);
      }
      boolean isShared = context.request().selection().isFor(ListUse.SHARD);
      FileStatus status = folder.sourceStatus();
      context
          .preserver()
          .directory(
              folder.source(),
              isShared ? status.withOwnerAccess() : status,
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

  /// Deletes the partial files of copies that were killed, while no other copy runs.
  private synchronized void deleteLeftovers(Folder folder) throws IOException {
    leftovers.begin(folder.target(), 0);
    while (leftovers.fill(folder.target())) {
      while (leftovers.next()) {
        byte[] name = leftovers.name();
        if (HiddenName.isPart(name)
            && leftovers.type() != FileType.DIRECTORY
            && folder.source().statusOf(name) == null) {
          folder.target().remove(name);
        }
      }
    }
  }

  // --- What is no directory

  @Override
  public void entry(Entry entry, int type, FileStatus status) throws Failure {
    if (deletion != null && entry.folder().isAnchor()) {
      deletion.spare(entry);
    }
    if (context.request().form().kind().isLink()) {
      linkTo(entry, status != null ? status : entry.status(entry.follow()));
      return;
    }
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
      if (names.isFirst(entry, status)) {
        isBegun = true;
        files.copy(entry, source, status, names.listener(entry, status));
      }
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    } finally {
      if (claimed != null && !isBegun) {
        names.failed(claimed);
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
    if (!names.isFirst(entry, status)) {
      return;
    }
    boolean made = false;
    try {
      made = make(entry, status);
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    } finally {
      if (made) {
        names.published(entry, status, null);
      } else {
        names.failed(status);
      }
    }
  }

  /// @return whether it is there now
  private boolean make(Entry entry, FileStatus status) throws IOException, Failure {
    byte[] content = status.isSymlink() ? linkContent(entry) : null;
    return put(
        entry,
        status,
        status.isSymlink() ? Made.SYMLINK : Made.SPECIAL,
        name -> make(entry, status, content, name),
        name -> complete(entry, status, name));
  }

  /// Makes an entry under the target's name, in place of what has it.
  ///
  /// @param making makes it, by one call
  /// @param completing gives it its metadata
  /// @return whether it is there now
  private boolean put(Entry entry, FileStatus status, Made made, Making making, Making completing)
      throws IOException, Failure {
    TargetConflict conflict = TargetConflict.of(context.overwriting(), entry, status);
    if (conflict.isOver()) {
      files.kept(entry, conflict, FileCopier.CopyListener.IGNORED);
      return false;
    }
    files.refuseToReplace(conflict, false);
    if (context.request().dryRun()) {
      Planned action =
          switch (made) {
            case SYMLINK -> Planned.MAKE_SYMLINK;
            case HARD_LINK -> Planned.MAKE_HARD_LINK;
            default -> Planned.MAKE_SPECIAL;
          };
      context
          .insight()
          .planned(conflict.planned(action), entry.label().toString(), entry.targetLabel(), -1);
      return true;
    }
    if (!makeNew(entry, conflict, making, completing)) {
      Partial partial = context.partials().begin(entry.folder().target());
      try {
        partial.make(making);
        completing.make(partial.name());
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
    context.insight().made(made);
    context.insight().placed(entry.label(), conflict.label());
    return true;
  }

  /// Makes it under its name at once if nothing has it: there is no time at which it is half there,
  /// but for its times and its owner.
  private static boolean makeNew(
      Entry entry, TargetConflict conflict, Making making, Making completing) throws IOException {
    if (conflict.replaced() != null) {
      return false;
    }
    try {
      making.make(entry.newName());
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    completing.make(entry.newName());
    return true;
  }

  /// Makes a hard link or a symbolic link to the source: `-l` and `-s`.
  private void linkTo(Entry entry, FileStatus status) throws Failure {
    try {
      OpenDirectory target = entry.folder().target();
      if (context.request().form().kind() == CopyForm.CopyKind.SYMLINK) {
        byte[] path = entry.folder().sourcePath(entry.name());
        refuseWrongPath(entry, path);
        put(entry, status, Made.SYMLINK, name -> target.makeLink(name, path), _ -> {});
        return;
      }
      FileStatus existing = TargetConflict.existing(entry);
      if (existing == null || !existing.isSameFile(status)) {
        OpenDirectory source = entry.folder().source();
        put(
            entry,
            status,
            Made.HARD_LINK,
            name -> target.addName(name, source, entry.name(), entry.follow()),
            _ -> {});
      }
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    }
  }

  /// A link with a relative path leads somewhere else from any other directory than the working
  /// directory.
  private static void refuseWrongPath(Entry entry, byte[] path) throws IOException, Failure {
    // Null in a dry run, if the directory would be a new one.
    OpenDirectory target = entry.folder().target();
    if (path[0] != '/'
        && (target == null || !target.status().isSameFile(FileStatus.of(RawPath.of("."))))) {
      throw Failure.of(
              ExitCode.USAGE,
              entry.targetLabel(),
              "a link with a relative path can be made in the working directory only")
          .with("name the source by its absolute path");
    }
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
}
