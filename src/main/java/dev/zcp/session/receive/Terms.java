package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Admission;
import dev.zcp.session.Existing;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Preserve;
import dev.zcp.tree.Preserver;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.util.function.LongConsumer;

/// What the parts of a session's place have in common, once it is known what its sender has.
///
/// @param keeps bits of [Keep]: what the sender would like kept and this receiver's user takes
/// @param losses what of that could not be kept
/// @param umask the process's
/// @param progress told how many bytes were read again, piece by piece: the peer must not wait in
///   silence. What it throws ends the reading
record Terms(
    Admission admission,
    int keeps,
    Preserver preserver,
    Losses losses,
    int umask,
    Partials partials,
    LongConsumer progress) {

  static Terms of(
      Admission admission,
      int keeps,
      Losses losses,
      int umask,
      Partials partials,
      LongConsumer progress) {
    Preserve preserve =
        new Preserve(
            Keep.MODE.isIn(keeps),
            Keep.OWNER.isIn(keeps),
            true,
            Keep.XATTR.isIn(keeps),
            Keep.ACL.isIn(keeps),
            Keep.HARD_LINKS.isIn(keeps),
            true);
    Preserver preserver = new Preserver(preserve, losses, umask);
    return new Terms(admission, keeps, preserver, losses, umask, partials, progress);
  }

  boolean replaces() {
    return admission.existing() == Existing.REPLACE;
  }

  boolean discards() {
    return admission.discard();
  }

  ResumeVerify resumeVerify() {
    return admission.resumeVerify();
  }

  Given given(Offered entry) {
    return Given.of(entry, keeps, losses);
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
