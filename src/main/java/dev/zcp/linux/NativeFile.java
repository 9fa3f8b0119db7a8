package dev.zcp.linux;

import dev.zcp.core.Span;
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

  /// A heap buffer is moved in pieces of this size at most.
  private static final int HEAP_BYTES_MAX = 1 << 20;

  private static final int CLOSED = -1;

  /// What fstatfs(2) says of ext2, ext3 and ext4: linux/magic.h.
  private static final long EXT4 = 0xEF53;

  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;

  private static final long LSEEK = Native.find("lseek");
  private static final long FTRUNCATE = Native.find("ftruncate");

  /// What the bytes of a heap buffer pass through: null in a thread that had none.
  private static final ThreadLocal<ByteBuffer> DIRECT = new ThreadLocal<>();

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
    return status(descriptor);
  }

  /// As [FileStatus#isUnchangedSince] of [#status], without an object for it.
  public boolean isUnchangedSince(FileStatus before) throws IOException {
    Errno.require(Entries.statx(descriptor));
    return FileStatus.isFoundUnchanged(Scratch.mine(), before);
  }

  /// What is open as `descriptor`.
  public static FileStatus status(int descriptor) throws IOException {
    Errno.require(Entries.statx(descriptor));
    return Entries.found();
  }

  /// A heap buffer goes by way of memory of this thread, as in the JDK's own channels; at most
  /// [#HEAP_BYTES_MAX] at a time.
  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    ByteBuffer direct = target.isDirect() ? target : directFor(target);
    int count = Errno.require(Libc.pread(descriptor, direct, offset));
    if (direct != target) {
      target.put(direct.flip());
    }
    return count == 0 ? -1 : count;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    if (bytes.isDirect()) {
      return Errno.require(Libc.pwrite(descriptor, bytes, offset));
    }
    ByteBuffer direct = directFor(bytes);
    direct.put(0, bytes, bytes.position(), direct.remaining());
    int count = Errno.require(Libc.pwrite(descriptor, direct, offset));
    bytes.position(bytes.position() + count);
    return count;
  }

  /// Memory outside the heap, with room for as much of `heap` as goes at once.
  private static ByteBuffer directFor(ByteBuffer heap) {
    int bytes = Math.min(heap.remaining(), HEAP_BYTES_MAX);
    ByteBuffer mine = DIRECT.get();
    if (mine == null || mine.capacity() < bytes) {
      mine = ByteBuffer.allocateDirect(bytes);
      DIRECT.set(mine);
    }
    return mine.clear().limit(bytes);
  }

  /// Lets the file system copy the first `bytes` to `target`, or share them: copy_file_range(2).
  ///
  /// @return how many were copied; 0 or less if the file system refused
  public long copyTo(NativeFile target, long bytes) {
    return Libc.copyFileRange(descriptor, 0, target.descriptor, 0, bytes);
  }

  /// Lets `target` share the blocks from `offset` on: ioctl_ficlonerange(2).
  ///
  /// @param to where in the target, and how many bytes
  /// @return false if the file system refused
  public boolean share(NativeFile target, long offset, Span to) {
    long result =
        Libc.ficloneRange(target.descriptor, to.offset(), descriptor, offset, to.length());
    return result == 0;
  }

  /// Gives a range blocks before it is written, and lengthens the file up to its end: fallocate(2).
  /// Does nothing if the file system cannot.
  ///
  /// @throws IOException if there is no space for it
  public void reserve(long offset, long bytes) throws IOException {
    int result = Libc.fallocate(descriptor, offset, bytes);
    if (!isUnsupported(result)) {
      Errno.require(result);
    }
  }

  /// Makes a hole of a range of which nothing is needed: fallocate(2).
  ///
  /// @return false if the file system cannot; nothing was done then
  public boolean punch(long offset, long bytes) throws IOException {
    int result = Libc.punchHole(descriptor, offset, bytes);
    if (isUnsupported(result)) {
      return false;
    }
    Errno.require(result);
    return true;
  }

  /// Sets its permission bits: fchmod(2).
  public void setMode(int mode) throws IOException {
    Errno.require(Attributes.fchmod(descriptor, mode));
  }

  /// Takes the lock of the file, which goes with this end: flock(2). No other end has it then, of
  /// this process neither.
  ///
  /// @return false if another has it
  /// @throws IOException if the file system has no locks
  public boolean tryLock() throws IOException {
    int result = Libc.flock(descriptor);
    if (result == -Errno.EAGAIN) {
      return false;
    }
    Errno.require(result);
    return true;
  }

  /// Whether it is on an ext4 (or ext3, or ext2) file system: statfs(2).
  public boolean isOnExt4() {
    return Libc.fileSystem(descriptor) == EXT4;
  }

  private static boolean isUnsupported(long result) {
    return result == -Errno.EOPNOTSUPP || result == -Errno.ENOSYS || result == -Errno.EINVAL;
  }

  /// Cuts it off or lengthens it by a hole: ftruncate(2).
  public void resize(long bytes) throws IOException {
    Errno.require(Libc.intCall(FTRUNCATE, descriptor, bytes, 0, 0, 0));
  }

  /// Where data begins at `offset` or after it: lseek(2).
  ///
  /// @return `offset` itself if the file system does not tell, which takes all for data; -1 if
  ///   there is none up to the end
  public long dataFrom(long offset) throws IOException {
    long found = Libc.call(LSEEK, descriptor, offset, SEEK_DATA, 0, 0, 0);
    return isUnsupported(found) ? offset : found(found);
  }

  /// Where a hole begins at `offset` or after it; the end of the file counts as one.
  ///
  /// @return -1 if the file system does not tell, or the file ended before
  public long holeFrom(long offset) throws IOException {
    long found = Libc.call(LSEEK, descriptor, offset, SEEK_HOLE, 0, 0, 0);
    return isUnsupported(found) ? -1 : found(found);
  }

  private static long found(long result) throws IOException {
    if (result < 0 && result != -Errno.ENXIO) {
      throw Errno.failure((int) -result);
    }
    return Math.max(result, -1);
  }

  /// A channel of its own on the same file, opened by the descriptor's name in /proc.
  ///
  /// @throws UncheckedIOException if it cannot be opened
  @Override
  public synchronized FileChannel channel() {
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

  /// @throws IOException if the file system says only now that the bytes did not fit
  @Override
  public void close() throws IOException {
    int closing = descriptor;
    descriptor = CLOSED;
    try {
      if (channel != null) {
        channel.close();
        channel = null;
      }
    } finally {
      if (closing != CLOSED) {
        Errno.require(Libc.close(closing));
      }
    }
  }
}
