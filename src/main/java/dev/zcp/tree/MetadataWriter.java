package dev.zcp.tree;

import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory.NewFileDefaults;
import java.io.IOException;
import java.nio.file.FileSystemException;

/// Gives one file what it is to have besides its bytes, and remembers what it could not have. The
/// order is for the caller to keep: see [Preserver].
///
/// A system's "no" is a [Loss], told once of each kind for a file however many calls said it. What
/// is broken (no space, a failing device) is thrown.
final class MetadataWriter {

  /// To [Handle#chown]: leave it as it is.
  private static final int SAME = -1;

  private final Handle target;
  private final Losses losses;
  private final Object label;

  /// A bit for each kind that was lost.
  private int lost;

  private boolean ownerGiven;
  private boolean ownerRefused;
  private int owner;
  private int group;
  private boolean modeGiven;
  private int mode;

  /// Has the times that were given; null if none were.
  private FileStatus times;

  MetadataWriter(Handle target, Losses losses, Object label) {
    this.target = target;
    this.losses = losses;
    this.label = label;
  }

  Handle target() {
    return target;
  }

  /// Whether the file could not be given to its owner and group.
  boolean ownerRefused() {
    return ownerRefused;
  }

  /// Gives it to an owner and a group. If it may not have both it gets one of them: nobody but root
  /// gives files away, while a user may choose among the groups they are in, chown(2); and in a
  /// user namespace the group may have no number while the owner has one.
  ///
  /// @param now whose it is
  void own(int newOwner, int newGroup, NewFileDefaults now) throws IOException {
    owner = newOwner;
    group = newGroup;
    if (owner == now.owner() && group == now.group()) {
      return;
    }
    int result = target.chown(owner, group);
    if (result >= 0) {
      ownerGiven = true;
      return;
    }
    refused(Loss.LossKind.OWNER, -result, "");
    ownerRefused = true;
    boolean groupGiven = group != now.group() && target.chown(SAME, group) >= 0;
    if (!groupGiven && -result == Errno.EINVAL && owner != now.owner()) {
      target.chown(owner, SAME);
    }
  }

  /// @param list [AccessList#ACCESS] or [AccessList#DEFAULT]
  void removeList(byte[] list) throws IOException {
    int result = target.removeAttribute(list);
    // Neither a file without a list nor a file system without lists has anything to remove.
    if (result < 0 && result != -Errno.ENODATA && result != -Errno.EOPNOTSUPP) {
      refused(Loss.LossKind.ACL, -result, "");
    }
  }

  void mode(int bits, NewFileDefaults now) throws IOException {
    int result = target.chmod(bits);
    if (result < 0) {
      refused(Loss.LossKind.MODE, -result, "");
    } else {
      mode = bits;
      modeGiven = bits != now.mode();
    }
  }

  void times(FileStatus source) throws IOException {
    int result = target.setTimes(source);
    if (result < 0) {
      refused(Loss.LossKind.TIMES, -result, "");
    } else {
      times = source;
    }
  }

  /// Compares what the file has with what it was given, unless its file system was seen to keep
  /// such a thing: there are those that say yes and do otherwise.
  void check(FaithfulDevice faithful, long device) throws IOException {
    if (!faithful.mustCheck(device, ownerGiven, modeGiven, mode, times)) {
      return;
    }
    int result = target.statx();
    if (result < 0) {
      throw Errno.failure(-result, label.toString());
    }
    FileStatus now = Entries.found();
    if (ownerGiven && (now.owner() != owner || now.group() != group)) {
      lost(Loss.LossKind.OWNER, "the file system has not kept them");
    }
    if (modeGiven && now.wholeMode() != mode) {
      lost(Loss.LossKind.MODE, "the file system has not kept them");
    }
    if (times != null && !hasTime(now, times)) {
      lost(Loss.LossKind.TIMES, "the file system keeps less of them");
    }
    if (lost == 0) {
      faithful.kept(device, ownerGiven, modeGiven, times);
    }
  }

  private static boolean hasTime(FileStatus now, FileStatus times) {
    return now.modifiedSeconds() == times.modifiedSeconds()
        && now.modifiedNanos() == times.modifiedNanos();
  }

  /// What became of a call that gave `-errno`: a loss, or a failure.
  ///
  /// @param subject what was refused, with a colon and a space after it, or nothing
  /// @throws FileSystemException if it has nothing to do with what the target can keep
  void refused(Loss.LossKind kind, int errno, String subject) throws FileSystemException {
    if (!isRefusal(errno)) {
      throw Errno.failure(errno, label.toString());
    }
    lost(kind, subject + Errno.sentence(errno));
  }

  void lost(Loss.LossKind kind, String reason) {
    int bit = 1 << kind.ordinal();
    if ((lost & bit) == 0) {
      lost |= bit;
      losses.add(kind, label, reason);
    }
  }

  /// Whether an error says that the file system, or this user, cannot have such a thing. FAT says
  /// EPERM of owners and modes, network file systems add EACCES and EINVAL, those without
  /// attributes say EOPNOTSUPP, those with small ones E2BIG or ERANGE.
  private static boolean isRefusal(int errno) {
    return switch (errno) {
      case Errno.EPERM,
          Errno.EACCES,
          Errno.EINVAL,
          Errno.EOPNOTSUPP,
          Errno.ENOSYS,
          Errno.E2BIG,
          Errno.ERANGE,
          Errno.EOVERFLOW ->
          true;
      default -> false;
    };
  }

  /// What the file system under the target was seen to keep as it was told. There are those that
  /// say yes and do otherwise: FAT counts in steps of two seconds, some reach no further than 1901
  /// or 2038, some take every mode and show what they were mounted with. So files are looked at
  /// again, at the cost of a system call, until the file system has proved itself.
  ///
  /// It knows the device of the last proof alone; proofs of several threads may get lost, which
  /// costs another look. Any thread may call it.
  static final class FaithfulDevice {

    private static final int OWNER = 1;
    private static final int MODE = 2;

    /// Whole seconds.
    private static final int SECONDS = 4;

    private static final int NANOSECONDS = 8;

    /// A time that is no multiple of it shows that nanoseconds are kept. Some count in 100 ns.
    private static final int COARSE_NS = 1000;

    /// What every file system can hold: up to 2038.
    private static final long SECONDS_MAX = Integer.MAX_VALUE;

    /// chmod(2) leaves out without a word what the caller may not lend to others.
    private static final int LENT = 06000;

    private volatile Proof proof = new Proof(-1, 0);

    /// Whether a file must be looked at after all of this was given to it.
    ///
    /// @param times has the times it was given, or null
    boolean mustCheck(
        long device, boolean ownerGiven, boolean modeGiven, int mode, FileStatus times) {
      int needed = (ownerGiven ? OWNER : 0) | (modeGiven ? MODE : 0);
      boolean unusual = (mode & LENT) != 0;
      if (times != null) {
        needed |= times.modifiedNanos() == 0 ? SECONDS : NANOSECONDS;
        unusual |= times.modifiedSeconds() < 0 || times.modifiedSeconds() > SECONDS_MAX;
      }
      Proof known = proof;
      return unusual || (needed & ~(known.device == device ? known.kept : 0)) != 0;
    }

    /// A file was looked at and has all that it was given.
    void kept(long device, boolean ownerGiven, boolean modeGiven, FileStatus times) {
      int kept = (ownerGiven ? OWNER : 0) | (modeGiven ? MODE : 0);
      if (times != null) {
        boolean isFine = times.modifiedNanos() % COARSE_NS != 0;
        boolean isOdd = times.modifiedSeconds() % 2 != 0;
        kept |= (isFine ? NANOSECONDS | SECONDS : 0) | (isOdd ? SECONDS : 0);
      }
      Proof known = proof;
      proof = new Proof(device, kept | (known.device == device ? known.kept : 0));
    }

    private record Proof(long device, int kept) {}
  }
}
