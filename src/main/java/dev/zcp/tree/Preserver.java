package dev.zcp.tree;

import dev.zcp.io.FileStatus;
import dev.zcp.io.NativeFile;
import dev.zcp.linux.Attributes;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Stat;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Gives copies what their sources are besides their bytes. Any thread may call it.
///
/// What a target cannot keep is a [Loss] and no failure; what fails for another reason is thrown.
public final class Preserver {

  private final Preserve preserve;
  private final Losses losses;
  private final int umask;

  /// @param umask the process's, see [Umask]
  public Preserver(Preserve preserve, Losses losses, int umask) {
    this.preserve = preserve;
    this.losses = losses;
    this.umask = umask;
  }

  /// Completes a regular file that has all its bytes and is about to get its name.
  ///
  /// @param status what the source was when its first byte was read
  /// @param replaced the file that is about to lose its name to this one, or null
  /// @param label the entry's name, for messages
  public void file(
      NativeFile source, FileStatus status, NativeFile target, FileStatus replaced, Object label)
      throws IOException {
    apply(target.descriptor(), status, replaced, label);
  }

  /// Completes a directory after all that is in it.
  ///
  /// @param created whether it was made for this copy; one that was there keeps its permissions,
  ///   unless they are to be preserved
  public void directory(
      OpenDirectory source, FileStatus status, OpenDirectory target, boolean created, Object label)
      throws IOException {
    if (created || preserve.mode()) {
      apply(target.descriptor(), status, null, label);
    }
  }

  /// Completes a symbolic link, a FIFO or a device that was just made.
  public void special(
      OpenDirectory source,
      byte[] sourceName,
      FileStatus status,
      OpenDirectory target,
      byte[] targetName,
      Object label)
      throws IOException {}

  private void apply(int target, FileStatus status, FileStatus replaced, Object label)
      throws IOException {
    if (preserve.owner()) {
      int result = Attributes.fchown(target, status.owner(), status.group());
      if (result < 0) {
        losses.add(Loss.Kind.OWNER, label.toString(), Errno.sentence(-result));
      }
    }
    int plain = replaced == null ? status.permissions() & ~umask : replaced.permissions();
    int result = Attributes.fchmod(target, preserve.mode() ? status.wholeMode() : plain);
    if (result < 0) {
      losses.add(Loss.Kind.MODE, label.toString(), Errno.sentence(-result));
    }
    if (preserve.times()) {
      result = Attributes.futimens(target, time(status.accessed()), time(status.modified()));
      if (result < 0) {
        losses.add(Loss.Kind.TIMES, label.toString(), Errno.sentence(-result));
      }
    }
  }

  private static Stat.Time time(FileTime time) {
    Instant instant = time.toInstant();
    return new Stat.Time(instant.getEpochSecond(), instant.getNano());
  }
}
