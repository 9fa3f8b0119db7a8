package dev.zcp.io;

import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Extents;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// A regular file that was opened by a system call, as the source or the sink of a transfer. It is
/// a descriptor and nothing more: a channel costs more than a small file takes to copy, so there is
/// one only for those who ask.
public final class NativeFile implements Source, Sink {

  private static final int CLOSED = -1;

  private final Route.Traits traits;
  private final boolean writable;
  private int descriptor;

  /// Null until somebody asks for it.
  private FileChannel channel;

  private NativeFile(int descriptor, Route.Traits traits, boolean writable) {
    this.descriptor = descriptor;
    this.traits = traits;
    this.writable = writable;
  }

  /// The end over `descriptor`, which it owns from now on.
  ///
  /// @param traits those of a file with a descriptor, made once for all files of a device
  public static NativeFile of(int descriptor, Route.Traits traits, boolean writable) {
    return new NativeFile(descriptor, traits, writable);
  }

  /// The traits of the files of a device.
  ///
  /// @param device `st_dev`
  public static Route.Traits traits(long device) {
    return new Route.Traits(Route.Kind.FILE, true, false, device);
  }

  @Override
  public Route.Traits traits() {
    return traits;
  }

  /// What the file is now: fstat(2).
  public FileStatus status() throws IOException {
    require(Entries.statx(descriptor));
    return FileStatus.of(Entries.found());
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    if (!target.isDirect()) {
      return channel().read(target, offset);
    }
    int count = require(Libc.pread(descriptor, target, offset));
    return count == 0 ? -1 : count;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    return bytes.isDirect()
        ? require(Libc.pwrite(descriptor, bytes, offset))
        : channel().write(bytes, offset);
  }

  /// Cuts it off or lengthens it by a hole: ftruncate(2).
  public void resize(long bytes) throws IOException {
    require(Extents.ftruncate(descriptor, bytes));
  }

  /// Where data begins at `offset` or after it: lseek(2).
  ///
  /// @return `offset` itself where the file system does not tell, which takes all for data; -1
  ///   where there is none up to the end
  public long dataFrom(long offset) throws IOException {
    long found = Extents.seekData(descriptor, offset);
    if (found == -Errno.EINVAL || found == -Errno.EOPNOTSUPP) {
      return offset;
    }
    return found(found);
  }

  /// Where a hole begins at `offset` or after it; the end of the file counts as one.
  ///
  /// @return -1 where the file system does not tell, or the file ended before
  public long holeFrom(long offset) throws IOException {
    long found = Extents.seekHole(descriptor, offset);
    return found == -Errno.EINVAL || found == -Errno.EOPNOTSUPP ? -1 : found(found);
  }

  private static long found(long result) throws IOException {
    if (result < 0 && result != -Errno.ENXIO) {
      throw Errno.failure((int) -result);
    }
    return Math.max(result, -1);
  }

  /// A channel of its own on the same file, opened by the descriptor's name in /proc.
  ///
  /// @throws UncheckedIOException where it cannot be opened
  @Override
  public FileChannel channel() {
    try {
      if (channel == null) {
        Path self = Path.of("/proc/self/fd/" + descriptor);
        channel =
            FileChannel.open(
                self,
                writable
                    ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)
                    : Set.of(StandardOpenOption.READ));
      }
      return channel;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int descriptor() {
    return descriptor;
  }

  /// @throws IOException where the file system says only now that the bytes did not fit
  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
    if (descriptor != CLOSED) {
      int closing = descriptor;
      descriptor = CLOSED;
      require(Libc.close(closing));
    }
  }

  private static int require(int result) throws IOException {
    if (result < 0) {
      throw Errno.failure(-result);
    }
    return result;
  }
}
