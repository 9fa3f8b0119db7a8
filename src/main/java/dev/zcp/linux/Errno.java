package dev.zcp.linux;

import dev.zcp.core.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// The numbers of failed system calls, and the words for them: errno(3).
///
/// The numbers are those of `asm-generic/errno.h`, which all architectures that [Libc] serves use.
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int E2BIG = 7;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int EXDEV = 18;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOTTY = 25;
  public static final int ETXTBSY = 26;
  public static final int EFBIG = 27;
  public static final int ENOSPC = 28;
  public static final int ESPIPE = 29;
  public static final int EROFS = 30;
  public static final int EMLINK = 31;
  public static final int EPIPE = 32;
  public static final int ERANGE = 34;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOSYS = 38;
  public static final int ENOTEMPTY = 39;
  public static final int ELOOP = 40;
  public static final int ENODATA = 61;
  public static final int EOVERFLOW = 75;
  public static final int EOPNOTSUPP = 95;
  public static final int ECONNRESET = 104;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ESTALE = 116;
  public static final int EDQUOT = 122;

  private static final int NUMBER_MAX = EDQUOT;

  private Errno() {}

  /// The sentence a user reads, without a capital or a full stop: `no space left on device`.
  public static String sentence(int errno) {
    String text = text(errno);
    return text == null
        ? "error number " + errno
        : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  /// The failure of a call as an exception. Its message is the C library's own, as the JDK's
  /// channels give it, so that whoever tells failures apart by their text meets one text for each.
  public static IOException failure(int errno) {
    String text = text(errno);
    return new IOException(text == null ? "Error number " + errno : text);
  }

  /// The result of a call that did not fail.
  ///
  /// @throws IOException if it is minus an error number
  public static int require(int result) throws IOException {
    if (result < 0) {
      throw failure(-result);
    }
    return result;
  }

  /// As [#require], of a call on a file.
  ///
  /// @param name the bytes of the file's name
  public static int require(int result, byte[] name) throws IOException {
    if (result < 0) {
      throw failure(-result, Printable.of(name));
    }
    return result;
  }

  /// The failure of a call on a file, as the JDK's own file API throws it.
  ///
  /// @param file its name, as a message may show it
  public static FileSystemException failure(int errno, String file) {
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(file);
      case EACCES -> new AccessDeniedException(file);
      case EEXIST -> new FileAlreadyExistsException(file);
      case ENOTDIR -> new NotDirectoryException(file);
      case ELOOP -> new FileSystemLoopException(file);
      default -> new FileSystemException(file, null, failure(errno).getMessage());
    };
  }

  /// The number behind a failure that [#failure] or the JDK's file API made, or 0 if it is not
  /// known.
  public static int of(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> ENOENT;
      case AccessDeniedException _ -> EACCES;
      case FileAlreadyExistsException _ -> EEXIST;
      case NotDirectoryException _ -> ENOTDIR;
      case FileSystemLoopException _ -> ELOOP;
      case FileSystemException e -> ofMessage(e.getReason());
      default -> ofMessage(failure.getMessage());
    };
  }

  /// The number behind a message of the JDK's channels or of [#failure], or 0 if the text is not
  /// known. The JDK gives no number, and its text may be translated, which gives 0.
  public static int ofMessage(String message) {
    if (message != null) {
      for (int errno = 1; errno <= NUMBER_MAX; errno++) {
        if (message.equals(text(errno))) {
          return errno;
        }
      }
    }
    return 0;
  }

  /// What strerror(3) of the GNU C library says in the C locale, or null for a number of no use
  /// here.
  private static String text(int errno) {
    return switch (errno) {
      case EPERM -> "Operation not permitted";
      case ENOENT -> "No such file or directory";
      case EINTR -> "Interrupted system call";
      case EIO -> "Input/output error";
      case ENXIO -> "No such device or address";
      case E2BIG -> "Argument list too long";
      case EBADF -> "Bad file descriptor";
      case EAGAIN -> "Resource temporarily unavailable";
      case ENOMEM -> "Cannot allocate memory";
      case EACCES -> "Permission denied";
      case EFAULT -> "Bad address";
      case EBUSY -> "Device or resource busy";
      case EEXIST -> "File exists";
      case EXDEV -> "Invalid cross-device link";
      case ENODEV -> "No such device";
      case ENOTDIR -> "Not a directory";
      case EISDIR -> "Is a directory";
      case EINVAL -> "Invalid argument";
      case ENFILE -> "Too many open files in system";
      case EMFILE -> "Too many open files";
      case ENOTTY -> "Inappropriate ioctl for device";
      case ETXTBSY -> "Text file busy";
      case EFBIG -> "File too large";
      case ENOSPC -> "No space left on device";
      case ESPIPE -> "Illegal seek";
      case EROFS -> "Read-only file system";
      case EMLINK -> "Too many links";
      case EPIPE -> "Broken pipe";
      case ERANGE -> "Numerical result out of range";
      case ENAMETOOLONG -> "File name too long";
      case ENOSYS -> "Function not implemented";
      case ENOTEMPTY -> "Directory not empty";
      case ELOOP -> "Too many levels of symbolic links";
      case ENODATA -> "No data available";
      case EOVERFLOW -> "Value too large for defined data type";
      case EOPNOTSUPP -> "Operation not supported";
      case ECONNRESET -> "Connection reset by peer";
      case ENOTCONN -> "Transport endpoint is not connected";
      case ETIMEDOUT -> "Connection timed out";
      case ESTALE -> "Stale file handle";
      case EDQUOT -> "Disk quota exceeded";
      default -> null;
    };
  }
}
