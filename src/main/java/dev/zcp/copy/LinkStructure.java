package dev.zcp.copy;

import dev.zcp.linux.FileStatus;
import java.util.concurrent.ConcurrentHashMap;

/// Which names are names of one file, of two trees that are compared. It remembers the files with
/// more than one name, and no others. Any thread may call it.
final class LinkStructure {

  private final ConcurrentHashMap<Inode, Other> targetOf = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Inode, Other> sourceOf = new ConcurrentHashMap<>();

  /// What the first name of a file was compared with.
  ///
  /// @param label the name of that pair, in the target
  private record Other(Inode inode, Object label) {}

  /// What makes a pair of names another than those before, or null.
  ///
  /// @param label the name in the target
  String difference(FileStatus source, FileStatus target, Object label) {
    Inode from = new Inode(source.device(), source.inode());
    Inode to = new Inode(target.device(), target.inode());
    if (source.links() > 1) {
      Other first = targetOf.putIfAbsent(from, new Other(to, label));
      if (first != null && !first.inode().equals(to)) {
        return "is another file than " + first.label() + ", and their sources are one";
      }
    }
    if (target.links() > 1) {
      Other first = sourceOf.putIfAbsent(to, new Other(from, label));
      if (first != null && !first.inode().equals(from)) {
        return "is the same file as " + first.label() + ", and their sources are two";
      }
    }
    return null;
  }

  /// By hand, since what a record brings along for it costs a cold process 15 ms.
  private static final class Inode {

    private final long device;
    private final long number;

    Inode(long device, long number) {
      this.device = device;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Inode inode && inode.device == device && inode.number == number;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number * 31 + device);
    }
  }
}
