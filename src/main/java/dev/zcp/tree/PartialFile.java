package dev.zcp.tree;

import dev.zcp.core.Name;
import dev.zcp.io.FileEnd;
import dev.zcp.io.HeldDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// A file that is not complete yet: `.zcp-RANDOM.part` beside its target, mode 0600, unknown to
/// everyone until it is published.
///
/// Finish, then reveal: write, count, set the mode, close, rename. Closing comes before the rename
/// since some file systems report only there that the bytes did not fit.
public final class PartialFile {

  private static final int CREATE_TRIES_MAX = 16;

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(
          EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

  private final Staging staging;
  private final HeldDirectory directory;
  private final Path path;
  private final FileEnd end;

  private PartialFile(Staging staging, HeldDirectory directory, Path path, FileEnd end) {
    this.staging = staging;
    this.directory = directory;
    this.path = path;
    this.end = end;
  }

  static PartialFile create(Staging staging, HeldDirectory directory) throws IOException {
    for (int tries = 1; ; tries++) {
      Path path = directory.entry(Name.of(HiddenName.random()));
      try {
        FileChannel channel =
            FileChannel.open(
                path,
                Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE),
                PRIVATE);
        return new PartialFile(staging, directory, path, FileEnd.of(channel, directory.device()));
      } catch (FileAlreadyExistsException e) {
        if (tries == CREATE_TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  /// Where the bytes go. Readable too, for the digest of what was written.
  public FileEnd end() {
    return end;
  }

  /// Completes the file and gives it its final name, in place of whatever has it.
  ///
  /// @return whether the owner that `metadata` asks for could be set
  public boolean publish(Name name, Metadata metadata) throws IOException {
    boolean ownerKept = complete(metadata, null, null);
    move(name);
    return ownerKept;
  }

  /// As [#publish], in place of a regular file, whose access control list it gets: the group's bits
  /// of a mode are no more than the list's mask, so that a mode alone would give the group more.
  ///
  /// The list of a file that gives its group nothing goes with it, and no system call is made.
  /// Where none can be made at all, so does every list, and the group has what the mode shows.
  ///
  /// @param losses gets to know of a list that could not be set; the group has its own rights then
  public boolean replace(Name name, Metadata metadata, Losses losses) throws IOException {
    Path replaced = metadata.isGroups() ? directory.entry(name) : null;
    boolean ownerKept = complete(metadata, replaced, losses);
    move(name);
    return ownerKept;
  }

  /// Completes the file and gives it its final name where nothing has it yet.
  ///
  /// @throws FileAlreadyExistsException where something has the name; nothing was changed then
  public void publishNew(Name name, Metadata metadata) throws IOException {
    complete(metadata, null, null);
    staging.reveal(this, () -> NewName.give(path, directory.entry(name)));
  }

  /// Deletes the file, if it was not published.
  ///
  /// @return false where it is still there, since it could not be deleted
  public boolean discard() {
    staging.forget(this);
    boolean deleted = delete();
    try {
      end.close();
    } catch (IOException e) {
      // What could not be written is not wanted any more.
      return deleted;
    }
    return deleted;
  }

  /// Deletes the file and leaves it open: a thread may be in a system call on its descriptor, whose
  /// number would else belong to another file by the next call. The kernel frees its bytes when it
  /// is [discarded][#discard], which takes the longer the larger it is.
  ///
  /// @return false where it is still there, since it could not be deleted
  public boolean delete() {
    try {
      Files.deleteIfExists(path);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void move(Name name) throws IOException {
    staging.reveal(
        this, () -> Files.move(path, directory.entry(name), StandardCopyOption.ATOMIC_MOVE));
  }

  private boolean complete(Metadata metadata, Path replaced, Losses losses) throws IOException {
    boolean ownerKept = metadata.apply(self(), replaced, losses);
    end.close();
    return ownerKept;
  }

  /// The path by which the file's attributes are set: by its descriptor where others could put a
  /// link to another file in its place. Elsewhere by its name, since learning the descriptor costs
  /// a cold process 12 ms.
  private Path self() {
    return directory.isOthers() && end.traits().hasDescriptor()
        ? Path.of("/proc/self/fd/" + end.descriptor())
        : path;
  }
}
