package dev.zcp.linux;

import java.io.IOException;
import java.util.Set;
import java.util.function.LongConsumer;

/// Sees to it that bytes and names are on a device, and not in memory alone.
public final class Forcing {

  /// Since which Linux syncfs(2) tells of what could not be written.
  private static final int TELLING_MAJOR = 5;

  private static final int TELLING_MINOR = 8;

  /// Those of which syncfs(2) writes all to the device: linux/magic.h. FUSE and network file
  /// systems hand their pages to somebody who is not told to force them.
  private static final Set<Long> FORCED =
      Set.of(
          0xef53L, // ext2, ext3, ext4
          0x5846_5342L, // XFS
          0x9123_683eL, // btrfs
          0xf2f5_2010L, // F2FS
          0x0102_1994L); // tmpfs, which has no device

  // Flags of sync_file_range(2): linux/fs.h.
  private static final int WRITE = 2;
  private static final int WAIT_BEFORE_AND_AFTER = 1 | 4;

  /// sync_file_range(2): all up to the end.
  private static final long ALL = 0;

  /// A slow device writes this within a second.
  private static final long PIECE_BYTES = 8L << 20;

  private static final long SYNC_FILE_RANGE = Native.find("sync_file_range");
  private static final long SYNCFS = Native.find("syncfs");

  private Forcing() {}

  /// Begins to write out what was written to `file`, and waits for nothing. If that cannot be done
  /// it is left to [#force].
  public static void begin(NativeFile file) {
    syncFileRange(file, 0, ALL, WRITE);
  }

  /// Writes out what was written to the first `bytes` of `file`, piece by piece, and waits for
  /// each. It is on the device only after [#force], which has little left to do then.
  ///
  /// @param progress told how many bytes each piece has
  /// @throws IOException if a piece could not be written: the kernel tells that once, and [#force]
  ///   may know nothing of it
  public static void writeOut(NativeFile file, long bytes, LongConsumer progress)
      throws IOException {
    for (long offset = 0; offset < bytes; offset += PIECE_BYTES) {
      long piece = Math.min(PIECE_BYTES, bytes - offset);
      int result = syncFileRange(file, offset, piece, WRITE | WAIT_BEFORE_AND_AFTER);
      if (result == -Errno.ENOSYS || result == -Errno.EINVAL || result == -Errno.ESPIPE) {
        // Not by pieces, then.
        return;
      }
      Errno.require(result);
      progress.accept(piece);
    }
  }

  /// `int sync_file_range(int fd, off_t offset, off_t nbytes, unsigned int flags)`
  private static int syncFileRange(NativeFile file, long offset, long bytes, int flags) {
    return Libc.intCall(SYNC_FILE_RANGE, file.descriptor(), offset, bytes, flags, 0);
  }

  /// Waits until the bytes of `file`, and what it needs to be found by its inode, are on the
  /// device.
  ///
  /// @throws IOException if they are not, and may never be: the kernel tells that once, and another
  ///   call may say yes
  public static void force(NativeFile file) throws IOException {
    Errno.require(Libc.fsync(file.descriptor()));
  }

  /// Waits until all that was written to the file system of `descriptor`, by whomever, is on the
  /// device: files, names and what else it has.
  ///
  /// @return whether that is known; false if this kernel would not tell of a failure, or does not
  ///   force such a file system
  /// @throws IOException if something is not, of whomever
  public static boolean forceFileSystem(int descriptor) throws IOException {
    // int syncfs(int fd)
    Errno.require(Libc.intCall(SYNCFS, descriptor, 0, 0, 0, 0));
    return forcesFileSystem(descriptor);
  }

  /// Whether [#forceFileSystem] forces all of this file system, and tells if it cannot.
  public static boolean forcesFileSystem(int descriptor) {
    return isTelling(System.getProperty("os.version"))
        && FORCED.contains(Libc.fileSystem(descriptor));
  }

  /// @param release as uname(1) has it: `6.1.0-18-amd64`
  static boolean isTelling(String release) {
    int[] numbers = new int[2];
    int which = 0;
    for (int i = 0; i < release.length() && which < numbers.length; i++) {
      char c = release.charAt(i);
      if (c >= '0' && c <= '9') {
        numbers[which] = numbers[which] * 10 + c - '0';
      } else {
        which++;
      }
    }
    return numbers[0] > TELLING_MAJOR || numbers[0] == TELLING_MAJOR && numbers[1] >= TELLING_MINOR;
  }
}
