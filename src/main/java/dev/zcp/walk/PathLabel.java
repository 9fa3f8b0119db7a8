package dev.zcp.walk;

import dev.zcp.core.Printable;
import java.util.Arrays;

/// Paths as messages show them. Where a user names what is in a directory, as in `photos/.`, the
/// names below are put together with that dot in them, and nobody writes `photos/./a.jpg`.
public final class PathLabel {

  private PathLabel() {}

  /// `path`, printable, without the components `.` that it can do without: all but the first, since
  /// `./-f` may have been written on purpose.
  public static String of(byte[] path) {
    byte[] kept = new byte[path.length];
    int length = 0;
    for (int at = 0; at < path.length; at++) {
      if (isSlashAndDot(path, at)) {
        at++;
      } else {
        kept[length++] = path[at];
      }
    }
    // `/.` is the root, and has nothing but its slash.
    return length == 0 ? "/" : Printable.of(Arrays.copyOf(kept, length));
  }

  /// Whether `/.` stands at `at`, and a slash or nothing after it.
  private static boolean isSlashAndDot(byte[] path, int at) {
    boolean dot = path[at] == '/' && at + 1 < path.length && path[at + 1] == '.';
    return dot && (at + 2 == path.length || path[at + 2] == '/');
  }
}
