package dev.zcp.tree;

import dev.zcp.io.FileStatus;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/// What a published file has besides its bytes.
///
/// @param mode permission bits, 0 to 0777
/// @param modified the modification time, or null for the time of writing
/// @param owner the user to give it to, or [#OWN]
/// @param group the group to give it to, or [#OWN]
public record Metadata(int mode, FileTime modified, int owner, int group) {

  /// Leaves the owner or group as the file was created.
  public static final int OWN = -1;

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
  public static Metadata ofReplaced(FileStatus old) {
    return new Metadata(old.permissions(), null, old.owner(), old.group());
  }

  public Metadata withModified(FileTime time) {
    return new Metadata(mode, time, owner, group);
  }

  /// Sets all of it. The owner comes before the mode: chown(2) clears bits of it.
  ///
  /// @return whether the owner and the group are those asked for: only root may give files away
  boolean apply(Path path) throws IOException {
    boolean ownerKept = owner == OWN && group == OWN || giveAway(path);
    Files.setAttribute(path, "unix:mode", mode);
    if (modified != null) {
      Files.setLastModifiedTime(path, modified);
    }
    return ownerKept;
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
