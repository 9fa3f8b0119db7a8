package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Name;
import dev.zcp.core.Quietly;
import dev.zcp.exchange.PartResult;
import dev.zcp.insight.Stage;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Durability;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.PlaceOther;
import dev.zcp.place.PlaceOther.EntryContent;
import dev.zcp.place.RoomCheck;
import dev.zcp.session.Admission;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Wants.Want;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Below the receiver's directory: every entry goes under its path there, and nothing that a sender
/// names is anywhere else.
final class DirectoryPlace implements Place {

  private static final byte[] RESERVED = HiddenName.prefix();

  private final TargetDirectory target;
  private final Admission admission;
  private final PathLocks.Holder holder;
  private final FileWork work;
  private final Losses losses = new Losses();
  private final Durability durability;
  private final Budget.Share names;
  private final Budget.Share taken;

  // What there is once it is known what the sender has, and null before. `terms` is set last.

  private Folders folders;
  private IncomingFiles files;
  private SmallFiles smallFiles;
  private FirstNames firstNames;
  private PlaceOther other;

  /// Null if nothing is deleted.
  private SurplusEntries surplus;

  /// Null if there are no former copies.
  private FormerFiles former;

  /// Null unless this is a dry run.
  private PlannedEntries planned;

  private volatile Terms terms;

  DirectoryPlace(
      TargetDirectory target, Admission admission, PathLocks.Holder holder, FileWork work) {
    this.target = target;
    this.admission = admission;
    this.holder = holder;
    this.work = work;
    this.durability = Durability.of(admission.durable(), target.groupDescriptorsMax(), work);
    this.names = target.names().new Share();
    this.taken = target.taken().new Share();
  }

  @Override
  public synchronized int admit(Manifest manifest) throws Failure {
    if (admission.dryRun() && !manifest.dryRun()) {
      throw Failure.of(ExitCode.PROTOCOL, target.label(), "the sender makes no dry run of it");
    }
    if (!admission.discard() && !manifest.dryRun()) {
      new RoomCheck(target.directory(), target.label())
          .require(manifest.dataBytes(), manifest.entries());
    }
    if (terms == null) {
      begin(
          Terms.of(
              admission,
              manifest,
              losses,
              target.umask(),
              () -> taken.take(1),
              target.partials(),
              durability,
              work),
          manifest.dryRun());
    }
    return terms.keeps();
  }

  private void begin(Terms known, boolean dryRun) throws Failure {
    former = FormerFiles.open(known);
    other = known.placeOther();
    folders =
        new Folders(target.directory(), target.foldersMax(), other, work, target.incomplete());
    firstNames = new FirstNames(known, folders, names);
    files =
        new IncomingFiles(
            known,
            folders,
            target.pathLocks(),
            holder,
            firstNames,
            former,
            deletes() && admission.deletion().isOfTarget()
                ? new MovedFiles(target.directory())
                : null,
            new OpenFileCount(target.openMax(), target.heldMax()));
    surplus = deletes() ? new SurplusEntries(known, folders, dryRun) : null;
    smallFiles = new SmallFiles(known, folders, firstNames, surplus, former);
    planned = dryRun ? new PlannedEntries(known, folders, firstNames, other, former) : null;
    terms = known;
  }

  @Override
  public Level provable(Level wanted) throws Failure {
    try {
      return wanted == Level.MEDIA && target.directory().isInMemory() ? Level.READBACK : wanted;
    } catch (IOException e) {
      throw Reasons.destination(target.label(), e);
    }
  }

  @Override
  public int filesMax() {
    return target.filesMax();
  }

  @Override
  public List<Loss> losses() {
    return losses.all();
  }

  @Override
  public List<Loss> notKept() {
    return terms == null ? List.of() : terms.notKept();
  }

  /// What is mounted below may be full or read-only by itself.
  @Override
  public boolean isOfAll(EntryPath path, Throwable cause) {
    if (cause instanceof IOException failure && Errno.of(failure) == Errno.EROFS) {
      return target.directory().isReadOnly();
    }
    long device = target.directory().status().device();
    for (EntryPath each = path.parent(); each != null && !each.isTop(); each = each.parent()) {
      try (Folders.HeldFolder folder = folders.hold(each, false)) {
        return folder.directory().status().device() == device;
      } catch (IOException | Failure e) {
        // It is not there, and what is above it tells.
      }
    }
    return true;
  }

  @Override
  public long corrections() {
    return terms == null ? 0 : terms.metadata().corrections();
  }

  @Override
  public boolean losesOwners() {
    return terms != null && terms.losesOwners();
  }

  @Override
  public Answer consider(IncomingEntry incoming) {
    Offered entry = incoming.offered();
    if (deletes()) {
      surplus.offered(entry.path());
    }
    try {
      requireNames(entry);
      return switch (entry.kind()) {
        case FILE -> planned == null ? files.consider(incoming) : planned.entry(entry);
        case DIRECTORY, WAY -> makeDirectory(entry);
        case LINK, HARD_LINK, FIFO, CHARACTER_DEVICE, BLOCK_DEVICE -> makeOther(entry);
        case SOCKET -> Answer.declined(entry.fileId(), "sockets are not made");
      };
    } catch (Failure e) {
      return incoming.refused(e);
    } catch (IOException e) {
      return incoming.refused(Reasons.destination(entry.path(), e));
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException e) {
      return incoming.refused(Reasons.defect(entry.path(), e));
    }
  }

  @Override
  public Want[] look(Part look, List<EntryPath> directories, PartWriter events) {
    return smallFiles.look(look, directories, events);
  }

  @Override
  public PartResult write(
      Part part, List<EntryPath> directories, ByteBuffer bytes, Level level, PartWriter events) {
    return smallFiles.write(part, directories, bytes, level, events);
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public boolean complete(Offered directory) throws Failure {
    if (admission.discard()) {
      return true;
    }
    if (isPlan() && !planned.complete(directory.path())) {
      forgetMissing(directory.path());
      return true;
    }
    try (Folders.HeldFolder folder = folders.hold(directory.path(), false)) {
      boolean made = folders.isMade(folder);
      if (deletes() && !directory.path().isTop()) {
        surplus.look(directory.path(), folder.directory(), made);
      }
      if (isPlan()) {
        return made;
      }
      boolean isIncomplete = made || folders.isTakenUp(folder);
      if (isIncomplete || changes(directory)) {
        Given given = terms.given(directory);
        long startedNs = System.nanoTime();
        terms
            .metadata()
            .directory(
                given.attributes(),
                given.status(),
                folder.directory(),
                isIncomplete,
                directory.path());
        work.sample(Stage.METADATA, System.nanoTime() - startedNs);
        durability.made(folder.directory());
      }
      folders.complete(folder);
      return made;
    } catch (IOException e) {
      throw Reasons.destination(directory.path(), e);
    }
  }

  private void forgetMissing(EntryPath path) throws Failure {
    try {
      if (deletes()) {
        surplus.look(path, null, true);
      }
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }

  /// Whether a directory that exists gets what it was offered with.
  private boolean changes(Offered directory) {
    return terms.replaces() && directory.kind() != EntryKind.WAY;
  }

  @Override
  public boolean deletes() {
    return admission.deletion() != null;
  }

  @Override
  public void deleteSurplus() throws Failure {
    if (admission.deletion().isOfTarget()) {
      try {
        surplus.look(null, target.directory(), false);
      } catch (IOException e) {
        throw Reasons.destination(target.label(), e);
      }
    }
    surplus.run();
  }

  private boolean isPlan() {
    return planned != null;
  }

  @Override
  public void close() {
    if (terms != null) {
      folders.close();
      Quietly.close(former);
    }
    names.close();
    taken.close();
    Quietly.close(durability);
  }

  /// Requires that no file is under way there.
  private void requireFree(EntryPath path) throws Failure {
    if (!target.pathLocks().isFree(path, holder)) {
      throw target.pathLocks().taken(path, holder);
    }
  }

  private Answer makeDirectory(Offered entry) throws IOException, Failure {
    if (isPlan() && !admission.discard()) {
      return planned.directory(entry);
    }
    requireFree(entry.path());
    boolean isNew = admission.discard();
    if (!admission.discard()) {
      try (Folders.HeldFolder folder =
          entry.path().isTop()
              ? folders.hold(entry.path(), false)
              : folders.make(entry.path(), terms.status(entry))) {
        if (changes(entry)) {
          other.makeWritable(folder.directory());
        }
        // If there may be former copies of what comes there, the sender is to ask first.
        isNew = folder.isNew() && (former == null || !former.hasDirectory(entry.path()));
      }
    }
    return Answer.of(entry.fileId(), isNew ? Answer.AnswerKind.NEW : Answer.AnswerKind.ALL);
  }

  /// Makes what has no bytes: symbolic links, FIFOs, devices, and further names of files. One that
  /// is there already as it was offered stays.
  private Answer makeOther(Offered entry) throws IOException, Failure {
    Keep kind =
        switch (entry.kind()) {
          case LINK -> Keep.LINKS;
          case HARD_LINK -> Keep.HARD_LINKS;
          default -> Keep.SPECIALS;
        };
    if (!kind.isIn(terms.keeps())) {
      String why = kind.label() + " are not taken (a receiver with --accept=" + kind.word();
      return Answer.declined(entry.fileId(), why + " takes them)");
    }
    if (isPlan()) {
      return planned.entry(entry);
    }
    requireFree(entry.path());
    if (admission.discard()) {
      return Answer.of(entry.fileId(), Answer.AnswerKind.MADE);
    }
    boolean isMade;
    try (Folders.HeldFolder folder = folders.hold(entry.path().parent(), true)) {
      isMade = makeOrFind(entry, folder);
      durability.made(folder.directory());
    }
    if (isMade || terms.conflict().linksToKept()) {
      firstNames.arrived(entry);
    }
    return Answer.of(entry.fileId(), isMade ? Answer.AnswerKind.MADE : Answer.AnswerKind.KEPT);
  }

  /// @return as [#make]
  private boolean makeOrFind(Offered entry, Folders.HeldFolder folder) throws IOException, Failure {
    try {
      return makeIn(folder, entry);
    } catch (Failure e) {
      if (e.exitCode() != ExitCode.EXISTS) {
        throw e;
      }
      // Another session may have made the same between the look and the call: look again.
      return makeIn(folder, entry);
    }
  }

  private boolean makeIn(Folders.HeldFolder folder, Offered entry) throws IOException, Failure {
    return entry.kind() == EntryKind.HARD_LINK
        ? firstNames.link(entry, folder)
        : make(entry, folder);
  }

  /// @return false if what has the name stays, and is something else or need not be the same
  private boolean make(Offered entry, Folders.HeldFolder folder) throws IOException, Failure {
    Claim claim = folder.claim(new Claim(), entry.path(), terms.status(entry));
    byte[] link = entry.kind() == EntryKind.LINK ? entry.content().bytes() : null;
    FileStatus there = claim.directory().statusOf(claim.name());
    Failure refused = terms.conflict().decideIfReplaced(claim, there);
    // If it may be replaced it is, as by a copy: so it has nothing of what was there.
    boolean isSameEnough = refused != null || terms.conflict().skipsSame();
    boolean isThere =
        there != null
            && isSameEnough
            && other.isThere(claim, there, link)
            && other.keepSame(claim, there, () -> terms.given(entry).attributes());
    if (!isThere && refused != null) {
      throw refused;
    }
    if (!claim.isOver()) {
      // Not before: of what is there already, or cannot be made, nothing is lost.
      AttributeSource attributes = terms.given(entry).attributes();
      return terms.counted(
          entry.path(), 0, () -> other.make(claim, new EntryContent(link, attributes)));
    }
    if (claim.isSame() && terms.replaces()) {
      other.correct(claim, terms.given(entry).attributes());
    }
    return isThere && !terms.conflict().skipsSame();
  }

  private void requireNames(Offered entry) throws Failure {
    EntryPath path = entry.path();
    boolean isTree = entry.kind().isDirectory() || path.isTop() || path.parent() != null;
    if (isTree && !admission.trees()
        || admission.names() != null && (path.isTop() || !terms.isAskedFor(first(path)))) {
      throw Failure.of(ExitCode.PROTOCOL, entry.path().toString(), "nobody asked for this");
    }
    if (entry.path().hasNameFrom(RESERVED)) {
      throw SmallFiles.reserved(entry.path());
    }
  }

  private static Name first(EntryPath path) {
    EntryPath first = path;
    while (first.parent() != null) {
      first = first.parent();
    }
    return first.name();
  }
}
