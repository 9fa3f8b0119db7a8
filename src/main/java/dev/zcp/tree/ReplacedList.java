package dev.zcp.tree;

import dev.zcp.core.RawPath;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import java.io.IOException;
import java.nio.file.Path;

/// Hands the access control list of a file on to the copy that replaces it: acl(5). For copies that
/// are else made by Java's file API, which knows no such lists.
final class ReplacedList {

  private static final ExtendedAttributes NOTHING_ELSE = new ExtendedAttributes(false, false);

  private ReplacedList() {}

  /// Gives `copy` the list of `replaced`, or none where it has none, whatever their directory gives
  /// to new files. To be called before the mode is set.
  ///
  /// @param copy a path that is followed to the copy, which this process may read
  /// @param losses gets to know of a list that could not be set
  /// @return the permission bits that the mode must not give, since `replaced` shows there what its
  ///   list allows to others than its group
  static int handOn(Path replaced, Path copy, Losses losses) throws IOException {
    if (Libc.obstacle().isPresent()) {
      return 0;
    }
    int descriptor =
        Entries.openat(
            Entries.AT_FDCWD, RawPath.of(copy).bytes(), Entries.O_RDONLY | Entries.O_NONBLOCK, 0);
    if (descriptor < 0) {
      throw Errno.failure(-descriptor, copy.toString());
    }
    try {
      byte[] path = RawPath.of(replaced).bytes();
      Handle old = new Handle.Named(Entries.AT_FDCWD, path, path);
      Endowment target = new Endowment(new Handle.Open(descriptor), losses, replaced);
      ExtendedAttributes.Lists lists = NOTHING_ELSE.retain(old, target);
      if (!lists.access()) {
        target.removeList(AccessList.ACCESS);
      }
      return lists.groupDenied();
    } finally {
      Libc.close(descriptor);
    }
  }
}
