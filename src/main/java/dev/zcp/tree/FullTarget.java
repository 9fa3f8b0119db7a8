package dev.zcp.tree;

import dev.zcp.linux.Errno;
import java.io.IOException;

/// Tells the failures that every other file of the same target would meet with, too.
public final class FullTarget {

  private FullTarget() {}

  /// Whether `cause`, which an end or [OpenDirectory] threw, says that the target takes no more: no
  /// space, no quota, or mounted read-only.
  public static boolean isCause(Throwable cause) {
    if (!(cause instanceof IOException failure)) {
      return false;
    }
    int errno = Errno.of(failure);
    return errno == Errno.ENOSPC || errno == Errno.EDQUOT || errno == Errno.EROFS;
  }
}
