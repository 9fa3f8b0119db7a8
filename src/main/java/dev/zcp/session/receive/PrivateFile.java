package dev.zcp.session.receive;

import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/// Files under names that anybody can guess, in directories where others may write.
final class PrivateFile {

  private static final int MODE = 0600;

  /// Somebody who takes the name away and gives it back does not keep us here.
  private static final int TRIES_MAX = 16;

  private PrivateFile() {}

  /// Opens the file `name` to read and write where it is a regular file of this user, of mode 0600
  /// and with no other name, and makes it where nothing has the name. What else of this user has
  /// the name is removed: another process may have opened it, or may get at it by another name.
  ///
  /// @return null if something of another user has the name, or a directory has
  static NativeFile open(OpenDirectory directory, byte[] name) throws IOException {
    int user = OwnProcess.user();
    for (int i = 0; i < TRIES_MAX; i++) {
      try {
        FileStatus found = directory.statusOf(name);
        if (found == null) {
          return directory.create(name, MODE);
        }
        if (found.owner() != user || found.isDirectory()) {
          return null;
        }
        if (found.links() == 0) {
          // Somebody removed it while it was looked at. The name may be another file's by now.
          continue;
        }
        if (!isPrivate(found)) {
          directory.remove(name);
          continue;
        }
        NativeFile file = directory.existing(name);
        if (isStill(file, found)) {
          return file;
        }
        file.close();
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        // It came or went since it was looked at.
      }
    }
    return null;
  }

  /// Whether `name` leads to `file` still, and no other name does.
  static boolean isNamed(OpenDirectory directory, byte[] name, NativeFile file) throws IOException {
    FileStatus found = directory.statusOf(name);
    return found != null && isStill(file, found);
  }

  private static boolean isStill(NativeFile file, FileStatus found) throws IOException {
    FileStatus opened = file.status();
    return opened.isSameFile(found) && isPrivate(opened);
  }

  private static boolean isPrivate(FileStatus status) {
    return status.isRegular() && status.wholeMode() == MODE && status.links() == 1;
  }
}
