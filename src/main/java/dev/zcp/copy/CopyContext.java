package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.place.Conflict;
import dev.zcp.place.Conflict.Repetition;
import dev.zcp.place.Durability;
import dev.zcp.place.FormerCopies;
import dev.zcp.place.Metadata;
import dev.zcp.place.Partials;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceLink;
import dev.zcp.place.PlaceOther;
import dev.zcp.tree.Losses;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.WorkerPool;
import java.io.IOException;

/// What the parts of one copy share.
///
/// @param request what was asked for
/// @param errors hears of what failed
/// @param conflict decides about targets that exist
/// @param partials what is made and not published yet
/// @param metadata gives targets what their sources are besides their bytes
/// @param losses what of it targets could not keep
/// @param durability forces to the device, if that was asked for
/// @param publishing publishes files
record CopyContext(
    CopyRequest request,
    CopyErrors errors,
    Conflict conflict,
    Partials partials,
    Metadata metadata,
    Losses losses,
    Durability durability,
    Durability.PublicationQueue publishing) {

  static CopyContext of(
      CopyRequest request,
      CommandEnvironment environment,
      CopyErrors errors,
      Partials partials,
      Losses losses,
      Durability durability) {
    return new CopyContext(
        request,
        errors,
        new Conflict(
            request.policy(),
            environment.consent()::isGiven,
            errors.insight()::note,
            request.selection().isFor(ListUse.COPY) ? Repetition.IS_DONE : Repetition.FAILS),
        partials,
        new Metadata(
            request.preserve(), losses, OwnProcess.umask(), request.deleting() != null, false),
        losses,
        durability,
        durability.new PublicationQueue());
  }

  Insight insight() {
    return errors.insight();
  }

  PlaceFile placeFile() {
    return new PlaceFile(conflict, partials, metadata, publishing);
  }

  PlaceOther placeOther() {
    return new PlaceOther(conflict, partials, metadata, durability);
  }

  PlaceLink placeLink() {
    return new PlaceLink(
        conflict, partials, durability, losses, (_, _, _, _) -> conflict.linksToKept());
  }

  /// What unchanged files become names of, to be closed; null if there is nothing.
  FormerCopies formerCopies() throws Failure {
    PlaceLink links = PlaceLink.ofFormerCopies(conflict, partials, durability);
    return FormerCopies.open(request.policy().formerCopies(), request.target(), metadata, links);
  }

  /// The name in the target that an entry is to have.
  ///
  /// @param status of what is to be made
  Conflict.Claim claim(Entry entry, FileStatus status) {
    return claim(new Conflict.Claim(), entry, status);
  }

  <C extends Conflict.Claim> C claim(C claim, Entry entry, FileStatus status) {
    Folder folder = entry.folder();
    boolean isInNew = folder.created() || folder.target() == null;
    claim.begin(
        entry,
        folder.target(),
        entry.newName(),
        status,
        isInNew,
        folder.target() != null && mergesSources());
    return claim;
  }

  /// Whether several entries of the sources may go to one name, though no file system takes two
  /// names for one.
  boolean mergesSources() {
    return request.sources().size() > 1 || request.selection().isFor(ListUse.COPY);
  }

  /// A failure of the target at an entry in `folder`. If that is on another file system than the
  /// target itself, as one that is mounted in it, and takes no more, the rest of the target may. So
  /// it may if only `folder` is read-only: a bind mount can be that on the same file system.
  Failure ofTarget(Folder folder, Failure failure) {
    Folder top = folder.isAnchor() ? folder : folder.top();
    boolean isElsewhere =
        top.targetStatus() != null
            && folder.targetStatus() != null
            && top.targetStatus().device() != folder.targetStatus().device();
    boolean isOfMountAlone =
        failure.getCause() instanceof IOException cause
            && Errno.of(cause) == Errno.EROFS
            && !isTargetReadOnly();
    return isElsewhere || isOfMountAlone ? failure.because(null) : failure;
  }

  private boolean isTargetReadOnly() {
    try (OpenDirectory target = OpenDirectory.open(request.target())) {
      return target.isReadOnly();
    } catch (IOException e) {
      // It is a file, or not there.
      return true;
    }
  }

  /// Works until nothing is left to do, and publishes what waits.
  void finish(WorkerPool workers) {
    do {
      workers.run();
      // What was published now may be what other names wait for.
    } while (publishing.flush() || workers.hasWork());
  }
}
