package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Conflict;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Durability;
import dev.zcp.place.Metadata;
import dev.zcp.place.Partials;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceLink;
import dev.zcp.place.PlaceOther;
import dev.zcp.session.Admission;
import dev.zcp.session.RefusedMetadata;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.AttributeSource.GivenAttributes;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// What the parts of a session's place have in common, once it is known what its sender has.
///
/// @param keeps bits of [Keep]: what the sender would like kept and this receiver's user takes
/// @param cuts whether the sender can tell of the chunks of a file
/// @param refused told what is not taken of what was offered
/// @param metadata gives entries what they were offered with
/// @param losses what could not be kept
/// @param conflict decides about what exists
/// @param partials what is made and not published yet
/// @param durability forces to the device, if that was asked for
/// @param work told how many bytes were read again, piece by piece: the peer must not wait in
///   silence. What it throws ends the reading
record Terms(
    Admission admission,
    int keeps,
    boolean cuts,
    RefusedMetadata refused,
    Metadata metadata,
    Losses losses,
    Conflict conflict,
    Partials partials,
    Durability durability,
    FileWork work) {

  private static final String KEPT = "it is kept; a receiver with --overwrite replaces it";

  /// @param umask the process's
  /// @param mayRemember whether there is room to remember one more entry
  static Terms of(
      Admission admission,
      Manifest manifest,
      Losses losses,
      int umask,
      BooleanSupplier mayRemember,
      Partials partials,
      Durability durability,
      FileWork work) {
    int wanted = manifest.keeps();
    int keeps = admission.keeps() & wanted;
    Preserve preserve =
        new Preserve(
            Keep.MODE.isIn(keeps),
            Keep.OWNER.isIn(keeps),
            true,
            Keep.XATTR.isIn(keeps),
            Keep.ACL.isIn(keeps),
            Keep.HARD_LINKS.isIn(keeps),
            true);
    String refusal = admission.existing() == Existing.REPLACE ? null : KEPT;
    RefusedMetadata refused = new RefusedMetadata(wanted & ~keeps, umask, losses);
    return new Terms(
        admission,
        keeps,
        manifest.cuts(),
        refused,
        new Metadata(preserve, losses, umask, admission.deletion() != null, true),
        losses,
        new Conflict(
            policy(manifest.keepExisting()).withFormerCopies(admission.former().trees()),
            refusal,
            mayRemember),
        partials,
        durability,
        work);
  }

  /// What the sender wants; whether anything may be replaced the receiver says.
  private static Policy policy(KeepExisting keep) {
    Existing existing =
        switch (keep) {
          case NONE, SAME -> Existing.REPLACE;
          case NOT_OLDER -> Existing.OLDER;
          case ALL -> Existing.KEEP;
        };
    Policy policy = new Policy(existing, null, false, OnChange.RETRY, false);
    return keep == KeepExisting.SAME ? policy.withSkipSame() : policy;
  }

  PlaceFile placeFile() {
    return new PlaceFile(conflict, partials, metadata, durability.new PublicationQueue());
  }

  PlaceOther placeOther() {
    return new PlaceOther(conflict, partials, metadata, durability);
  }

  PlaceLink placeLink() {
    return new PlaceLink(conflict, partials, durability, losses, this::isEqual);
  }

  /// Two senders of one tree may have made it a file of its own, with the same bytes and time.
  private boolean isEqual(Claim claim, FileStatus there, OpenDirectory from, byte[] name) {
    if (conflict.keepsAll() || !there.isRegular()) {
      return false;
    }
    try (NativeFile one = from.file(name, false);
        NativeFile other = claim.directory().file(claim.name(), false)) {
      return ReadBack.areEqual(one, other, there.sizeBytes(), work)
          && other.status().hasContentOf(there);
    } catch (IOException e) {
      // What this user may not read, or is gone by now, is not known to be the same.
      return false;
    }
  }

  /// Whether another session has made the same file meanwhile.
  ///
  /// @param there what has the name
  /// @param hidden the name of the file that is to get it, in the same directory
  boolean isArrivedTwice(Claim claim, FileStatus there, byte[] hidden) throws IOException {
    if (!isEqual(claim, there, claim.directory(), hidden)) {
      return false;
    }
    // Nobody knows whether it was ever forced.
    durability.made(claim.directory());
    return true;
  }

  /// Makes an entry that has no bytes of its own.
  @FunctionalInterface
  interface EntryMaking {

    /// @return whether it was made
    boolean make() throws IOException, Failure;
  }

  /// Makes an entry, which [counts][FileWork#use].
  ///
  /// @param bytes how many it takes besides
  /// @return whether it was made
  boolean counted(EntryPath path, long bytes, EntryMaking making) throws IOException, Failure {
    work.use(path, bytes);
    boolean isMade = false;
    try {
      isMade = making.make();
      return isMade;
    } finally {
      if (!isMade) {
        work.giveBack(bytes);
      }
    }
  }

  /// Whether what exists may be replaced, and gets what its source has besides bytes.
  boolean replaces() {
    return admission.existing() == Existing.REPLACE;
  }

  /// Whether the receiver's user takes something of this name in its own directory.
  boolean isAskedFor(Name name) {
    return admission.names() == null || admission.names().contains(name);
  }

  boolean discards() {
    return admission.discard();
  }

  ResumeVerify resumeVerify() {
    return admission.resumeVerify();
  }

  /// What an entry's source is.
  FileStatus status(Offered entry) {
    return Given.status(entry, keeps);
  }

  /// As [#status(Offered)], of a file of a part.
  FileStatus status(Part.Cursor file) {
    return Given.status(file, keeps);
  }

  /// What a file of a part was offered with besides; to be called once for each that is made.
  GivenAttributes given(Part.Cursor file, EntryPath path) {
    refused.look(file.mode(), file.owner(), file.group(), path);
    return Given.attributes(file.attributes(), path, keeps, losses);
  }

  /// To be called once for each entry that is made.
  Given given(Offered entry) {
    int bits = entry.kind() == EntryKind.LINK ? 0 : entry.metadata().mode();
    refused.look(bits, entry.metadata().owner(), entry.metadata().group(), entry.path());
    return Given.of(entry, keeps, losses);
  }

  /// What is taken and could not be kept. What is not taken the sender sees itself, but for
  /// [owners][#losesOwners].
  List<Loss> notKept() {
    List<Loss> taken = new ArrayList<>(losses.all());
    taken.removeIf(loss -> !isTaken(loss.kind()));
    return taken;
  }

  /// Whether owners are not taken, and some were not this process's own: no sender can see that.
  boolean losesOwners() {
    boolean isAny = false;
    for (Loss loss : losses.all()) {
      isAny |= loss.kind() == Loss.LossKind.OWNER;
    }
    return isAny && !isTaken(Loss.LossKind.OWNER);
  }

  private boolean isTaken(Loss.LossKind kind) {
    return switch (kind) {
      case MODE -> Keep.MODE.isIn(keeps);
      case OWNER, OWNER_OF_USER -> Keep.OWNER.isIn(keeps);
      case TIMES -> true;
      case XATTR -> Keep.XATTR.isIn(keeps);
      case ACL -> Keep.ACL.isIn(keeps);
      case HARD_LINK -> Keep.HARD_LINKS.isIn(keeps);
    };
  }
}
