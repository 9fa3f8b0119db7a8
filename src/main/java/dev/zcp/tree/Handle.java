package dev.zcp.tree;

import dev.zcp.linux.Attributes;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Libc;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A file whose attributes are read or set; nothing is known of what they mean. As in [Attributes],
/// a method gives what the call returned or minus the error number. Belongs to one thread.
///
/// There are three kinds. A file that is open is known by its descriptor. Of a source that must not
/// be opened (a link, a FIFO, a device) the attributes are read by its name in a directory. A
/// target of that kind is [held][#hold] by a descriptor that opens nothing (O_PATH): whoever may
/// write to its directory may put another file under its name at any time, and nothing is set on
/// that one.
public final class Handle implements AttributeSource, Closeable {

  private static final int NOFOLLOW = Entries.AT_SYMLINK_NOFOLLOW;
  private static final byte[] EMPTY = {};

  private int descriptor;

  /// Null unless it is known by its name in the directory that `descriptor` is.
  private final byte[] name;

  /// Leads to a file that is held by O_PATH, whatever has become of its name; else null. Most calls
  /// on attributes take no such descriptor.
  private final byte[] path;

  private final long[] times = new long[4];

  /// Whether its descriptor is this handle's own.
  private final boolean isOwn;

  private Handle(int descriptor, byte[] name, byte[] path, boolean isOwn) {
    this.descriptor = descriptor;
    this.name = name;
    this.path = path;
    this.isOwn = isOwn;
  }

  /// A file that is open, and that somebody else closes.
  public static Handle of(int descriptor) {
    return new Handle(descriptor, null, null, false);
  }

  /// A directory that is open, and that somebody else closes.
  public static Handle of(OpenDirectory directory) {
    int descriptor = directory.descriptor();
    return new Handle(
        descriptor, null, directory.isListable() ? null : procPath(descriptor, EMPTY), false);
  }

  /// A source that is not to be opened.
  ///
  /// @param directory the descriptor of the directory that holds it
  /// @param name the bytes of its name there
  public static Handle of(int directory, byte[] name) {
    return new Handle(directory, name, null, false);
  }

  /// Holds what has the name, a link itself and not what it leads to. To be closed.
  ///
  /// @throws IOException if nothing has the name
  public static Handle hold(OpenDirectory directory, byte[] name) throws IOException {
    int flags = Entries.O_PATH | Entries.O_NOFOLLOW;
    int held = Errno.require(Entries.openat(directory.descriptor(), name, flags, 0), name);
    return new Handle(held, null, procPath(held, EMPTY), true);
  }

  private static byte[] procPath(int descriptor, byte[] below) {
    byte[] above = ("/proc/self/fd/" + descriptor).getBytes(StandardCharsets.US_ASCII);
    if (below.length == 0) {
      return above;
    }
    byte[] path = Arrays.copyOf(above, above.length + 1 + below.length);
    path[above.length] = '/';
    System.arraycopy(below, 0, path, above.length + 1, below.length);
    return path;
  }

  /// Makes this the handle of another file that is open, so that not each file needs one.
  public Handle reuse(int other) {
    descriptor = other;
    return this;
  }

  public int chown(int owner, int group) {
    return path == null
        ? Attributes.fchown(descriptor, owner, group)
        : Attributes.fchownat(descriptor, EMPTY, owner, group, Entries.AT_EMPTY_PATH);
  }

  /// Must not be called for a link: Linux has no mode of links.
  public int chmod(int mode) {
    return path == null
        ? Attributes.fchmod(descriptor, mode)
        : Attributes.fchmodat(Entries.AT_FDCWD, path, mode);
  }

  /// Gives it the times that `status` has.
  public int setTimes(FileStatus status) {
    times[0] = status.accessedSeconds();
    times[1] = status.accessedNanos();
    times[2] = status.modifiedSeconds();
    times[3] = status.modifiedNanos();
    return path == null
        ? Attributes.futimens(descriptor, times)
        : Attributes.utimensat(Entries.AT_FDCWD, path, 0, times);
  }

  public FileStatus status() throws IOException {
    Errno.require(
        name == null ? Entries.statx(descriptor) : Entries.statx(descriptor, name, NOFOLLOW));
    return Entries.found();
  }

  @Override
  public int listAttributes(ByteBuffer target) {
    if (path != null) {
      return Attributes.listxattr(path, target);
    }
    if (name == null) {
      return Attributes.flistxattr(descriptor, target);
    }
    // This is called for each file that is sent. The way by /proc takes three times as long.
    int length = Attributes.listxattrat(descriptor, name, NOFOLLOW, target);
    boolean isMissing = length == -Errno.ENOSYS || length == -Errno.EPERM;
    return isMissing ? Attributes.llistxattr(procPath(descriptor, name), target) : length;
  }

  @Override
  public int attribute(byte[] attribute, ByteBuffer target) {
    if (path != null) {
      return Attributes.getxattr(path, attribute, target);
    }
    return name == null
        ? Attributes.fgetxattr(descriptor, attribute, target)
        : Attributes.lgetxattr(procPath(descriptor, name), attribute, target);
  }

  public int setAttribute(byte[] attribute, ByteBuffer value) {
    return path == null
        ? Attributes.fsetxattr(descriptor, attribute, value)
        : Attributes.setxattr(path, attribute, value);
  }

  public int removeAttribute(byte[] attribute) {
    return path == null
        ? Attributes.fremovexattr(descriptor, attribute)
        : Attributes.removexattr(path, attribute);
  }

  /// The descriptor of the file, or of the directory that it is in.
  public int descriptor() {
    return descriptor;
  }

  /// Lets go of a file that is [held][#hold]; others stay open.
  @Override
  public void close() {
    if (isOwn) {
      Libc.close(descriptor);
    }
  }
}
