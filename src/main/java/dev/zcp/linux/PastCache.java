package dev.zcp.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// Reads what a device has of a file, and not what the kernel keeps of it in memory.
public final class PastCache {

  /// What a buffer for [#direct] begins at and an offset in the file is a multiple of. open(2) asks
  /// for the logical block size of the device, which is 512 to 4,096 bytes.
  public static final int ALIGNMENT_BYTES = 4096;

  /// All of it may stay: the page cache of the whole machine is not to be dropped for one file.
  private static final double WHOLE = 1;

  /// Their pages are the only place that their bytes have.
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs");

  private PastCache() {}

  /// Whether the file has no device behind it.
  public static boolean isInMemory(NativeFile file) throws IOException {
    return isInMemory(file.descriptor());
  }

  /// Whether what this descriptor is of, a file or a directory, has no device behind it.
  public static boolean isInMemory(int descriptor) throws IOException {
    return IN_MEMORY.contains(Files.getFileStore(pathOf(descriptor)).type());
  }

  /// Writes `file` to its device and puts it out of the page cache.
  ///
  /// @return whether all of it is out, so that who reads it next reads the device; false too where
  ///   nobody can tell
  /// @throws IOException where it cannot be written to its device
  public static boolean putOut(NativeFile file) throws IOException {
    return PageCache.evict(pathOf(file), WHOLE).share() == 0;
  }

  /// The same file once more, read past the page cache: O_DIRECT of open(2). Reads take buffers and
  /// offsets that are aligned to [#ALIGNMENT_BYTES].
  ///
  /// @return null where its file system cannot
  public static NativeFile direct(NativeFile file) throws IOException {
    byte[] path = pathOf(file).toString().getBytes(StandardCharsets.US_ASCII);
    int opened = Entries.openat(Entries.AT_FDCWD, path, Entries.O_RDONLY | Entries.O_DIRECT, 0);
    if (opened == -Errno.EINVAL || opened == -Errno.EOPNOTSUPP) {
      return null;
    }
    if (opened < 0) {
      throw Errno.failure(-opened);
    }
    return NativeFile.of(opened, file.traits(), false);
  }

  private static Path pathOf(NativeFile file) {
    return pathOf(file.descriptor());
  }

  private static Path pathOf(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }
}
