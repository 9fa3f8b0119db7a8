package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.wire.EntryPath;
import java.util.HashMap;
import java.util.Map;

/// Which session has which files under way, so that two senders do not write the same one. Any
/// thread may call it.
final class PathLocks {

  /// How often a name may be taken by another session when the one before has given way.
  private static final int TRIES_MAX = 16;

  /// How often whoever waits for a file looks whether that still makes sense.
  private static final long LOOK_MS = 100;

  private final Map<EntryPath, PathClaim> pathLocks = new HashMap<>();

  /// A session that has files under way.
  @FunctionalInterface
  interface Holder {

    /// Somebody else wants a file that this session has under way. A session that nobody is
    /// connected to ends by this, and has given up all its files when it returns.
    ///
    /// @return whether it has
    boolean giveWay();

    /// Whether the entry of this session is over, so that its file will be let go of in a moment: a
    /// sender that gave it up may offer it anew before.
    ///
    /// @param fileId of the entry
    default boolean isLettingGo(long fileId) {
      return false;
    }
  }

  private record PathClaim(Holder holder, long fileId) {

    boolean isOf(Holder other, long otherId) {
      return holder == other && fileId == otherId;
    }
  }

  /// Takes a file for a session, which may have it already.
  ///
  /// @return false if another one has it, or this one under another id
  boolean take(EntryPath path, Holder holder, long fileId) {
    PathClaim mine = new PathClaim(holder, fileId);
    for (int i = 0; i < TRIES_MAX; i++) {
      PathClaim other;
      synchronized (this) {
        other = pathLocks.putIfAbsent(path, mine);
      }
      if (other == null || other.isOf(holder, fileId)) {
        return true;
      }
      if (!isGivenUp(path, other, holder)) {
        return false;
      }
    }
    return false;
  }

  /// Whether no file is under way there, or it has given way: for what is made at once, and so
  /// takes no path.
  boolean isFree(EntryPath path, Holder holder) {
    PathClaim claim;
    synchronized (this) {
      claim = pathLocks.get(path);
    }
    return claim == null || isGivenUp(path, claim, holder);
  }

  /// Not under the lock of this table, which the other one needs to give up what it has.
  private boolean isGivenUp(EntryPath path, PathClaim claim, Holder wanting) {
    return claim.holder() == wanting ? awaitRelease(path, claim) : claim.holder().giveWay();
  }

  /// Why a path could not be had.
  synchronized Failure taken(EntryPath path, Holder holder) {
    PathClaim claim = pathLocks.get(path);
    String who =
        claim != null && claim.holder() == holder
            ? "another entry of this sender goes there"
            : "is being received from another sender";
    return Failure.of(ExitCode.EXISTS, path.toString(), who);
  }

  private synchronized boolean awaitRelease(EntryPath path, PathClaim claim) {
    try {
      while (pathLocks.get(path) == claim) {
        if (!claim.holder().isLettingGo(claim.fileId())) {
          return false;
        }
        wait(LOOK_MS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Gives a file up, if it is this session's.
  synchronized void release(EntryPath path, Holder holder, long fileId) {
    PathClaim claim = pathLocks.get(path);
    if (claim != null && claim.isOf(holder, fileId)) {
      pathLocks.remove(path);
      notifyAll();
    }
  }
}
