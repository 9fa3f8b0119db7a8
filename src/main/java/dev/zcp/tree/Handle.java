package dev.zcp.tree;

import dev.zcp.linux.Attributes;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Timespec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A file whose attributes are read or set, and nothing is known of what they mean. As in
/// [Attributes], a method gives what the call returned or minus the error number.
sealed interface Handle extends AttributeSource {

  int chown(int owner, int group);

  /// Follows a link, so it must not be called for one: Linux has no mode of links.
  int chmod(int mode);

  int setTimes(Timespec accessed, Timespec modified);

  /// What it found is for [Entries#found] to tell.
  int statx();

  int setAttribute(byte[] name, ByteBuffer value);

  int removeAttribute(byte[] name);

  /// A descriptor of the file or of another on the same file system.
  int neighbour();

  /// A file that is open.
  record Open(int descriptor) implements Handle {

    @Override
    public int chown(int owner, int group) {
      return Attributes.fchown(descriptor, owner, group);
    }

    @Override
    public int chmod(int mode) {
      return Attributes.fchmod(descriptor, mode);
    }

    @Override
    public int setTimes(Timespec accessed, Timespec modified) {
      return Attributes.futimens(descriptor, accessed, modified);
    }

    @Override
    public int statx() {
      return Entries.statx(descriptor);
    }

    @Override
    public int listAttributes(ByteBuffer target) {
      return Attributes.flistxattr(descriptor, target);
    }

    @Override
    public int attribute(byte[] name, ByteBuffer target) {
      return Attributes.fgetxattr(descriptor, name, target);
    }

    @Override
    public int setAttribute(byte[] name, ByteBuffer value) {
      return Attributes.fsetxattr(descriptor, name, value);
    }

    @Override
    public int removeAttribute(byte[] name) {
      return Attributes.fremovexattr(descriptor, name);
    }

    @Override
    public int neighbour() {
      return descriptor;
    }
  }

  /// A link, a FIFO or a device: to open a link is refused, and to open the others waits for
  /// somebody or wakes a driver.
  ///
  /// @param directory the descriptor of the directory that holds it
  /// @param name the bytes of its name there
  /// @param path leads to it by the directory's name in /proc, since Linux before 6.13 has no call
  ///   for the attributes of a name in a directory that is open
  record Named(int directory, byte[] name, byte[] path) implements Handle {

    static Named of(int directory, byte[] name) {
      byte[] above = ("/proc/self/fd/" + directory + "/").getBytes(StandardCharsets.US_ASCII);
      byte[] path = new byte[above.length + name.length];
      System.arraycopy(above, 0, path, 0, above.length);
      System.arraycopy(name, 0, path, above.length, name.length);
      return new Named(directory, name, path);
    }

    @Override
    public int chown(int owner, int group) {
      return Attributes.fchownat(directory, name, owner, group, Entries.AT_SYMLINK_NOFOLLOW);
    }

    @Override
    public int chmod(int mode) {
      return Attributes.fchmodat(directory, name, mode);
    }

    @Override
    public int setTimes(Timespec accessed, Timespec modified) {
      return Attributes.utimensat(directory, name, accessed, modified, Entries.AT_SYMLINK_NOFOLLOW);
    }

    @Override
    public int statx() {
      return Entries.statx(directory, name, Entries.AT_SYMLINK_NOFOLLOW);
    }

    @Override
    public int listAttributes(ByteBuffer target) {
      return Attributes.llistxattr(path, target);
    }

    @Override
    public int attribute(byte[] attribute, ByteBuffer target) {
      return Attributes.lgetxattr(path, attribute, target);
    }

    @Override
    public int setAttribute(byte[] attribute, ByteBuffer value) {
      return Attributes.lsetxattr(path, attribute, value);
    }

    @Override
    public int removeAttribute(byte[] attribute) {
      return Attributes.lremovexattr(path, attribute);
    }

    @Override
    public int neighbour() {
      return directory;
    }
  }
}
