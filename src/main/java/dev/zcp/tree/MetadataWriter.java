package dev.zcp.tree;

import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Timespec;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

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

  /// Null unless it was given.
  private FileTime modified;

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

  /// Gives it to an owner and a group. Where it may not have both it gets one of them: nobody but
  /// root gives files away, while a user may choose among the groups they are in, chown(2); and in
  /// a user namespace the group may have no number while the owner has one.
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
    refused(Loss.Kind.OWNER, -result, "");
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
      refused(Loss.Kind.ACL, -result, "");
    }
  }

  void mode(int bits, NewFileDefaults now) throws IOException {
    int result = target.chmod(bits);
    if (result < 0) {
      refused(Loss.Kind.MODE, -result, "");
    } else {
      mode = bits;
      modeGiven = bits != now.mode();
    }
  }

  void times(FileTime accessed, FileTime newModified) throws IOException {
    int result = target.setTimes(time(accessed), time(newModified));
    if (result < 0) {
      refused(Loss.Kind.TIMES, -result, "");
    } else {
      modified = newModified;
    }
  }

  /// Compares what the file has with what it was given, unless its file system was seen to keep
  /// such a thing: there are those that say yes and do otherwise.
  void check(FaithfulDevice faithful, long device) throws IOException {
    if (!faithful.mustCheck(device, ownerGiven, modeGiven, mode, modified)) {
      return;
    }
    int result = target.statx();
    if (result < 0) {
      throw Errno.failure(-result, label.toString());
    }
    FileStatus now = Entries.found();
    if (ownerGiven && (now.owner() != owner || now.group() != group)) {
      lost(Loss.Kind.OWNER, "the file system has not kept them");
    }
    if (modeGiven && now.wholeMode() != mode) {
      lost(Loss.Kind.MODE, "the file system has not kept them");
    }
    if (modified != null && !now.modified().equals(modified)) {
      lost(Loss.Kind.TIMES, "the file system keeps less of them");
    }
    if (lost == 0) {
      faithful.kept(device, ownerGiven, modeGiven, modified);
    }
  }

  /// What became of a call that gave `-errno`: a loss, or a failure.
  ///
  /// @param subject what was refused, with a colon and a space after it, or nothing
  /// @throws FileSystemException where this is no matter of what the target can keep
  void refused(Loss.Kind kind, int errno, String subject) throws FileSystemException {
    if (!isRefusal(errno)) {
      throw Errno.failure(errno, label.toString());
    }
    lost(kind, subject + Errno.sentence(errno));
  }

  void lost(Loss.Kind kind, String reason) {
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

  private static Timespec time(FileTime time) {
    Instant instant = time.toInstant();
    return new Timespec(instant.getEpochSecond(), instant.getNano());
  }
}
