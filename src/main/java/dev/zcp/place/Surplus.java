package dev.zcp.place;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/// `--delete`: what directories of a target have that the source directories merged into them do
/// not have is deleted, with all that is in it. What this run has made or kept stays whatever its
/// name is, and so does what something is mounted on.
///
/// While entries are placed, directories that have such entries are [added][#add], by any thread.
/// When all is placed and nothing has failed, one thread [deletes][#run]. What is in the way of an
/// entry of another kind goes [before][#makeWay]. Names are looked up in directories that are held
/// open, and no link is followed. Of the directories that are being deleted one is open at a time,
/// however deep they are.
public final class Surplus {

  /// A directory in which somebody makes entries all the time has no end.
  private static final int LISTINGS_MAX = 100;

  private final Conflict conflict;
  private final Durability durability;
  private final boolean keepsTimes;
  private final Deleting deleting;
  private final boolean dryRun;
  private final SurplusEvents events;
  private final Queue<MergedDirectory> directories = new ConcurrentLinkedQueue<>();

  // All below is guarded by this. Nothing of the listing is left to be read between two
  // directories.
  private final Listing listing = new Listing();
  private final Set<String> failed = new HashSet<>();
  private boolean countsOnly;
  private boolean makesWay;
  private long found;
  private MergedDirectory merged;
  private OpenDirectory top;

  /// A directory of the target that one of the source was merged into. Paths are below it: a name
  /// alone is that of one of its own entries.
  public interface MergedDirectory {

    /// Runs the sweep while the directory is held open.
    ///
    /// @throws IOException if it cannot be opened, or is another one now
    void hold(Sweep sweep) throws IOException, Failure;

    /// Whether the source has an entry of this name.
    boolean isInSource(byte[] name) throws Failure;

    /// Whether one of the entry's names in the directory is that of another entry of the source,
    /// for the target's file system.
    ///
    /// @param status of the entry, which has several names
    boolean isFolded(OpenDirectory directory, byte[] name, FileStatus status) throws IOException;

    /// Whether an entry stays that the source does not have, and with it the directories that it is
    /// in.
    ///
    /// @param above of the directory that it is in
    boolean stays(byte[] path, FileStatus status, FileStatus above);

    /// The path, for messages; that of the directory itself if `path` is null.
    Object label(byte[] path);
  }

  /// What is done to a directory that is held.
  @FunctionalInterface
  public interface Sweep {
    void sweep(OpenDirectory directory) throws IOException, Failure;
  }

  /// Hears what becomes of entries. Their names are asked for their text only if one is shown.
  public interface SurplusEvents {

    /// The directory that the claim's name is in; null if what has the name is not to be deleted
    /// for an entry of another kind, as after a failure.
    MergedDirectory directoryOf(Conflict.Claim claim);

    /// An entry is deleted, or if it is only counted, would be.
    void gone(Object label, boolean countsOnly);

    /// An entry or a directory could not be deleted or read. Told once of each.
    void failed(Object label, Failure failure);

    boolean isOver();
  }

  /// @param conflict knows what this run has made
  /// @param keepsTimes whether a directory that loses entries keeps its times
  /// @param dryRun whether it is only told what would be deleted
  public Surplus(
      Conflict conflict,
      Durability durability,
      boolean keepsTimes,
      Deleting deleting,
      boolean dryRun,
      SurplusEvents events) {
    this.conflict = conflict;
    this.durability = durability;
    this.keepsTimes = keepsTimes;
    this.deleting = deleting;
    this.dryRun = dryRun;
    this.events = events;
    conflict.makeWayBy(this);
  }

  /// The directory has something to delete.
  public void add(MergedDirectory directory) {
    directories.add(directory);
  }

  /// Deletes, or only counts what would be deleted. What fails is told, and does not stop the rest.
  /// To be called once, when all else is over.
  ///
  /// @param label of what asked for it, for messages
  /// @throws Failure if nothing is deleted: it would be too much, or nobody can say how much
  public void run(Object label) throws Failure {
    if (dryRun || deleting.entriesMax() < Deleting.UNLIMITED) {
      sweep(true);
      deleting.require(label, found);
      if (!dryRun && !failed.isEmpty()) {
        throw Failure.of(ExitCode.DESTINATION, "--delete", "not all can be counted")
            .with("nothing was deleted");
      }
    }
    if (!dryRun) {
      sweep(false);
    }
  }

  /// Whether what has the claim's name may be deleted for an entry of another kind. If there is a
  /// limit it may not: what comes later is not counted yet.
  boolean mayMakeWay(Conflict.Claim claim) {
    return deleting.entriesMax() == Deleting.UNLIMITED && events.directoryOf(claim) != null;
  }

  /// As [#makeWay] in a dry run; else nothing is done yet.
  void planWay(Conflict.Claim claim) throws IOException, Failure {
    if (dryRun) {
      makeWay(claim);
    }
  }

  /// Deletes what has the claim's name, with all that is in it, so that an entry of another kind
  /// can have the name.
  ///
  /// @throws Failure EXISTS if some of it would stay, and nothing is deleted; or if that comes out
  ///   only while it is deleted
  synchronized void makeWay(Conflict.Claim claim) throws IOException, Failure {
    makesWay = true;
    try {
      sweepWay(claim, true);
      if (!dryRun) {
        sweepWay(claim, false);
      }
    } finally {
      makesWay = false;
    }
  }

  private void sweepWay(Conflict.Claim claim, boolean newCountsOnly) throws IOException, Failure {
    merged = events.directoryOf(claim);
    countsOnly = newCountsOnly;
    top = claim.directory();
    Descent own = new Descent(null, top.status(), null);
    own.names.add(claim.name());
    own.isListed = true;
    if (merged != null) {
      sweepAll(own);
    }
    if (merged == null || own.keepsSome) {
      throw Failure.of(
              ExitCode.EXISTS, claim.label(), "is in the way of " + claim.sourceBesideLabel())
          .with("not all of it may be deleted");
    }
  }

  private void sweep(boolean countsOnly) {
    for (MergedDirectory each : directories) {
      try {
        each.hold(directory -> sweep(each, directory, countsOnly));
      } catch (IOException e) {
        tell(each.label(null), Reasons.destination(each.label(null), e));
      } catch (Failure failure) {
        tell(each.label(null), failure);
      }
    }
  }

  private synchronized void sweep(
      MergedDirectory newMerged, OpenDirectory directory, boolean newCountsOnly)
      throws IOException, Failure {
    FileStatus before = directory.now();
    merged = newMerged;
    countsOnly = newCountsOnly;
    top = directory;
    Descent own = new Descent(null, before, null);
    try {
      sweepAll(own);
    } finally {
      if (own.hasLost) {
        restore(directory, before);
        durability.made(directory);
      }
    }
  }

  /// The deletion has changed the times of the directory.
  private void restore(OpenDirectory directory, FileStatus before) {
    if (keepsTimes) {
      try {
        directory.giveTimes(before);
      } catch (IOException e) {
        // Then it could not be given those of the source either, which is told.
      }
    }
  }

  private void tell(byte[] path, IOException cause) {
    Object label = merged.label(path);
    tell(label, Reasons.destination(label, cause));
  }

  private synchronized void tell(Object label, Failure failure) {
    if (failed.add(label.toString())) {
      events.failed(label, failure);
    }
  }

  /// A directory on the way down.
  private static final class Descent {

    /// Null for the top, of which only some entries go.
    final Descent above;

    final FileStatus status;

    /// Null for the top.
    final byte[] path;

    /// Names that were listed and not looked at yet.
    final ArrayDeque<byte[]> names = new ArrayDeque<>();

    /// Where the listing goes on.
    long position;

    boolean isListed;

    /// How many listings have ended.
    int listings;

    /// Whether something was deleted since the listing began.
    boolean isChanged;

    /// Whether anything was deleted.
    boolean hasLost;

    boolean keepsSome;

    /// Whether its owner may write to it only meanwhile.
    boolean isOpened;

    Descent(Descent above, FileStatus status, byte[] path) {
      this.above = above;
      this.status = status;
      this.path = path;
    }

    byte[] pathOf(byte[] name) {
      return path == null ? name : RawPath.of(path).resolve(name).bytes();
    }
  }

  /// @throws Failure DESTINATION if somebody moved what was being deleted
  private void sweepAll(Descent own) throws IOException, Failure {
    Descent level = own;
    OpenDirectory here = top;
    try {
      while (!events.isOver()) {
        byte[] name = nextName(level, here);
        if (name != null) {
          FileStatus status = statusOf(level, here, name);
          if (status == null) {
            continue;
          }
          if (stays(level, here, name, status)) {
            level.keepsSome = true;
          } else if (status.isDirectory()) {
            OpenDirectory below = open(level, here, name);
            if (below != null) {
              close(here);
              here = below;
              level = new Descent(level, below.status(), level.pathOf(name));
            }
          } else {
            delete(level, here, name, false);
          }
        } else if (level.above == null) {
          return;
        } else {
          Descent left = level;
          if (left.keepsSome) {
            restoreMode(left, here);
          }
          level = left.above;
          OpenDirectory above = level.above == null ? top : here.above();
          close(here);
          here = above;
          if (!here.status().isSameFile(level.status)) {
            throw Failure.of(
                ExitCode.DESTINATION,
                merged.label(left.path),
                "was moved while it was being deleted");
          }
          if (left.keepsSome) {
            level.keepsSome = true;
          } else {
            delete(level, here, RawPath.of(left.path).lastComponent(), true);
          }
        }
      }
    } finally {
      close(here);
      restoreMode(own, top);
    }
  }

  private boolean stays(Descent level, OpenDirectory here, byte[] name, FileStatus status)
      throws IOException, Failure {
    return status.isMountRoot()
        || conflict.isOfThisRun(status) && !isFurtherName(level, here, name, status)
        || level.above == null && !makesWay && merged.isInSource(name)
        || merged.stays(level.pathOf(name), status, level.status);
  }

  /// Whether it is a name besides those that this run has made or kept: then only the name goes. In
  /// a directory that the source does not have this run has made none.
  private boolean isFurtherName(Descent level, OpenDirectory here, byte[] name, FileStatus status)
      throws IOException {
    return status.links() > 1
        && !status.isDirectory()
        && (level.above != null || !merged.isFolded(here, name, status));
  }

  private void close(OpenDirectory directory) throws IOException {
    if (directory != top) {
      directory.close();
    }
  }

  /// @return null if it is gone, or cannot be looked at, which is told
  private FileStatus statusOf(Descent level, OpenDirectory here, byte[] name) {
    try {
      return here.statusOf(name);
    } catch (IOException e) {
      keep(level, level.pathOf(name), e);
      return null;
    }
  }

  /// @return null if there is none left, or the directory cannot be read, which is told
  /// @throws IOException if that is the top
  private byte[] nextName(Descent level, OpenDirectory here) throws IOException {
    try {
      return nextListed(level, here);
    } catch (IOException e) {
      if (level.above == null) {
        throw e;
      }
      keep(level, level.path, e);
      level.isListed = true;
      return null;
    }
  }

  private byte[] nextListed(Descent level, OpenDirectory here) throws IOException {
    while (level.names.isEmpty() && !level.isListed) {
      listing.begin(here, level.position);
      if (listing.fill(here)) {
        while (listing.next()) {
          level.names.add(listing.name());
        }
        level.position = listing.position();
      } else if (level.isChanged && ++level.listings < LISTINGS_MAX) {
        // On some file systems a position is a count of entries: if some of them are gone, others
        // were passed over.
        level.isChanged = false;
        level.position = 0;
      } else {
        level.isListed = true;
      }
    }
    return level.names.poll();
  }

  private void delete(Descent level, OpenDirectory here, byte[] name, boolean isDirectory) {
    byte[] path = level.pathOf(name);
    if (!countsOnly) {
      try {
        remove(level, here, name, isDirectory);
      } catch (IOException e) {
        keep(level, path, e);
        return;
      }
      level.isChanged = true;
      level.hasLost = true;
    }
    found++;
    events.gone(merged.label(path), countsOnly);
  }

  /// A directory of this user that nobody may write to loses entries all the same.
  private static void remove(Descent level, OpenDirectory here, byte[] name, boolean isDirectory)
      throws IOException {
    try {
      here.remove(name, isDirectory);
    } catch (AccessDeniedException e) {
      if (level.isOpened || level.status.owner() != OwnProcess.user()) {
        throw e;
      }
      here.giveMode(level.status.withOwnerAccess().wholeMode());
      level.isOpened = true;
      here.remove(name, isDirectory);
    }
  }

  private static void restoreMode(Descent level, OpenDirectory here) throws IOException {
    if (level.isOpened) {
      here.giveMode(level.status.wholeMode());
    }
  }

  /// @return null if it cannot be opened, which is told
  private OpenDirectory open(Descent level, OpenDirectory here, byte[] name) {
    try {
      return here.directory(name, false);
    } catch (IOException e) {
      keep(level, level.pathOf(name), e);
      return null;
    }
  }

  /// An entry cannot be deleted, so its directory stays, too.
  private void keep(Descent level, byte[] path, IOException cause) {
    level.keepsSome = true;
    tell(path, cause);
  }
}
