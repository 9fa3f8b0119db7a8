package dev.zcp.copy;

import dev.zcp.insight.Insight;
import dev.zcp.linux.Errno;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.HiddenName;
import dev.zcp.tree.Policy.Backup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Keeps files that are about to be replaced, each in its directory under another name. Any thread
/// may call it.
///
/// The old file gets the backup's name as a second one, and loses the first only when the new file
/// takes it: the first name is never free.
final class Backups {

  /// More backups of one file than this are no backups any more.
  private static final int NUMBER_MAX = 100_000;

  private final Backup backup;
  private final Insight insight;
  private final AtomicBoolean saidThatThereAreNoLinks = new AtomicBoolean();

  Backups(Backup backup, Insight insight) {
    this.backup = backup;
    this.insight = insight;
  }

  /// The name of the backup of `name`, or null if it gets a number.
  byte[] simpleName(OpenDirectory directory, byte[] name) throws IOException {
    boolean isNumbered =
        switch (backup.numbered()) {
          case NEVER -> false;
          case IF_BEGUN -> hasNumbered(directory, name);
          case ALWAYS -> true;
        };
    return isNumbered ? null : joined(name, backup.suffix());
  }

  private static boolean hasNumbered(OpenDirectory directory, byte[] name) throws IOException {
    try {
      return directory.statusOf(numberedName(name, 1)) != null;
    } catch (FileSystemException e) {
      if (Errno.of(e) == Errno.ENAMETOOLONG) {
        return false;
      }
      throw e;
    }
  }

  void make(OpenDirectory directory, byte[] name) throws IOException {
    byte[] kept = simpleName(directory, name);
    if (kept == null) {
      numbered(directory, name);
    } else {
      simple(directory, name, kept);
    }
  }

  private void simple(OpenDirectory directory, byte[] name, byte[] kept) throws IOException {
    byte[] second = HiddenName.random();
    try {
      directory.addName(second, directory, name);
    } catch (FileSystemException e) {
      withoutLinks(directory, name, kept, e, false);
      return;
    }
    try {
      directory.rename(second, kept);
    } finally {
      removeIfLeft(directory, second);
    }
  }

  /// Takes the first number that is free, by a call that fails if it is not.
  private void numbered(OpenDirectory directory, byte[] name) throws IOException {
    for (int number = 1; number <= NUMBER_MAX; number++) {
      byte[] kept = numberedName(name, number);
      try {
        directory.addName(kept, directory, name);
        return;
      } catch (FileAlreadyExistsException e) {
        continue;
      } catch (FileSystemException e) {
        if (withoutLinks(directory, name, kept, e, true)) {
          return;
        }
      }
    }
    throw new IOException("there are " + NUMBER_MAX + " backups already");
  }

  /// Renames the old file if it can have no second name: on FAT, or since it is somebody else's
  /// (`protected_hardlinks` of proc(5)), or since it has too many.
  ///
  /// @param onlyToNew whether `kept` must be nobody's yet
  /// @return false if `kept` is somebody's
  private boolean withoutLinks(
      OpenDirectory directory,
      byte[] name,
      byte[] kept,
      FileSystemException noLink,
      boolean onlyToNew)
      throws IOException {
    if (noLink instanceof NoSuchFileException) {
      // Somebody removed it: there is nothing to keep.
      return true;
    }
    if (noLink instanceof AccessDeniedException) {
      throw noLink;
    }
    try {
      if (onlyToNew) {
        directory.renameToNew(name, kept);
      } else {
        directory.rename(name, kept);
      }
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    if (!saidThatThereAreNoLinks.getAndSet(true)) {
      insight.note(
          "backups are made by renaming, since a second name is refused there: the first name is"
              + " free for a moment");
    }
    return true;
  }

  /// If the backup is this very file already, left by a copy that was cut short, rename(2) does
  /// nothing and leaves both names.
  private static void removeIfLeft(OpenDirectory directory, byte[] name) throws IOException {
    try {
      directory.remove(name);
    } catch (NoSuchFileException e) {
      return;
    }
  }

  private static byte[] numberedName(byte[] name, int number) {
    return joined(name, ".~" + number + "~");
  }

  private static byte[] joined(byte[] name, String suffix) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(name.length + suffix.length());
    all.writeBytes(name);
    all.writeBytes(suffix.getBytes(StandardCharsets.ISO_8859_1));
    return all.toByteArray();
  }
}
