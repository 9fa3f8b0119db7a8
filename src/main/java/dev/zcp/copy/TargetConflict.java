package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.Partial;
import dev.zcp.tree.Preserver.Replaced;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;

/// An entry and what has its name in the target, with what the [OverwritePolicy] decided between
/// them.
final class TargetConflict {

  /// How often somebody may take a name that was free when it was looked at.
  private static final int TRIES_MAX = 16;

  private final OverwritePolicy policy;
  private final Entry entry;
  private final FileStatus status;
  private final OpenDirectory directory;
  private final byte[] name;

  private FileStatus replaced;

  /// Why what is there stays, or null.
  private String keptBecause;

  private TargetConflict(
      OverwritePolicy policy,
      Entry entry,
      FileStatus status,
      OpenDirectory directory,
      byte[] name) {
    this.policy = policy;
    this.entry = entry;
    this.status = status;
    this.directory = directory;
    this.name = name;
  }

  /// Looks what has the name, unless nothing can have it, and decides.
  ///
  /// @param status what would be made
  /// @throws Failure if neither is to be there
  static TargetConflict of(OverwritePolicy policy, Entry entry, FileStatus status)
      throws IOException, Failure {
    return of(policy, entry, status, existing(entry));
  }

  /// As [#of], if it was looked before.
  ///
  /// @param existing what has the name, or null
  static TargetConflict of(
      OverwritePolicy policy, Entry entry, FileStatus status, FileStatus existing)
      throws IOException, Failure {
    TargetConflict conflict =
        new TargetConflict(policy, entry, status, entry.folder().target(), entry.newName());
    conflict.decide(existing);
    return conflict;
  }

  /// What has the name is replaced, whatever the policy for those that differ.
  ///
  /// @param existing what has the name
  static TargetConflict replacing(
      OverwritePolicy policy, Entry entry, FileStatus status, FileStatus existing) {
    TargetConflict conflict =
        new TargetConflict(policy, entry, status, entry.folder().target(), entry.newName());
    conflict.replaced = existing;
    return conflict;
  }

  /// As [#of], for a regular file: a link that has the name is followed if that was asked for.
  static TargetConflict ofFile(OverwritePolicy policy, Entry entry, FileStatus status)
      throws IOException, Failure {
    FileStatus existing = existing(entry);
    if (existing == null || !existing.isSymlink() || !policy.writesThroughLinks()) {
      return of(policy, entry, status, existing);
    }
    RawPath real = realPath(entry);
    OpenDirectory directory = OpenDirectory.open(real.parent());
    TargetConflict conflict =
        new TargetConflict(policy, entry, status, directory, real.lastComponent());
    try {
      FileStatus behind = directory.statusOf(conflict.name);
      if (behind != null && !behind.isRegular()) {
        throw Failure.of(
            ExitCode.DESTINATION, entry.targetLabel(), "is a link to what is no regular file");
      }
      conflict.decide(behind);
      return conflict;
    } catch (IOException | Failure e) {
      conflict.close();
      throw e;
    }
  }

  /// What has the entry's name in the target, or null.
  static FileStatus existing(Entry entry) throws IOException {
    Folder folder = entry.folder();
    return folder.created() || folder.target() == null
        ? null
        : folder.target().statusOf(entry.newName());
  }

  private static RawPath realPath(Entry entry) throws IOException, Failure {
    RawPath held = RawPath.of("/proc/self/fd/" + entry.folder().target().descriptor());
    try {
      return RawPath.of(held.resolve(entry.newName()).toPath().toRealPath());
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, entry.targetLabel(), "is a link that leads nowhere");
    }
  }

  /// The directory in which the name is.
  OpenDirectory directory() {
    return directory;
  }

  /// The target's name, for messages: put together only if it is shown.
  Object label() {
    return new TargetName(entry.folder(), entry.newName());
  }

  /// Closes the directory, unless it is the entry's own.
  void close() {
    if (directory != entry.folder().target() && directory != null) {
      try {
        directory.close();
      } catch (IOException e) {
        // Nothing was written to it by this descriptor.
      }
    }
  }

  /// Why nothing is to be made, or null: a phrase about the target.
  String keptBecause() {
    return keptBecause;
  }

  /// Whether nothing is to be made.
  boolean isOver() {
    return keptBecause != null;
  }

  /// What loses its name, or null.
  FileStatus replaced() {
    return replaced;
  }

  /// The file that loses its name, or null: of a link that loses it nothing is kept.
  Replaced replacedFile() {
    return replaced != null && replaced.isRegular()
        ? new Replaced(directory, name, replaced)
        : null;
  }

  /// The file whose permissions and owner the copy gets. Null if there is none, or if it is removed
  /// or becomes a backup: then the copy gets those of the source, as with cp(1).
  Replaced predecessor() {
    return policy.takesNames() ? null : replacedFile();
  }

  /// Opens the file that would lose its name, to write into it.
  NativeFile openReplaced() throws IOException {
    NativeFile file = directory.existing(name);
    if (!file.status().isSameFile(replaced)) {
      file.close();
      throw new FileSystemException(
          label().toString(), null, "was replaced by another file meanwhile");
    }
    return file;
  }

  /// What a dry run says of it.
  Planned planned(Planned asNew) {
    return replaced == null ? asNew : Planned.REPLACE;
  }

  /// Gives `partial` the name. If somebody took it meanwhile, it is decided anew; what is kept then
  /// leaves the partial as it is.
  void reveal(Partial partial) throws IOException, Failure {
    for (int tries = 1; !isOver(); tries++) {
      try {
        if (replaced != null) {
          policy.backUp(directory, name);
        }
        partial.reveal(name, replaced != null);
        return;
      } catch (FileAlreadyExistsException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
        decide(directory.statusOf(name));
      }
    }
  }

  private void decide(FileStatus existing) throws IOException, Failure {
    replaced = null;
    if (existing == null) {
      return;
    }
    refuseSameFile(existing);
    keptBecause = policy.keptBecause(status, existing, isOneName(), entry.label(), label());
    if (keptBecause == null) {
      refuseBackupOfSource();
      replaced = existing;
    }
  }

  /// The backup would take the name of the very file that is copied.
  private void refuseBackupOfSource() throws IOException, Failure {
    byte[] backup = policy.simpleBackupName(directory, name);
    FileStatus kept = backup == null ? null : directory.statusOf(backup);
    if (kept != null && kept.isSameFile(status) && !isOneName()) {
      throw Failure.of(
              ExitCode.EXISTS, label().toString(), "its backup would replace " + entry.label())
          .with("nothing was copied");
    }
  }

  private boolean isOneName() {
    return directory.status().isSameFile(entry.folder().source().status())
        && Arrays.equals(name, entry.name());
  }

  /// A link and the file it leads to are one file, too: either in place of the other would leave
  /// nothing but the link, unless a backup keeps the file. Two links may lead to one file.
  private void refuseSameFile(FileStatus existing) throws IOException, Failure {
    boolean isSafe = existing.isSymlink() ? policy.takesNames() : policy.keepsBackups();
    if (status.isSymlink() == existing.isSymlink() || isSafe && !isOneName()) {
      return;
    }
    FileStatus source =
        status.isSymlink() ? entry.folder().source().statusBehind(entry.name()) : status;
    FileStatus target = existing.isSymlink() ? directory.statusBehind(name) : existing;
    if (source != null && target != null && source.isSameFile(target)) {
      throw OverwritePolicy.sameFile(label(), entry.label());
    }
  }
}
