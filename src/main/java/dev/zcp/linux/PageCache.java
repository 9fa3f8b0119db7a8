package dev.zcp.linux;

import dev.zcp.core.RawPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// What the kernel keeps of a file in memory, and how to read what its device has instead.
///
/// mincore(2) is asked and not cachestat(2), which says 0 for every file of an overlay, as most
/// containers have: the pages belong to the file below. Neither knows of caches that a file system
/// has beside the kernel's, as ZFS does.
public final class PageCache {

  /// What a buffer for [#direct] begins at and an offset in the file is a multiple of. open(2) asks
  /// for the logical block size of the device, which is 512 to 4,096 bytes.
  public static final int ALIGNMENT_BYTES = 4096;

  /// A buffer for [#direct], of a multiple of [#ALIGNMENT_BYTES].
  public static ByteBuffer aligned(int bytes) {
    return ByteBuffer.allocateDirect(bytes + ALIGNMENT_BYTES)
        .alignedSlice(ALIGNMENT_BYTES)
        .limit(bytes)
        .slice();
  }

  /// How much is mapped at once to be asked about: a byte of answers for each page.
  private static final long WINDOW_BYTES = 1L << 30;

  /// tmpfs, ramfs and hugetlbfs, as linux/magic.h has them: their pages are the only place that
  /// their bytes have.
  private static final Set<Long> IN_MEMORY = Set.of(0x0102_1994L, 0x8584_58f6L, 0x9584_58f6L);

  /// All of a file may stay: the page cache of the whole machine is not dropped for it.
  private static final double WHOLE = 1;

  /// proc(5): 1 frees clean pages and leaves directories and inodes.
  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

  private PageCache() {}

  /// What came of putting a file out.
  ///
  /// @param share how much of it stayed, as [#cachedShare]
  /// @param droppedAll whether the page cache of the whole machine was dropped for it
  public record Eviction(double share, boolean droppedAll) {}

  /// Puts `file` out of the page cache. It is written to its device first, since only clean pages
  /// go.
  ///
  /// If posix_fadvise(2) leaves more than `shareMax` behind and this process is root's, the page
  /// cache of the whole machine is dropped as well. sync(2) need not come before, since this file
  /// is clean. Even then pages stay that some process has mapped, and all of a file that lives in
  /// memory.
  ///
  /// @param shareMax how much may stay, as [#cachedShare]
  /// @throws IOException if the file cannot be opened or written to its device
  public static Eviction evict(Path file, double shareMax) throws IOException {
    boolean isInMemory;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int descriptor = ChannelEnd.descriptorOf(channel);
      channel.force(false);
      Instruments.dropPages(descriptor);
      isInMemory = IN_MEMORY.contains(Libc.fileSystem(descriptor));
    }
    double share = cachedShare(file);
    if (share > shareMax && !isInMemory && dropAll()) {
      return new Eviction(cachedShare(file), true);
    }
    return new Eviction(share, false);
  }

  /// How much of `file` is in the page cache: from 0 to 1, counted in pages; 0 for an empty file.
  ///
  /// NaN if nobody can tell: without native calls, for what cannot be mapped, and for a file that
  /// this user neither owns nor may write to, of which mincore(2) says that it is all there.
  ///
  /// @throws IOException if the file cannot be opened
  public static double cachedShare(Path file) throws IOException {
    int pageBytes = OwnProcess.pageBytes();
    if (pageBytes < 0 || !mayAsk(file)) {
      return Double.NaN;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long bytes = channel.size();
      long cachedPages = 0;
      for (long offset = 0; offset < bytes; offset += WINDOW_BYTES) {
        long pages = residentPages(channel, offset, Math.min(WINDOW_BYTES, bytes - offset));
        if (pages < 0) {
          return Double.NaN;
        }
        cachedPages += pages;
      }
      return bytes == 0 ? 0 : (double) cachedPages / Math.ceilDiv(bytes, pageBytes);
    }
  }

  /// Whether the file or directory that this is a descriptor of has no device behind it.
  public static boolean isInMemory(int descriptor) throws IOException {
    long fileSystem = Libc.fileSystem(descriptor);
    if (fileSystem < 0) {
      throw Errno.failure((int) -fileSystem);
    }
    return IN_MEMORY.contains(fileSystem);
  }

  /// Writes `file` to its device and puts it out of the page cache.
  ///
  /// @return whether all of it is out, so that the next read is one of the device; false too if
  ///   nobody can tell
  /// @throws IOException if it cannot be written to its device
  public static boolean putOut(NativeFile file) throws IOException {
    return evict(pathOf(file.descriptor()), WHOLE).share() == 0;
  }

  /// The same file once more, read past the page cache: O_DIRECT of open(2). Reads take buffers and
  /// offsets that are aligned to [#ALIGNMENT_BYTES].
  ///
  /// @return null if its file system cannot
  public static NativeFile direct(NativeFile file) throws IOException {
    byte[] path = RawPath.of(pathOf(file.descriptor())).bytes();
    int opened = Entries.openat(Entries.AT_FDCWD, path, Entries.O_RDONLY | Entries.O_DIRECT, 0);
    if (opened == -Errno.EINVAL || opened == -Errno.EOPNOTSUPP) {
      return null;
    }
    return NativeFile.of(Errno.require(opened), file.traits(), false);
  }

  private static Path pathOf(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  private static long residentPages(FileChannel channel, long offset, long bytes) {
    try (Mapping mapping = Mapping.of(channel, MapMode.READ_ONLY, offset, bytes)) {
      return mapping.residentPages();
    } catch (IOException e) {
      return -1;
    }
  }

  private static boolean mayAsk(Path file) throws IOException {
    int user = OwnProcess.user();
    return user == 0 || FileStatus.of(file).owner() == user || Files.isWritable(file);
  }

  private static boolean dropAll() {
    if (OwnProcess.user() != 0) {
      return false;
    }
    try {
      Files.writeString(DROP_CACHES, "1");
      return true;
    } catch (IOException e) {
      // A container's /proc/sys is read-only.
      return false;
    }
  }
}
