package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Durability;
import dev.zcp.place.Metadata;
import dev.zcp.place.Partials;
import dev.zcp.session.Admission;
import dev.zcp.session.RefusedMetadata;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Preserve;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;

/// What the parts of a session's place have in common, once it is known what its sender has.
///
/// @param keeps bits of [Keep]: what the sender would like kept and this receiver's user takes
/// @param keepExisting what of what exists the sender wants left as it is
/// @param losses what could not be kept
/// @param umask the process's
/// @param durability forces to the device, if that was asked for
/// @param work told how many bytes were read again, piece by piece: the peer must not wait in
///   silence. What it throws ends the reading
record Terms(
    Admission admission,
    int keeps,
    KeepExisting keepExisting,
    RefusedMetadata refused,
    Metadata preserver,
    Losses losses,
    int umask,
    Partials partials,
    Durability durability,
    FileWork work) {

  static Terms of(
      Admission admission,
      Manifest manifest,
      Losses losses,
      int umask,
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
    Metadata preserver = new Metadata(preserve, losses, umask);
    RefusedMetadata refused = new RefusedMetadata(wanted & ~keeps, umask, losses);
    return new Terms(
        admission,
        keeps,
        manifest.keepExisting(),
        refused,
        preserver,
        losses,
        umask,
        partials,
        durability,
        work);
  }

  boolean replaces() {
    return admission.existing() == Existing.REPLACE;
  }

  /// Whether the sender wants `there`, which has the entry's name, left as it is.
  boolean stays(FileStatus there, Offered entry) {
    return !there.isDirectory()
        && switch (keepExisting) {
          case NONE -> false;
          case SAME -> FileAge.isSame(there, Given.status(entry, keeps));
          case NOT_OLDER -> !FileAge.isOlder(there, Given.status(entry, keeps));
          case ALL -> true;
        };
  }

  /// Whether what [stays][#stays] may get the other names that the source has: with ALL it may be
  /// anything.
  boolean namesWhatStays() {
    return keepExisting != KeepExisting.ALL;
  }

  boolean discards() {
    return admission.discard();
  }

  ResumeVerify resumeVerify() {
    return admission.resumeVerify();
  }

  /// To be called once for each entry that is made.
  Given given(Offered entry) {
    int bits = entry.kind() == EntryKind.LINK ? 0 : entry.metadata().mode();
    refused.look(bits, entry.metadata().owner(), entry.metadata().group(), entry.path());
    return Given.of(entry, keeps, losses);
  }

  /// How often something that is taken could not be kept. What is not taken the sender sees itself,
  /// but for [owners][#losesOwners].
  long notKept() {
    long count = 0;
    for (Loss loss : losses.all()) {
      if (isTaken(loss.kind())) {
        count += loss.files();
      }
    }
    return count;
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
      case OWNER -> Keep.OWNER.isIn(keeps);
      case TIMES -> true;
      case XATTR -> Keep.XATTR.isIn(keeps);
      case ACL -> Keep.ACL.isIn(keeps);
      case HARD_LINK -> Keep.HARD_LINKS.isIn(keeps);
    };
  }

  /// Something has the entry's name, and may not be replaced.
  static Failure taken(Offered entry) {
    return Failure.of(ExitCode.EXISTS, entry.path().toString(), "already exists")
        .with("it is kept; a receiver with --overwrite replaces it");
  }

  /// A directory has the entry's name: it is never replaced.
  static Failure takenByDirectory(Offered entry) {
    return Failure.of(ExitCode.EXISTS, entry.path().toString(), "is a directory there");
  }
}
