package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Durability;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.session.Admission;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Below the receiver's directory: every entry goes under its path there, and nothing that a sender
/// names is anywhere else.
final class DirectoryPlace implements Place {

  /// The owner's rights, without which nothing could be made in a directory.
  private static final int OWNERS = 0700;

  private static final int PERMISSIONS = 0777;

  private static final byte[] RESERVED = HiddenName.prefix();

  private final TargetDirectory target;
  private final Admission admission;
  private final PathLocks.Holder holder;
  private final FileWork work;
  private final Losses losses = new Losses();
  private final Durability durability;
  private final Folders folders;
  private final Budget.Share names;

  /// Null if nothing is deleted.
  private final SurplusEntries surplus;

  /// Null before [#admit].
  private volatile Parts parts;

  DirectoryPlace(
      TargetDirectory target, Admission admission, PathLocks.Holder holder, FileWork work) {
    this.target = target;
    this.admission = admission;
    this.holder = holder;
    this.work = work;
    this.durability = Durability.of(admission.durable(), target.groupDescriptorsMax(), work);
    this.folders = new Folders(target.directory(), target.foldersMax(), durability);
    this.names = target.names().new Share();
    this.surplus =
        admission.deletion() == null
            ? null
            : new SurplusEntries(
                admission.deletion(), work, durability, target.partials()::isAbandoned);
  }

  /// What is known what to do with, once it is known what the sender has.
  private record Parts(Terms terms, IncomingFiles files, OtherEntries others) {}

  @Override
  public synchronized int admit(Manifest manifest) throws Failure {
    new RoomCheck(target.directory(), target.label()).require(manifest, admission);
    if (parts == null) {
      Terms terms =
          Terms.of(
              admission, manifest, losses, target.umask(), target.partials(), durability, work);
      FirstNames firstNames = new FirstNames(Keep.HARD_LINKS.isIn(terms.keeps()), names);
      parts =
          new Parts(
              terms,
              new IncomingFiles(
                  terms,
                  folders,
                  target.pathLocks(),
                  holder,
                  firstNames,
                  target.openMax(),
                  target.heldMax()),
              new OtherEntries(terms, folders, firstNames));
    }
    return parts.terms().keeps();
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
  public long notKept() {
    return parts == null ? 0 : parts.terms().notKept();
  }

  @Override
  public boolean losesOwners() {
    return parts != null && parts.terms().losesOwners();
  }

  @Override
  public Answer consider(IncomingEntry incoming) {
    Offered entry = incoming.offered();
    if (surplus != null) {
      surplus.offered(entry.path());
    }
    try {
      requireNames(entry);
      return switch (entry.kind()) {
        case FILE -> parts.files().consider(incoming);
        case DIRECTORY -> makeDirectory(entry);
        case LINK, HARD_LINK, FIFO, CHARACTER_DEVICE, BLOCK_DEVICE ->
            parts.others().consider(entry);
      };
    } catch (Failure e) {
      return failed(entry, e);
    } catch (FileAlreadyExistsException e) {
      return failed(entry, Terms.taken(entry));
    } catch (IOException e) {
      return failed(entry, Reasons.destination(entry.path(), e));
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException e) {
      return failed(entry, Reasons.defect(entry.path(), e));
    }
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public void complete(Offered directory) throws Failure {
    if (admission.discard()) {
      return;
    }
    try (Folders.HeldFolder folder = folders.hold(directory.path(), false)) {
      Given given = parts.terms().given(directory);
      boolean made = folders.isMade(folder);
      if (surplus != null) {
        surplus.look(directory.path(), folder.directory(), made);
      }
      long startedNs = System.nanoTime();
      parts
          .terms()
          .preserver()
          .directory(
              given.attributes(), given.status(), folder.directory(), made, directory.path());
      work.sample(Stage.METADATA, System.nanoTime() - startedNs);
      durability.made(folder.directory());
      folders.complete(directory.path());
    } catch (IOException e) {
      throw Reasons.destination(directory.path(), e);
    }
  }

  @Override
  public boolean deletes() {
    return surplus != null;
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
    surplus.delete(folders);
  }

  @Override
  public void close() {
    folders.close();
    names.close();
    try {
      durability.close();
    } catch (IOException e) {
      // Nothing was written by its descriptors.
    }
  }

  /// Made with what it will show in the end, so that it has that even if the session is
  /// interrupted; but its owner may do anything until it is complete. Where more is to be kept than
  /// permissions, nobody else may do anything before it has its owner.
  private Answer makeDirectory(Offered entry) throws IOException, Failure {
    if (!admission.discard()) {
      Terms terms = parts.terms();
      int mode =
          Keep.MODE.isIn(terms.keeps()) || Keep.OWNER.isIn(terms.keeps())
              ? OWNERS
              : entry.metadata().mode() & PERMISSIONS & ~terms.umask() | OWNERS;
      try (Folders.HeldFolder folder = make(entry, mode)) {
        admitOthers(folder, mode);
      }
    }
    return Answer.of(entry.fileId(), Answer.AnswerKind.ALL);
  }

  private Folders.HeldFolder make(Offered entry, int mode) throws IOException, Failure {
    try {
      return folders.make(entry.path(), mode);
    } catch (IOException e) {
      requireNoFile(entry);
      throw e;
    }
  }

  /// What is in a directory may have been considered before it, and so made it.
  private void admitOthers(Folders.HeldFolder folder, int mode) throws IOException {
    FileStatus status = folder.directory().status();
    if (status.permissions() != mode && folders.isMade(folder)) {
      folder.directory().giveMode(status.wholeMode() & ~PERMISSIONS | mode);
    }
  }

  private void requireNoFile(Offered entry) throws IOException, Failure {
    try (Folders.HeldFolder above = folders.hold(entry.path().parent(), true)) {
      FileStatus there = above.directory().statusOf(entry.path().name().bytes());
      if (there != null && !there.isDirectory()) {
        throw Failure.of(ExitCode.EXISTS, entry.path().toString(), "is no directory there");
      }
    }
  }

  private void requireNames(Offered entry) throws Failure {
    if (admission.names() != null && !admission.names().contains(first(entry.path()))) {
      throw Failure.of(ExitCode.PROTOCOL, entry.path().toString(), "nobody asked for this");
    }
    if (entry.path().hasNameFrom(RESERVED)) {
      throw Failure.of(
          ExitCode.USAGE, entry.path().toString(), "names with .zcp- are zcp's own partial files");
    }
  }

  private static Name first(EntryPath path) {
    EntryPath first = path;
    while (first.parent() != null) {
      first = first.parent();
    }
    return first.name();
  }

  private static Answer failed(Offered entry, Failure failure) {
    return Answer.failed(entry.fileId(), failure.exitCode(), failure.reason());
  }
}
