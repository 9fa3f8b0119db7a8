package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.Libc;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.session.RefusedMetadata;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.AttributeCapture;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.tree.Handle;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Listing;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Offers what a walk finds. Each entry counts as one of its folder's pending things until it was
/// sent, so a folder is left when nothing more will be offered in it.
final class OutgoingVisitor implements Visitor {

  private final SendRequest request;
  private final Outlet outlet;
  private final Insight insight;
  private final Losses losses;
  private final OutgoingTree tree;

  /// Which path at the receiver is whose, if the contents of several operands go into one
  /// directory, so that none of them takes another's place. Directories become one, and are not
  /// noted. Null if no two can meet.
  private final Map<EntryPath, Object> labels;

  // What follows changes once, when it is known what the receiver keeps. Until then all that was
  // asked for is offered, except files with several names: these wait.
  private volatile boolean isAgreed;
  private volatile OtherNames names;
  private volatile RefusedMetadata refused;
  private volatile boolean losesLinks;

  /// Also of what the receiver does not take: so it is known whether anything is lost.
  private final AttributeCapture capture;

  /// What the walk asks files that say that they are empty for.
  private final ByteBuffer oneByte = ByteBuffer.allocateDirect(1);

  /// What was offered of the folders under way.
  private final Map<Folder, Outgoing> directories = new ConcurrentHashMap<>();

  private final PartGathering gathering;

  /// Folders under way in which nothing needs to be offered: one that they are in was refused, or
  /// they have vanished.
  private final Set<Folder> vain = ConcurrentHashMap.newKeySet();

  /// Set once, before the walk begins.
  private Walk walk;

  /// Null if there is no list.
  private ListedFolder listed;

  /// The directory that all names of a list are in. Whether it is one of them is known at the end.
  ///
  /// @param whole offered then, if it is
  private record ListedFolder(Folder folder, Outgoing whole) {}

  /// What follows from an entry that its folder waits for.
  private record PendingFolder(Walk walk, Folder folder, Outgoing.Aftermath after)
      implements Outgoing.Aftermath {

    @Override
    public void over(Outgoing entry, boolean well) {
      after.over(entry, well);
    }

    @Override
    public void sent() {
      walk.oneIsOver(folder);
    }
  }

  /// @param mayMeet whether two operands may have something of one path
  OutgoingVisitor(
      SendRequest request,
      Outlet outlet,
      Insight insight,
      Losses losses,
      OutgoingTree tree,
      boolean mayMeet) {
    this.request = request;
    this.outlet = outlet;
    this.insight = insight;
    this.losses = losses;
    this.tree = tree;
    this.labels = mayMeet ? new HashMap<>() : null;
    this.names = new OtherNames(0, false);
    this.gathering = new PartGathering(this, outlet, directories);
    this.capture = capture();
    this.refused = new RefusedMetadata(0, 0, losses);
  }

  /// Of all that is to be kept. Each belongs to one thread.
  AttributeCapture capture() {
    int keeps = tree.keeps();
    return new AttributeCapture(
        Keep.XATTR.isIn(keeps),
        Keep.ACL.isIn(keeps),
        Limits.ATTRIBUTES_BYTES_MAX,
        ExtendedAttribute.FIXED_BYTES,
        losses);
  }

  /// Whether more may be kept of a file than a look tells: attributes, or further names. A look may
  /// be said before it is known what the receiver keeps. The folder is held.
  boolean mayKeepMore(Entry entry, FileStatus status) {
    return Keep.HARD_LINKS.isIn(tree.keeps()) && status.links() > 1
        || capture.isNeeded() && (entry.follow() || hasAttributes(entry));
  }

  private static boolean hasAttributes(Entry entry) {
    int directory = entry.folder().source().descriptor();
    return Handle.of(directory, entry.name()).listAttributes(AttributeSource.NO_ROOM) != 0;
  }

  /// Goes by what the receiver keeps from now on, if that is known.
  private void agreeIfKnown() {
    if (!isAgreed && outlet.isAgreed()) {
      agree();
    }
  }

  /// As [#agreeIfKnown], but waits until that is known, or the session is over.
  private void agree() {
    if (isAgreed) {
      return;
    }
    int keeps = outlet.keeps() & tree.keeps();
    synchronized (this) {
      if (!isAgreed && outlet.isAgreed()) {
        names = new OtherNames(keeps, request.selection().links() != Links.KEPT);
        refused = new RefusedMetadata(tree.keeps() & ~keeps & ~Keep.OWNER.bit(), 0, losses);
        losesLinks = request.preserve().links() && !Keep.HARD_LINKS.isIn(keeps);
        isAgreed = true;
      }
    }
  }

  @Override
  public void begin(Walk begun) {
    walk = begun;
  }

  /// Waits for the names that wait for the first name of their file, and offers them.
  void finish() {
    gathering.flush();
    agree();
    while (names.isAnyWaiting() && awaitReleased()) {
      goOn();
    }
    if (listed != null && !listed.folder().isImplied()) {
      tree.offer(listed.whole());
      outlet.ended(listed.whole());
    }
  }

  /// Waits until another directory has room. Names that wait keep those that they are in from being
  /// over, and only this thread can offer them: so it does, as soon as they need not wait any more.
  ///
  /// @throws Failure SOURCE if nothing is under way but the directories that this one is in
  private void awaitRoom(Folder folder) throws Failure {
    if (hasRoom()) {
      return;
    }
    gathering.flush();
    int above = above(folder);
    while (!hasRoom() && !tree.isOver()) {
      outlet.await(() -> hasRoom() || names.hasReleased() || tree.isOver() || isAlone(above));
      goOn();
      if (!hasRoom() && isAlone(above)) {
        throw Failure.of(
            ExitCode.SOURCE, folder.label().toString(), "is too deep in the tree to be sent");
      }
    }
  }

  List<ExtendedAttribute> attributes(AttributeCapture of, NativeFile file, Entry entry) {
    agree();
    return Drafts.attributes(refused.taken(of.of(file, entry), entry));
  }

  OpenFolders folders() {
    return walk.folders();
  }

  /// As [#attributes(AttributeCapture, NativeFile, Entry)], of a file that is not opened.
  List<ExtendedAttribute> attributes(AttributeCapture of, Entry entry, FileStatus status)
      throws IOException {
    agree();
    return Drafts.attributes(refused.taken(given(of, entry, status), entry));
  }

  /// All files of a folder that are in a part were sent.
  void sent(Folder folder) {
    walk.oneIsOver(folder);
  }

  /// Offers the files of a part one by one: the receiver takes none in parts. To be called by the
  /// thread that walks.
  void offerEach(OutgoingPart files) {
    for (int i = 0; i < files.count; i++) {
      Entry entry = files.entries[i];
      if (isVain(entry.folder()) || !offerHeld(entry, files.statuses[i], null)) {
        // Its other names wait for it.
        overOfNames(files.statuses[i], false, 0);
      }
    }
    files.sent();
  }

  /// A file of a part is over.
  ///
  /// @param fileId if it is there
  void over(Entry entry, FileStatus status, boolean isThere, long fileId) {
    overOfNames(status, isThere, fileId);
    if (isThere) {
      agree();
      refused.look(status.wholeMode(), status.owner(), status.group(), entry);
    }
  }

  /// Whether further names of a file may be offered once it is there.
  boolean mayGetNames(FileStatus status) {
    return names.concerns(status);
  }

  private void overOfNames(FileStatus status, boolean isThere, long fileId) {
    if (names.concerns(status)) {
      names.over(status, isThere, fileId);
      outlet.wake();
    }
  }

  /// A file of a part has grown: it is offered. Its folder is held.
  void grown(Entry entry, FileStatus status) throws Failure {
    EntryPath path = path(entry.folder(), entry.newName(), entry.label());
    Offered draft = Drafts.file(path, status.sizeBytes(), status, List.of());
    entry.folder().oneMore();
    Outgoing.Aftermath aftermath = (outgoing, well) -> over(entry, status, outgoing, well);
    outlet.offerAnew(
        outgoing(entry, status, draft, new PendingFolder(walk, entry.folder(), aftermath)));
  }

  private boolean hasRoom() {
    return outlet.hasRoom(EntryKind.DIRECTORY);
  }

  private boolean isAlone(int directories) {
    return outlet.underWay() <= directories && !names.isAnyWaiting();
  }

  /// How many of the directories under way this one is in.
  private int above(Folder folder) {
    int count = 0;
    for (Folder each = folder.parent(); each != null; each = each.parent()) {
      count += directories.containsKey(each) ? 1 : 0;
    }
    return count;
  }

  /// @return false if the session is over
  private boolean awaitReleased() {
    gathering.flush();
    outlet.await(() -> names.hasReleased() || tree.isOver());
    return names.hasReleased() && !tree.isOver();
  }

  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws Failure {
    if (isVain(folder.parent())) {
      vain.add(folder);
      return Entered.NOTHING;
    }
    gathering.flushIfOld();
    awaitRoom(folder);
    agreeIfKnown();
    EntryPath path =
        OutgoingTree.isContent(folder)
            ? EntryPath.TOP
            : path(folder.parent(), folder.targetName(), folder.label());
    boolean isShared = request.selection().isFor(ListUse.SHARD);
    FileStatus status = isShared ? source.status().withOwnerAccess() : source.status();
    List<GivenAttribute> given = refused.taken(capture.of(source, folder.label()), folder.label());
    Entry entry =
        new Entry(
            folder.parent(), folder.sourceName(), folder.targetName(), folder.followLink(), false);
    Outgoing.Aftermath after = (sent, well) -> look(well, status, sent, folder.label());
    Outgoing directory =
        outgoing(entry, status, Drafts.other(EntryKind.DIRECTORY, path, status, given), after);
    if (folder.parent().isAnchor() && request.selection().isFor(ListUse.COPY)) {
      listed = new ListedFolder(folder, directory);
      directory = outgoing(entry, status, Drafts.other(EntryKind.WAY, path, status, given), after);
    }
    directories.put(folder, directory);
    tree.offer(directory);
    return Entered.NOTHING;
  }

  @Override
  public void entry(Entry entry, int type, FileStatus known) throws Failure {
    goOn();
    // Of parts it is looked at when they are sent.
    if (!gathering.isGathering(entry.folder()) && isVain(entry.folder())) {
      return;
    }
    FileStatus status = known != null ? known : entry.status(entry.follow());
    if (type == FileType.SOCKET) {
      EntryPath path = path(entry.folder(), entry.newName(), entry.label());
      Offered draft = Drafts.other(EntryKind.SOCKET, path, status, List.of());
      offer(entry, status, draft, Outgoing.NO_AFTERMATH);
      return;
    }
    requireSendable(entry, type, status);
    if (request.preserve().links() && status.links() > 1) {
      agree();
    } else {
      agreeIfKnown();
    }
    if (names.concerns(status)) {
      claim(entry, status);
      return;
    }
    if (losesLinks && status.links() > 1) {
      losses.add(Loss.LossKind.HARD_LINK, entry.label(), "the receiver was not told to make such");
    }
    sendFirst(entry, status);
  }

  /// Sends what is the first name of its file, or the only one; its folder is held.
  private void sendFirst(Entry entry, FileStatus status) throws Failure {
    boolean isInPart = false;
    try {
      isInPart = goesInPart(entry, status);
    } catch (Failure failure) {
      overOfNames(status, false, 0);
      throw failure;
    }
    if (isInPart) {
      gathering.add(entry, status);
    } else {
      offerFirst(entry, status);
    }
  }

  private boolean goesInPart(Entry entry, FileStatus status) throws Failure {
    if (labels != null || !gathering.takes(entry.folder(), status)) {
      return false;
    }
    try {
      return size(entry, status) == status.sizeBytes();
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  @Override
  public void listed(Folder folder, Listing listing) throws Failure {
    try {
      if (folder.isSourceDeleted()) {
        throw Failure.of(
            ExitCode.SOURCE, folder.label().toString(), "was deleted while it was sent");
      }
    } catch (IOException e) {
      throw Reasons.source(folder.label(), e);
    }
  }

  @Override
  public void leave(Folder folder) {
    vain.remove(folder);
    Outgoing directory = directories.remove(folder);
    // Where only one above it was refused, the receiver may have taken this one, and waits.
    if (directory != null && !directory.isRefused) {
      outlet.ended(directory);
    }
  }

  /// Whether nothing in this folder needs to be offered, since a directory that it is in, or it
  /// itself, was not taken or has vanished.
  private boolean isVain(Folder folder) {
    Outgoing directory = directories.get(folder);
    boolean isRefused = directory != null && (directory.isRefused || directory.isBelowRefused());
    return isRefused || vain.contains(folder);
  }

  private void requireSendable(Entry entry, int type, FileStatus status) throws Failure {
    if (status.type() != type) {
      throw Failure.of(
          ExitCode.SOURCE,
          entry.label().toString(),
          "was replaced by something of another kind meanwhile");
    }
    if (!status.isRegular() && !status.isSymlink() && !request.selection().specials()) {
      throw Failure.of(ExitCode.SOURCE, entry.label().toString(), "is not a regular file")
          .with("-a makes it anew");
    }
  }

  private void claim(Entry entry, FileStatus status) throws Failure {
    while (!names.hasRoom() && awaitReleased()) {
      goOn();
    }
    entry.folder().oneMore();
    HardLinks.NameClaim<Long> claim = names.claim(new OtherNames.Waiting(entry, status));
    if (claim instanceof HardLinks.Waits) {
      return;
    }
    walk.oneIsOver(entry.folder());
    if (claim instanceof HardLinks.At<Long>(Long firstId)) {
      offerName(entry, status, firstId);
    } else {
      sendFirst(entry, status);
    }
  }

  /// Offers the names that need not wait any more. To be called now and then by the thread that
  /// walks: what they hold back may be what it waits for.
  private void goOn() {
    for (OtherNames.Released next = names.takeReleased();
        next != null;
        next = names.takeReleased()) {
      goOn(next.name().entry(), next.name().status(), next.firstId());
    }
  }

  /// A name that waited; its folder is held by nobody.
  private void goOn(Entry entry, FileStatus status, Long firstId) {
    boolean reached = !isVain(entry.folder()) && offerHeld(entry, status, firstId);
    if (!reached && firstId == null) {
      names.over(status, false, 0);
    }
    walk.oneIsOver(entry.folder());
  }

  /// Offers an entry whose folder is held by nobody.
  ///
  /// @param firstId the entry that it is another name of; null if it is none
  /// @return false if its folder cannot be opened
  private boolean offerHeld(Entry entry, FileStatus status, Long firstId) {
    boolean reached = false;
    try {
      walk.folders().hold(entry.folder());
      try {
        reached = true;
        if (firstId == null) {
          offerFirst(entry, status);
        } else {
          offerName(entry, status, firstId);
        }
      } finally {
        walk.folders().release(entry.folder());
      }
    } catch (Failure failure) {
      if (!reached && failure.exitCode() == ExitCode.VANISHED) {
        // Told once, and not for each of its files.
        vain.add(entry.folder());
      }
      tree.tell(entry.label(), failure);
    } catch (RuntimeException e) {
      tree.tell(entry.label(), Reasons.defect(entry.label(), e));
    }
    return reached;
  }

  /// Offers another name of a file that is there.
  private void offerName(Entry entry, FileStatus status, long firstId) throws Failure {
    EntryPath path = path(entry.folder(), entry.newName(), entry.label());
    take(path, entry.label());
    Offered draft = Drafts.hardLink(path, status, firstId);
    offer(entry, status, draft, Outgoing.NO_AFTERMATH);
  }

  /// Offers what is the first name of its file, or the only one.
  private void offerFirst(Entry entry, FileStatus status) throws Failure {
    boolean drafted = false;
    try {
      Outgoing.Aftermath aftermath = (outgoing, well) -> over(entry, status, outgoing, well);
      Offered draft = draft(entry, status);
      // Only now, since what cannot be read keeps no path from another.
      take(draft.path(), entry.label());
      drafted = true;
      offer(entry, status, draft, aftermath);
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    } finally {
      if (!drafted && names.concerns(status)) {
        names.over(status, false, 0);
      }
    }
  }

  private Offered draft(Entry entry, FileStatus status) throws IOException, Failure {
    EntryPath path = path(entry.folder(), entry.newName(), entry.label());
    List<GivenAttribute> given = refused.taken(given(capture, entry, status), entry.label());
    return switch (status.type()) {
      case FileType.REGULAR -> Drafts.file(path, size(entry, status), status, given);
      case FileType.SYMLINK ->
          Drafts.link(path, status, given, entry.folder().source().readLink(entry.name()));
      case FileType.FIFO -> Drafts.other(EntryKind.FIFO, path, status, given);
      case FileType.CHARACTER_DEVICE ->
          Drafts.other(EntryKind.CHARACTER_DEVICE, path, status, given);
      case FileType.BLOCK_DEVICE -> Drafts.other(EntryKind.BLOCK_DEVICE, path, status, given);
      default ->
          throw Failure.of(
              ExitCode.SOURCE, entry.label().toString(), "is of a kind that cannot be sent");
    };
  }

  private static List<GivenAttribute> given(AttributeCapture of, Entry entry, FileStatus status)
      throws IOException {
    if (!of.isNeeded()) {
      return List.of();
    }
    OpenDirectory directory = entry.folder().source();
    if (entry.follow() && status.isRegular()) {
      try (NativeFile file = directory.file(entry.name(), true)) {
        return of.of(file, entry.label());
      }
    }
    return of.of(directory, entry.name(), entry.label());
  }

  /// Files of procfs say that they are empty and hold something, those of sysfs that they are a
  /// page long: they go as streams.
  private long size(Entry entry, FileStatus status) throws IOException {
    if (status.sizeBytes() > 0) {
      boolean isKnown =
          status.sizeBytes() != OwnProcess.pageBytes()
              || !Libc.saysOnePage(entry.folder().source().descriptor());
      return isKnown ? status.sizeBytes() : Offered.SIZE_UNKNOWN;
    }
    try (NativeFile file = entry.folder().source().file(entry.name(), entry.follow())) {
      return file.read(oneByte.clear(), 0) < 0 ? 0 : Offered.SIZE_UNKNOWN;
    }
  }

  private Outgoing outgoing(
      Entry entry, FileStatus status, Offered draft, Outgoing.Aftermath aftermath) {
    return new Outgoing(
        insight,
        new Origin.InFolder(walk.folders(), entry),
        status,
        draft,
        request.preserve().sparse(),
        directories.get(entry.folder()),
        aftermath);
  }

  private void offer(Entry entry, FileStatus status, Offered draft, Outgoing.Aftermath aftermath) {
    entry.folder().oneMore();
    tree.offer(outgoing(entry, status, draft, new PendingFolder(walk, entry.folder(), aftermath)));
  }

  private void over(Entry entry, FileStatus status, Outgoing outgoing, boolean well) {
    overOfNames(status, well, outgoing.fileId());
    look(well, status, outgoing, entry.label());
  }

  /// Of what has not arrived more is lost than this could tell.
  private void look(boolean well, FileStatus status, Outgoing sent, Object label) {
    if (well) {
      agree();
      int bits = status.isSymlink() ? 0 : status.wholeMode();
      refused.look(bits, status.owner(), status.group(), label);
      // What was offered before it was known what the receiver takes.
      refused.taken(sent.given(), label);
    }
  }

  /// @throws Failure EXISTS if another entry goes there
  private void take(EntryPath path, Object label) throws Failure {
    Object other = labels == null ? null : labels.putIfAbsent(path, label);
    if (other != null) {
      throw Failure.of(
          ExitCode.EXISTS,
          path.toString(),
          "both " + other + " and " + label + " would go there; the former is sent");
    }
  }

  private EntryPath path(Folder folder, byte[] name, Object label) throws Failure {
    Outgoing directory = directories.get(folder);
    return directory == null
        ? Drafts.path(null, folder.pathInTarget(name).bytes(), label)
        : Drafts.path(directory.path(), name, label);
  }
}
