package dev.zcp.session;

import dev.zcp.core.RawPath;
import dev.zcp.secure.Key;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// The key that a receiver leaves where only the same user on the same machine finds it, so that a
/// transfer between two of one's own processes needs no ceremony. Gone when the receiver ends.
final class SharedKey implements Closeable {

  private final Path path;

  private SharedKey(Path path) {
    this.path = path;
  }

  /// Where the receiver that listens on `port` of this machine leaves its key.
  static Path path(RawPath directory, int port) {
    return directory.resolve((port + ".key").getBytes(StandardCharsets.US_ASCII)).toPath();
  }

  /// Leaves `key` for the senders to `port`. A file of that name from a receiver that was killed is
  /// replaced: the port is ours now.
  static SharedKey leave(RawPath directory, int port, Key key) throws IOException {
    Path path = path(directory, port);
    Files.createDirectories(
        path.getParent(),
        PosixFilePermissions.asFileAttribute(
            EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.OWNER_EXECUTE)));
    Files.deleteIfExists(path);
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)))) {
      ByteBuffer text = ByteBuffer.wrap((key.text() + "\n").getBytes(StandardCharsets.US_ASCII));
      while (text.hasRemaining()) {
        channel.write(text);
      }
    }
    return new SharedKey(path);
  }

  /// Removes it. A key whose receiver is gone opens nothing, so one that cannot be removed does no
  /// harm.
  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // It stays, and does none.
    }
  }
}
