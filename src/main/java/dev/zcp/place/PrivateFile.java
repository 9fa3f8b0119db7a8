package dev.zcp.place;

import dev.zcp.core.Quietly;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.place.Partials.Partial;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;

/// Files under names that anybody can guess, in directories where others may write.
public final class PrivateFile {

  public static final int MODE = 0600;

  /// Somebody who takes the name away and gives it back does not keep us here.
  private static final int TRIES_MAX = 16;

  /// A process that makes a file locks it within this time, or does not use it.
  private static final long LOCK_NS_MAX = 50_000_000;

  /// A file that is older and not locked belongs to nobody. This must exceed [#LOCK_NS_MAX] by more
  /// than the 10 ms to which ext4, xfs, btrfs and tmpfs round times. It is less than a process
  /// takes to start, so a receiver that starts right after another one was killed removes what that
  /// one left.
  private static final Duration STALE_AGE = Duration.ofMillis(100);

  private PrivateFile() {}

  /// Makes a partial file and locks it, so that nobody takes it for [stale][#removeStale].
  ///
  /// @return null if that took too long, and somebody might have
  /// @throws FileAlreadyExistsException if something has the name
  public static NativeFile createLocked(Partial partial, int mode) throws IOException {
    long startedNs = System.nanoTime();
    NativeFile file = partial.createFile(mode);
    try {
      if (file.tryLock() && System.nanoTime() - startedNs < LOCK_NS_MAX) {
        return file;
      }
    } catch (IOException e) {
      // A file system without locks: nothing is taken for stale there.
      return file;
    }
    file.close();
    return null;
  }

  /// Removes the file of this name if a killed process of this user left it there. It may have its
  /// final mode already: a receiver sets that before it renames the file.
  public static void removeStale(OpenDirectory directory, byte[] name) {
    try {
      removeIfNobodys(directory, name, Instant.now().minus(STALE_AGE), false);
    } catch (IOException e) {
      // It stays, and is in nobody's way.
    }
  }

  /// Removes the file of this name if it is this user's, has no other name and nobody has locked
  /// it.
  ///
  /// @param newest when it may have been changed last
  /// @param isDryRun whether it stays all the same
  /// @return whether it is removed, or would be
  public static boolean removeIfNobodys(
      OpenDirectory directory, byte[] name, Instant newest, boolean isDryRun) throws IOException {
    FileStatus found = directory.statusOf(name);
    if (found == null || found.owner() != OwnProcess.user() || !hasOneName(found)) {
      return false;
    }
    try (NativeFile file = opened(directory, name)) {
      FileStatus opened = file.status();
      boolean isOurs =
          opened.changed().toInstant().isBefore(newest)
              && opened.isSameFile(found)
              && file.tryLock();
      FileStatus now = isOurs ? directory.statusOf(name) : null;
      boolean goes = now != null && now.isSameFile(found) && hasOneName(now);
      if (goes && !isDryRun) {
        directory.remove(name);
      }
      return goes;
    }
  }

  /// Opens a file to lock it, which on NFS takes one that may be written to; if its mode forbids
  /// that, to read.
  private static NativeFile opened(OpenDirectory directory, byte[] name) throws IOException {
    try {
      return directory.existing(name);
    } catch (AccessDeniedException e) {
      return directory.file(name, false);
    }
  }

  /// Opens the file `name` to read and write if it is a regular file of this user, of this mode and
  /// with no other name, and makes it if nothing has the name. What else of this user has the name
  /// is removed: another process may have opened it, or may get at it by another name.
  ///
  /// @param mode 0600; or more where files get access control lists, of which something may be
  ///   missing then
  /// @return null if something of another user has the name, or a directory has; or if no such file
  ///   can be made, since a list gives its owner less
  public static NativeFile open(OpenDirectory directory, byte[] name, int mode) throws IOException {
    int user = OwnProcess.user();
    for (int i = 0; i < TRIES_MAX; i++) {
      try {
        FileStatus found = directory.statusOf(name);
        if (found == null) {
          return create(directory, name, mode);
        }
        if (found.owner() != user || found.isDirectory()) {
          return null;
        }
        if (found.links() == 0) {
          // Somebody removed it while it was looked at. The name may be another file's by now.
          continue;
        }
        if (!isOfMode(found, mode)) {
          directory.remove(name);
          continue;
        }
        NativeFile file = existing(directory, name, mode, found);
        if (file != null) {
          return file;
        }
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        // It came or went since it was looked at.
      }
    }
    return null;
  }

  /// @return null if it is not the one that was found any more
  private static NativeFile existing(
      OpenDirectory directory, byte[] name, int mode, FileStatus found) throws IOException {
    NativeFile file = directory.existing(name);
    boolean isFound = false;
    try {
      FileStatus opened = file.status();
      isFound = opened.isSameFile(found) && isOfMode(opened, mode);
    } finally {
      if (!isFound) {
        Quietly.close(file);
      }
    }
    return isFound ? file : null;
  }

  private static NativeFile create(OpenDirectory directory, byte[] name, int mode)
      throws IOException {
    NativeFile file = directory.create(name, mode);
    boolean isPrivate = false;
    try {
      isPrivate = isOfMode(file.status().wholeMode(), mode);
    } finally {
      if (!isPrivate) {
        Quietly.close(file);
        directory.remove(name);
      }
    }
    return isPrivate ? file : null;
  }

  /// Whether `name` leads to `file` still, which is [private][#MODE], and no other name does.
  public static boolean isNamed(OpenDirectory directory, byte[] name, NativeFile file)
      throws IOException {
    FileStatus found = directory.statusOf(name);
    FileStatus opened = file.status();
    return found != null && opened.isSameFile(found) && isOfMode(opened, MODE);
  }

  /// Removes a file that [#open] gave and that cannot be locked, unless it has bytes. Some file
  /// systems have no locks, such as Lustre unless it is mounted with `flock`: nobody goes on with a
  /// file there, and one would be left behind each time.
  public static void removeIfEmpty(OpenDirectory directory, byte[] name, NativeFile file) {
    try {
      if (file.status().sizeBytes() == 0 && isNamed(directory, name, file)) {
        directory.remove(name);
      }
    } catch (IOException e) {
      // It stays, and is in nobody's way.
    }
  }

  private static boolean isOfMode(FileStatus status, int mode) {
    return hasOneName(status) && isOfMode(status.wholeMode(), mode);
  }

  private static boolean isOfMode(int whole, int mode) {
    return (whole & MODE) == MODE && (whole & ~mode) == 0;
  }

  private static boolean hasOneName(FileStatus status) {
    return status.isRegular() && status.links() == 1;
  }
}
