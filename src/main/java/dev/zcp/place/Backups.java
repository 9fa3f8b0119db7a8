package dev.zcp.place;

import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy.Backup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Keeps what loses its name under another one. Any thread may call it.
final class Backups {

  /// More backups of one file than this are no backups any more.
  private static final int BACKUPS_MAX = 100_000;

  private final Backup backup;
  private final RunNames names;
  private final Consumer<String> notes;
  private final AtomicBoolean saidThatThereAreNoLinks = new AtomicBoolean();

  /// @param names what this run has made or kept, none of which becomes a backup's name
  /// @param notes gets what a user should know
  Backups(Backup backup, RunNames names, Consumer<String> notes) {
    this.backup = backup;
    this.names = names;
    this.notes = notes;
  }

  /// Sees to it that what has the name stays in its directory under the name of a backup. To be
  /// called right before something is renamed to the name: the old file gets the backup's name as a
  /// second one, and loses the first only when the new file takes it. If the file system has no
  /// hard links, nothing has the name in between.
  ///
  /// @throws IOException if there can be no backup; then nothing has changed
  void backUp(Claim claim) throws IOException {
    byte[] kept = simpleName(claim);
    try {
      if (kept == null) {
        backUpByNumber(claim);
      } else {
        backUpAs(claim, kept);
      }
    } catch (FileSystemException e) {
      if (Errno.of(e) == Errno.ENAMETOOLONG) {
        // cp(1) cuts the name, which may then be that of another file or of its backup.
        throw new IOException("is not replaced: the name of its backup would be too long", e);
      }
      throw e;
    }
  }

  /// The name of the backup, or null if it gets a number. A name that this run has made, or will
  /// make, is never taken.
  private byte[] simpleName(Claim claim) throws IOException {
    boolean isNumbered =
        switch (backup.numbered()) {
          case NEVER -> false;
          case IF_BEGUN -> hasNumbered(claim);
          case ALWAYS -> true;
        };
    byte[] simple = isNumbered ? null : joined(claim.name(), backup.suffix());
    return simple == null || isOfThisRun(claim, simple) ? null : simple;
  }

  private boolean isOfThisRun(Claim claim, byte[] name) throws IOException {
    if (claim.willCome(name)) {
      return true;
    }
    FileStatus there = statusIfPossible(claim, name);
    return there != null && names.has(there);
  }

  private static boolean hasNumbered(Claim claim) throws IOException {
    return statusIfPossible(claim, numberedName(claim.name(), 1)) != null;
  }

  private static FileStatus statusIfPossible(Claim claim, byte[] name) throws IOException {
    try {
      return claim.directory().statusOf(name);
    } catch (FileSystemException e) {
      if (Errno.of(e) == Errno.ENAMETOOLONG) {
        return null;
      }
      throw e;
    }
  }

  /// Whether the backup would take the name of the very file that is copied.
  boolean wouldReplaceSource(Claim claim) throws IOException {
    byte[] kept = claim.isOwnName() ? null : simpleName(claim);
    FileStatus there = kept == null ? null : statusIfPossible(claim, kept);
    return there != null && there.isSameFile(claim.status());
  }

  private void backUpAs(Claim claim, byte[] kept) throws IOException {
    OpenDirectory directory = claim.directory();
    byte[] second = HiddenName.random();
    try {
      directory.addName(second, directory, claim.name());
    } catch (FileSystemException e) {
      backUpWithoutLinks(claim, kept, e, false);
      return;
    }
    try {
      directory.rename(second, kept);
    } finally {
      removeIfLeft(directory, second);
    }
  }

  /// Takes the first number that is free, by a call that fails if it is not.
  private void backUpByNumber(Claim claim) throws IOException {
    for (int number = 1; number <= BACKUPS_MAX; number++) {
      byte[] kept = numberedName(claim.name(), number);
      if (claim.willCome(kept)) {
        continue;
      }
      try {
        claim.directory().addName(kept, claim.directory(), claim.name());
        return;
      } catch (FileAlreadyExistsException e) {
        continue;
      } catch (FileSystemException e) {
        if (backUpWithoutLinks(claim, kept, e, true)) {
          return;
        }
      }
    }
    throw new IOException("there are " + BACKUPS_MAX + " backups already");
  }

  /// Renames the old file if it can have no second name: on FAT, or since it is somebody else's
  /// (`protected_hardlinks` of proc(5)), or since it has too many.
  ///
  /// @param onlyToNew whether `kept` must be nobody's yet
  /// @return false if `kept` is somebody's
  private boolean backUpWithoutLinks(
      Claim claim, byte[] kept, FileSystemException noLink, boolean onlyToNew) throws IOException {
    if (noLink instanceof NoSuchFileException) {
      // Somebody removed it: there is nothing to keep.
      return true;
    }
    if (noLink instanceof AccessDeniedException) {
      throw noLink;
    }
    try {
      if (onlyToNew) {
        claim.directory().renameToNew(claim.name(), kept);
      } else {
        claim.directory().rename(claim.name(), kept);
      }
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    if (!saidThatThereAreNoLinks.getAndSet(true)) {
      notes.accept(
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
