package dev.zcp.session;

import dev.zcp.core.RawPath;
import dev.zcp.core.WholeFile;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.secure.Key;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The key that an end that listens leaves where only the same user on the same machine finds it,
/// so that a transfer between two of one's own processes needs no ceremony. Gone when that end
/// exits.
public final class SharedKey implements Closeable {

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int WRITE_OF_OTHERS = 0022;

  private final Path path;
  private final FileStatus status;

  private SharedKey(Path path, FileStatus status) {
    this.path = path;
    this.status = status;
  }

  /// Where whoever listens on `port` of this machine leaves its key.
  public static Path path(RawPath directory, int port) {
    return directory.resolve((port + ".key").getBytes(StandardCharsets.US_ASCII)).toPath();
  }

  /// Leaves `key` for whoever dials `port`, complete from the first moment. A file of that name
  /// from an end that was killed is replaced: the port is ours now.
  public static SharedKey leave(RawPath directory, int port, Key key) throws IOException {
    Path path = path(directory, port);
    Files.createDirectories(path.getParent(), PRIVATE_DIRECTORY);
    requireOwn(path.getParent());
    byte[] line = (key.text() + "\n").getBytes(StandardCharsets.US_ASCII);
    WholeFile.write(path, line, false, PRIVATE);
    return new SharedKey(path, FileStatus.of(path));
  }

  /// What another user can put there might be a key of his own, and he could read ours.
  static void requireOwn(Path path) throws IOException {
    FileStatus status = FileStatus.of(path);
    String what =
        Files.isSymbolicLink(path)
            ? "is a link"
            : status.owner() != OwnProcess.user()
                ? "belongs to somebody else"
                : (status.permissions() & WRITE_OF_OTHERS) != 0 ? "others may write there" : null;
    if (what != null) {
      throw new FileSystemException(path.toString(), null, what);
    }
  }

  /// Removes it, unless it was replaced by that of another end on the same port. A key whose end is
  /// gone opens nothing, so one that cannot be removed does no harm.
  @Override
  public void close() {
    try {
      FileStatus now = FileStatus.ofExisting(path);
      if (now != null && now.isSameFile(status)) {
        Files.delete(path);
      }
    } catch (IOException e) {
      // It stays, and does none.
    }
  }
}
