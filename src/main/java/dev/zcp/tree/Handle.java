package dev.zcp.tree;

import dev.zcp.linux.Attributes;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A file whose attributes are read or set, and nothing is known of what they mean. As in
/// [Attributes], a method gives what the call returned or minus the error number.
final class Handle implements AttributeSource {

  private static final int NOFOLLOW = Entries.AT_SYMLINK_NOFOLLOW;

  private final int descriptor;

  /// Null for a file that is open.
  private final byte[] name;

  private Handle(int descriptor, byte[] name) {
    this.descriptor = descriptor;
    this.name = name;
  }

  /// A file that is open.
  static Handle of(int descriptor) {
    return new Handle(descriptor, null);
  }

  /// What need not be open for this: to open a link is refused, and to open a FIFO or a device
  /// waits for somebody or wakes a driver.
  ///
  /// @param directory the descriptor of the directory that holds it
  /// @param name the bytes of its name there
  static Handle of(int directory, byte[] name) {
    return new Handle(directory, name);
  }

  /// Leads to the name by its directory's name in /proc, since Linux before 6.13 has no call for
  /// the attributes of a name in a directory that is open.
  private byte[] path() {
    byte[] above = ("/proc/self/fd/" + descriptor + "/").getBytes(StandardCharsets.US_ASCII);
    byte[] path = Arrays.copyOf(above, above.length + name.length);
    System.arraycopy(name, 0, path, above.length, name.length);
    return path;
  }

  int chown(int owner, int group) {
    return name == null
        ? Attributes.fchown(descriptor, owner, group)
        : Attributes.fchownat(descriptor, name, owner, group, NOFOLLOW);
  }

  /// Follows a link, so it must not be called for one: Linux has no mode of links.
  int chmod(int mode) {
    return name == null
        ? Attributes.fchmod(descriptor, mode)
        : Attributes.fchmodat(descriptor, name, mode);
  }

  /// Gives it the times that `times` has.
  int setTimes(FileStatus times) {
    long[] both = {
      times.accessedSeconds(), times.accessedNanos(), times.modifiedSeconds(), times.modifiedNanos()
    };
    return name == null
        ? Attributes.futimens(descriptor, both)
        : Attributes.utimensat(descriptor, name, NOFOLLOW, both);
  }

  /// What it found is for [Entries#found] to tell.
  int statx() {
    return name == null ? Entries.statx(descriptor) : Entries.statx(descriptor, name, NOFOLLOW);
  }

  @Override
  public int listAttributes(ByteBuffer target) {
    if (name == null) {
      return Attributes.flistxattr(descriptor, target);
    }
    // This is called for each file that is sent. The way by /proc takes three times as long.
    int length = Attributes.listxattrat(descriptor, name, NOFOLLOW, target);
    boolean isMissing = length == -Errno.ENOSYS || length == -Errno.EPERM;
    return isMissing ? Attributes.llistxattr(path(), target) : length;
  }

  @Override
  public int attribute(byte[] attribute, ByteBuffer target) {
    return name == null
        ? Attributes.fgetxattr(descriptor, attribute, target)
        : Attributes.lgetxattr(path(), attribute, target);
  }

  int setAttribute(byte[] attribute, ByteBuffer value) {
    return name == null
        ? Attributes.fsetxattr(descriptor, attribute, value)
        : Attributes.lsetxattr(path(), attribute, value);
  }

  int removeAttribute(byte[] attribute) {
    return name == null
        ? Attributes.fremovexattr(descriptor, attribute)
        : Attributes.lremovexattr(path(), attribute);
  }

  /// A descriptor of the file or of its directory, which is on the same file system.
  int neighbour() {
    return descriptor;
  }
}
