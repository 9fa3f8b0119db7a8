package dev.zcp.tree;

import dev.zcp.core.RawPath;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Gives a file a name that nothing has, in one step that fails where something has it.
///
/// rename(2) would replace what is there. link(2) does not: a second name is made, then the first
/// is removed. Where there are no second names, as on FAT, renameat2(2) is asked not to replace; it
/// comes second since binding it costs a cold process some 20 ms.
final class NewName {

  private static final String NEITHER =
      "the file system has neither hard links nor a rename that replaces nothing";

  private NewName() {}

  /// @throws FileAlreadyExistsException where something has the name `target`
  static void give(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (FileAlreadyExistsException | NoSuchFileException | AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      // Which reason this is, only a text says that may be translated.
      rename(file, target, e);
      return;
    }
    Files.delete(file);
  }

  /// @param noLink why there is no second name
  static void rename(Path file, Path target, FileSystemException noLink) throws IOException {
    int result =
        Entries.renameat2(
            Entries.AT_FDCWD,
            RawPath.of(file).bytes(),
            Entries.AT_FDCWD,
            RawPath.of(target).bytes(),
            Entries.RENAME_NOREPLACE);
    if (result == -Errno.EEXIST) {
      throw new FileAlreadyExistsException(target.toString());
    }
    if (result == -Errno.ENOSYS || result == -Errno.EINVAL) {
      FileSystemException neither = new FileSystemException(target.toString(), null, NEITHER);
      neither.initCause(noLink);
      throw neither;
    }
    if (result < 0) {
      throw new FileSystemException(
          file.toString(), target.toString(), Errno.failure(-result).getMessage());
    }
  }
}
