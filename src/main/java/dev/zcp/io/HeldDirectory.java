package dev.zcp.io;

import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A directory held open, so that the names in it mean the same to the end, whatever becomes of the
/// path that led there.
///
/// Entries are reached through `/proc/self/fd/N/NAME`: proc(5) resolves them to the directory that
/// is held, even one that was moved or replaced by a link meanwhile.
public final class HeldDirectory implements Closeable {

  /// Null where the directory is not held.
  private final FileChannel channel;

  private final RawPath base;
  private final FileStatus status;

  private HeldDirectory(FileChannel channel, RawPath base, FileStatus status) {
    this.channel = channel;
    this.base = base;
    this.status = status;
  }

  /// The directory that `path` leads to, reached by its path each time: for names that the user of
  /// this process gave, where a path means what it means to any other command.
  ///
  /// @throws NotDirectoryException where `path` leads to something else
  /// @throws IOException where it cannot be looked at
  public static HeldDirectory named(Path path) throws IOException {
    return new HeldDirectory(null, RawPath.of(path), statusOf(path));
  }

  /// The directory that `path` leads to now, held open: for names that others give.
  ///
  /// @throws NotDirectoryException where `path` leads to something else
  /// @throws IOException where it cannot be opened
  public static HeldDirectory open(Path path) throws IOException {
    FileStatus status = statusOf(path);
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    int descriptor = Descriptors.of(channel);
    RawPath base =
        descriptor == Descriptors.NONE
            ? RawPath.of(path)
            : RawPath.of("/proc/self/fd/" + descriptor);
    return new HeldDirectory(channel, base, status);
  }

  /// The path by which Java's file API reaches `name` in this directory.
  public Path entry(Name name) {
    return base.resolve(name.bytes()).toPath();
  }

  /// The directory's `st_dev`.
  public long device() {
    return status.device();
  }

  /// Whether somebody but this user and root may rename what is in here: whoever owns the
  /// directory, or may write to it where it is not sticky, as /tmp is.
  public boolean isOthers() {
    boolean mayRename = status.isWritableByOthers() && !status.isSticky();
    return mayRename || status.owner() != 0 && status.owner() != CurrentUser.id();
  }

  /// The bytes that this process could still write here: `f_bavail` of statvfs(3).
  public long usableBytes() throws IOException {
    return Files.getFileStore(base.toPath()).getUsableSpace();
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  private static FileStatus statusOf(Path path) throws IOException {
    FileStatus status = FileStatus.of(path);
    if (!status.isDirectory()) {
      throw new NotDirectoryException(path.toString());
    }
    return status;
  }
}
