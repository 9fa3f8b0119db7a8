package dev.zcp.tree;

import dev.zcp.core.RawPath;
import dev.zcp.linux.Attributes;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Timespec;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// What a published file has besides its bytes.
///
/// @param mode permission bits, 0 to 0777
/// @param modified the modification time, or null for the time of writing
/// @param owner the user to give it to, or [#OWN]
/// @param group the group to give it to, or [#OWN]
public record Metadata(int mode, FileTime modified, int owner, int group) {

  /// Leaves the owner or group as the file was created.
  public static final int OWN = -1;

  private static final int GROUP = 0070;

  public Metadata {
    if ((mode & ~0777) != 0) {
      throw new IllegalArgumentException("mode " + Integer.toOctalString(mode));
    }
  }

  /// What cp(1) gives a new file by default: the source's permissions less the umask.
  public static Metadata ofNew(int sourceMode) {
    return new Metadata(sourceMode & 0777 & ~Umask.ofProcess(), null, OWN, OWN);
  }

  /// What a file that is overwritten keeps: its permissions and, where that can be done, its owner.
  /// Its access control list is for [PartialFile#replace].
  public static Metadata ofReplaced(FileStatus old) {
    return new Metadata(old.permissions(), null, old.owner(), old.group());
  }

  /// Whether the mode gives the group anything, so that it matters whether these are the group's
  /// own rights or what a list allows at most: acl(5).
  public boolean isGroups() {
    return (mode & GROUP) != 0;
  }

  public Metadata withModified(FileTime time) {
    return new Metadata(mode, time, owner, group);
  }

  /// Sets all of it. The owner comes before the mode, of which chown(2) clears bits; the time too,
  /// since the JDK opens the file to set it and the mode may forbid that.
  ///
  /// Permissions and times go as far as the file system has such a thing: a copy onto FAT is none
  /// the worse, and cp(1) says nothing either.
  ///
  /// @return whether the owner and the group are those asked for: only root may give files away
  boolean apply(Path path) throws IOException {
    return apply(path, null, null);
  }

  /// As [#apply(Path)].
  ///
  /// @param replaced whose access control list it gets, too, or null where nobody's
  /// @param losses gets to know where that could not be done
  boolean apply(Path path, Path replaced, Losses losses) throws IOException {
    boolean ownerKept = owner == OWN && group == OWN || giveAway(path);
    if (modified != null) {
      whereKnown(() -> setModified(path));
    }
    int denied = replaced == null ? 0 : ReplacedList.handOn(replaced, path, losses);
    whereKnown(() -> Files.setAttribute(path, "unix:mode", mode & ~denied));
    return ownerKept;
  }

  /// Before 1970 the JDK rounds towards it, finds nanoseconds below zero that the kernel refuses,
  /// and then sets 1970 itself: there the system call is made natively.
  private void setModified(Path path) throws IOException {
    Instant instant = modified.toInstant();
    if (instant.getEpochSecond() >= 0) {
      Files.setLastModifiedTime(path, modified);
      return;
    }
    int result =
        Attributes.utimensat(
            Entries.AT_FDCWD,
            RawPath.of(path).bytes(),
            new Timespec(0, Attributes.UTIME_OMIT),
            new Timespec(instant.getEpochSecond(), instant.getNano()),
            0);
    if (result < 0) {
      throw Errno.failure(-result, path.toString());
    }
  }

  private static void whereKnown(Setting setting) throws IOException {
    try {
      setting.set();
    } catch (FileSystemException e) {
      int errno = Errno.ofMessage(e.getReason());
      if (errno != Errno.EPERM && errno != Errno.EOPNOTSUPP && errno != Errno.ENOSYS) {
        throw e;
      }
    }
  }

  @FunctionalInterface
  private interface Setting {
    void set() throws IOException;
  }

  private boolean giveAway(Path path) throws IOException {
    FileStatus now = FileStatus.of(path);
    try {
      if (now.group() != group) {
        Files.setAttribute(path, "unix:gid", group);
      }
      if (now.owner() != owner) {
        Files.setAttribute(path, "unix:uid", owner);
      }
      return true;
    } catch (FileSystemException e) {
      return false;
    }
  }
}
