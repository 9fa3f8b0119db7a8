package dev.zcp.strategy;

import dev.zcp.linux.Errno;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.Step.Reach;
import java.io.IOException;

/// Reads the error number of a call that moves bytes: the kernel's "not this way", or a failure.
final class CallResult {

  private CallResult() {}

  /// The step that a call of the kernel was.
  ///
  /// @param moved what the call gave: how many bytes, 0, or minus the error number
  static Step step(String call, long moved, Source source, Sink sink, long offset)
      throws IOException {
    if (moved > 0) {
      return new Step.Moved(moved);
    }
    int errno = (int) -moved;
    if (errno == 0) {
      return UserSpace.afterNothing(call, source, sink, offset);
    }
    if (isRefusal(errno)) {
      return declined(call, errno);
    }
    throw failure(errno);
  }

  /// Whether `errno` says that this call cannot serve these ends, while another way may.
  static boolean isRefusal(int errno) {
    return reason("", errno) != null;
  }

  /// The refusal of `call`, with its reason in words.
  static Step.Declined declined(String call, int errno) {
    String reason = reason(call, errno);
    return new Step.Declined(
        reach(errno), reason == null ? call + ": " + Errno.sentence(errno) : reason);
  }

  private static Reach reach(int errno) {
    return switch (errno) {
      case Errno.ENOSYS -> Reach.MACHINE;
      case Errno.EXDEV, Errno.EOPNOTSUPP, Errno.ENOTTY -> Reach.FILE_SYSTEMS;
      default -> Reach.ROUTE;
    };
  }

  /// The failure behind `errno`, charged to the sink if the number says that only a write can have
  /// failed.
  static IOException failure(int errno) {
    IOException failure = Errno.failure(errno);
    return isOfSink(errno) ? new MoveException(End.SINK, failure) : failure;
  }

  /// With the name of the error number at its end, by which a manual page can be asked. Null if the
  /// number is no refusal.
  private static String reason(String call, int errno) {
    return switch (errno) {
      case Errno.ENOSYS -> "this system has no " + call + ": ENOSYS";
      case Errno.EXDEV -> call + " does not cross from one file system to the other: EXDEV";
      case Errno.EOPNOTSUPP -> "the file system does not support " + call + ": EOPNOTSUPP";
      case Errno.ENOTTY -> "the file system does not support " + call + ": ENOTTY";
      case Errno.EINVAL -> call + " does not take these two ends: EINVAL";
      case Errno.EPERM -> call + " is not permitted on these files: EPERM";
      case Errno.ETXTBSY -> call + " is not permitted on these files: ETXTBSY";
      case Errno.EBADF -> call + " does not take these descriptors (opened to append?): EBADF";
      case Errno.EAGAIN -> call + " needs a blocking connection, and this one is not: EAGAIN";
      case Errno.ESPIPE, Errno.EOVERFLOW -> call + ": " + Errno.sentence(errno);
      default -> null;
    };
  }

  /// Only a writer can meet these.
  private static boolean isOfSink(int errno) {
    return switch (errno) {
      case Errno.ENOSPC, Errno.EDQUOT, Errno.EFBIG, Errno.EROFS, Errno.EPIPE -> true;
      default -> false;
    };
  }
}
