package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.FileSteps;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.Partials.Partial.Making;
import dev.zcp.place.PlaceOther;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Handle;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import java.io.IOException;

/// Copies what a walk finds, whatever it is: directories are made, and completed when all in them
/// is over; files are for the [FileCopier]; symbolic links, FIFOs and devices are made anew;
/// further names of a file are for the [FurtherNames]. Of a dry run it only tells what would be
/// done.
final class EntryCopier implements Visitor {

  private final CopyContext context;
  private final FileCopier files;
  private final PlaceOther other;
  private final FurtherNames names;

  /// Guarded by this.
  private final Listing leftovers = new Listing();

  /// Null until the walk begins.
  private Walk walk;

  /// Null until the walk begins, and if nothing is deleted.
  private TreeDeletion deletion;

  EntryCopier(CopyContext context, FileCopier files) {
    this.context = context;
    this.files = files;
    this.other = context.placeOther();
    this.names = new FurtherNames(context, files, this);
  }

  @Override
  public void begin(Walk newWalk) {
    walk = newWalk;
    files.begin(newWalk, names);
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
    byte[] name = folder.targetName();
    if (deletion != null && folder.parent().isAnchor()) {
      deletion.spare(source.status());
    }
    Claim claim = directoryClaim(folder, source.status());
    if (context.request().dryRun()) {
      return plan(folder, claim);
    }
    PlaceOther.PlacedDirectory entered;
    try {
      if (context.request().selection().isFor(ListUse.FINISH)) {
        requireThere(claim);
      }
      entered = other.directory(claim);
    } catch (IOException e) {
      throw context.ofTarget(
          folder.parent(), Reasons.destination(folder.parent().targetLabel(name), e));
    }
    if (entered.created()) {
      context.insight().placed(folder.label(), new TargetName(folder.parent(), name));
    }
    return new Entered(entered.directory(), entered.created());
  }

  /// The shards have made all directories that are to be completed.
  private static void requireThere(Claim claim) throws IOException, Failure {
    if (claim.directory().statusOf(claim.name()) == null) {
      throw Failure.of(ExitCode.DESTINATION, claim.label(), "no such directory")
          .with("name the TARGET that the shards were copied to");
    }
  }

  private Claim directoryClaim(Folder folder, FileStatus status) {
    Entry entry =
        new Entry(
            folder.parent(), folder.sourceName(), folder.targetName(), folder.followLink(), true);
    return context.claim(entry, status);
  }

  /// A directory that is not there has no target.
  private Entered plan(Folder folder, Claim claim) throws IOException, Failure {
    FileStatus existing = claim.isInNew() ? null : claim.directory().statusOf(claim.name());
    if (existing != null) {
      if (!context.conflict().clear(claim)) {
        return new Entered(other.existing(claim), false);
      }
      context.conflict().rememberPlanned(claim, existing);
    }
    context
        .insight()
        .planned(
            Planned.MAKE_DIRECTORY,
            folder.label().toString(),
            folder.parent().targetLabel(folder.targetName()),
            -1);
    return new Entered(null, true);
  }

  @Override
  public void listed(Folder folder, Listing listing) throws Failure {
    if (deletion != null) {
      deletion.look(folder, listing);
    }
  }

  @Override
  public void leave(Folder folder) throws Failure {
    if (context.partials().isAbandoned()) {
      return;
    }
    if (context.request().dryRun()) {
      planCorrection(folder);
      return;
    }
    walk.folders().hold(folder);
    try {
      if (context.request().selection().isFor(ListUse.FINISH)) {
        deleteLeftovers(folder);
      }
      if (folder.created() || !folder.isImplied()) {
        complete(folder);
      }
      context.durability().made(folder.target());
      if (folder.created()) {
        context.insight().made(Made.DIRECTORY);
      }
      walk.folders().complete(folder);
    } catch (IOException e) {
      String target = folder.parent().targetLabel(folder.targetName());
      throw context.ofTarget(folder, Reasons.destination(target, e));
    } finally {
      walk.folders().release(folder);
    }
  }

  /// Tells whether a directory that is there would get other metadata than it has.
  private void planCorrection(Folder folder) throws Failure {
    if (folder.created() || folder.isImplied() || folder.targetStatus() == null) {
      return;
    }
    walk.folders().hold(folder);
    try {
      Handle source = Handle.of(folder.source().descriptor());
      Handle target = Handle.of(folder.target());
      if (context
          .metadata()
          .differs(source, folder.sourceStatus(), target, folder.target().now())) {
        context
            .insight()
            .planned(
                Planned.CORRECT_ATTRIBUTES,
                folder.label().toString(),
                folder.parent().targetLabel(folder.targetName()),
                -1);
      }
    } catch (IOException e) {
      throw Reasons.destination(folder.parent().targetLabel(folder.targetName()), e);
    } finally {
      walk.folders().release(folder);
    }
  }

  private void complete(Folder folder) throws IOException {
    long startedNs = System.nanoTime();
    boolean isShared = context.request().selection().isFor(ListUse.SHARD);
    FileStatus status = folder.sourceStatus();
    context
        .metadata()
        .directory(
            Handle.of(folder.source().descriptor()),
            isShared ? status.withOwnerAccess() : status,
            folder.target(),
            folder.created(),
            folder.label());
    context.insight().sample(Stage.METADATA, System.nanoTime() - startedNs);
  }

  /// Deletes the partial files of copies that were killed, while no other copy runs.
  private synchronized void deleteLeftovers(Folder folder) throws IOException {
    leftovers.begin(folder.target(), 0);
    while (leftovers.next(folder.target())) {
      byte[] name = leftovers.name();
      if (HiddenName.isPart(name)
          && leftovers.type() != FileType.DIRECTORY
          && folder.source().statusOf(name) == null) {
        folder.target().remove(name);
      }
    }
  }

  // --- What is no directory

  @Override
  public void entry(Entry entry, int type, FileStatus status) throws Failure {
    try {
      take(entry, type, status);
    } catch (IOException e) {
      throw context.ofTarget(entry.folder(), Reasons.destination(entry.targetLabel(), e));
    }
  }

  /// @throws IOException if the target fails
  private void take(Entry entry, int type, FileStatus status) throws IOException, Failure {
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
  private void copyFile(Entry entry, FileStatus claimed) throws IOException, Failure {
    if (claimed == null && keepsSame(entry)) {
      return;
    }
    boolean isBegun = false;
    FileCopier.CopiedFile file = files.task();
    try (NativeFile source = files.open(file, entry)) {
      FileStatus status = source.status();
      file.stamp(FileSteps.OPENED);
      if (!status.isRegular()) {
        // Its listing said otherwise, and somebody was faster.
        throw Failure.of(ExitCode.SOURCE, entry, "is not a regular file any more");
      }
      if (claimed != null && !claimed.isSameFile(status)) {
        throw Failure.of(ExitCode.SOURCE, entry, "was replaced by another file meanwhile");
      }
      if (names.isFirst(entry, status)) {
        isBegun = true;
        files.copy(file, entry, source, status);
      }
    } catch (IOException e) {
      throw Reasons.source(entry, e);
    } finally {
      if (claimed != null && !isBegun) {
        names.failed(claimed);
      }
    }
  }

  private void copyOther(Entry entry, FileStatus status) throws IOException, Failure {
    if (!status.isSymlink() && !context.request().selection().specials()) {
      if (context.request().selection().names() != null) {
        throw Failure.of(ExitCode.SOURCE, entry.label(), "is not a regular file")
            .with("-a makes it anew");
      }
      files.copyStream(entry, status);
      return;
    }
    if (!names.isFirst(entry, status)) {
      return;
    }
    Claim made = null;
    try {
      made = make(entry, status);
    } finally {
      if (made != null) {
        names.published(entry, status, made.isOver(), null);
      } else {
        names.failed(status);
      }
    }
  }

  /// @return what is there now, or null
  private Claim make(Entry entry, FileStatus status) throws IOException, Failure {
    byte[] link = status.isSymlink() ? linkContent(entry) : null;
    Claim claim = context.claim(entry, status);
    AttributeSource attributes = Handle.of(entry.folder().source().descriptor(), entry.name());
    lookAtOther(claim, link, attributes);
    if (claim.isOver()) {
      keep(claim, attributes);
      return context.conflict().linksToKept() ? claim : null;
    }
    Made made = status.isSymlink() ? Made.SYMLINK : Made.SPECIAL;
    boolean isMade =
        mayMake(claim, made)
            && tellMade(
                claim,
                made,
                context.request().dryRun()
                    || other.make(claim, new PlaceOther.EntryContent(link, attributes)));
    return isMade ? claim : null;
  }

  /// With `--skip-same` a link, a FIFO or a device that is there already stays.
  private void lookAtOther(Claim claim, byte[] link, AttributeSource attributes)
      throws IOException, Failure {
    FileStatus there = claim.isInNew() ? null : claim.directory().statusOf(claim.name());
    boolean isKept =
        there != null
            && context.request().policy().skipSame()
            && other.isThere(claim, there, link)
            && other.keepSame(claim, there, () -> attributes);
    if (!isKept) {
      context.conflict().decide(claim, there);
    }
  }

  /// What is the same as its source gets the metadata of it all the same.
  private void keep(Claim claim, AttributeSource attributes) throws IOException {
    if (claim.isSame() && !context.request().dryRun()) {
      other.correct(claim, attributes);
    } else if (claim.isSame() && other.needsCorrection(claim, attributes)) {
      files.tellPlanned(claim, Planned.CORRECT_ATTRIBUTES, -1);
      return;
    }
    files.kept(claim);
  }

  /// Keeps a file that has the size and the time of its source, if that is asked for: neither is
  /// opened.
  ///
  /// @return whether it is done with
  private boolean keepsSame(Entry entry) throws IOException, Failure {
    Folder folder = entry.folder();
    if (!context.request().policy().skipSame() || folder.created() || folder.target() == null) {
      return false;
    }
    FileStatus status = entry.status(entry.follow());
    FileStatus there = folder.target().statusOf(entry.newName());
    boolean isOneName = status.links() == 1 || !context.request().preserve().links();
    if (!isOneName || there == null || !there.isRegular() || !FileAge.isSame(there, status)) {
      return false;
    }
    Claim claim = context.claim(entry, status);
    context.conflict().decide(claim, there);
    if (!claim.isSame()) {
      return false;
    }
    keep(claim, Handle.of(folder.source().descriptor(), entry.name()));
    return true;
  }

  /// @return false if what has the name stays, or if it was only told what would be done
  private boolean mayMake(Claim claim, Made made) throws IOException, Failure {
    if (claim.isOver()) {
      files.kept(claim);
      return false;
    }
    files.refuseToReplace(claim, false);
    if (context.request().dryRun()) {
      Planned action =
          switch (made) {
            case SYMLINK -> Planned.MAKE_SYMLINK;
            case HARD_LINK -> Planned.MAKE_HARD_LINK;
            default -> Planned.MAKE_SPECIAL;
          };
      files.plan(claim, action, -1);
    }
    return true;
  }

  /// @param isMade false if something took the name meanwhile, and stays
  private boolean tellMade(Claim claim, Made made, boolean isMade) {
    if (!isMade) {
      files.kept(claim);
    } else if (!context.request().dryRun()) {
      context.insight().made(made);
      context.insight().placed(claim.sourceLabel(), claim.label());
    }
    return isMade;
  }

  /// Makes a hard link or a symbolic link to the source: `-l` and `-s`.
  private void linkTo(Entry entry, FileStatus status) throws IOException, Failure {
    OpenDirectory target = entry.folder().target();
    Claim claim = context.claim(entry, status);
    if (context.request().form().kind() == CopyForm.CopyKind.SYMLINK) {
      byte[] path = entry.folder().sourcePath(entry.name());
      refuseWrongPath(entry, path);
      put(claim, Made.SYMLINK, name -> target.makeLink(name, path));
      return;
    }
    FileStatus existing = claim.isInNew() ? null : target.statusOf(entry.newName());
    if (existing == null || !existing.isSameFile(status)) {
      OpenDirectory source = entry.folder().source();
      put(
          claim,
          Made.HARD_LINK,
          name -> target.addName(name, source, entry.name(), entry.follow()));
    }
  }

  private void put(Claim claim, Made made, Making making) throws IOException, Failure {
    context.conflict().look(claim);
    if (mayMake(claim, made)) {
      tellMade(claim, made, context.request().dryRun() || other.make(claim, making));
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

  private static byte[] linkContent(Entry entry) throws Failure {
    try {
      return entry.folder().source().readLink(entry.name());
    } catch (IOException e) {
      throw entry.failure(e);
    }
  }
}
