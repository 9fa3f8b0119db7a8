package dev.zcp.tree;

import dev.zcp.linux.Errno;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// What has extended attributes that can be read: a file, or what somebody told of one. As in
/// [dev.zcp.linux.Attributes], a method gives what the call returned or minus the error number.
public sealed interface AttributeSource permits Handle, AttributeSource.GivenAttributes {

  /// Asks for a length and for nothing else.
  ByteBuffer NO_ROOM = ByteBuffer.allocateDirect(0);

  /// Fills `target`, a direct buffer, from its beginning on with the names, a NUL after each; with
  /// [no room][#NO_ROOM] it tells the length alone.
  int listAttributes(ByteBuffer target);

  /// Fills `target`, a direct buffer, from its beginning on with the value of `name`.
  int attribute(byte[] name, ByteBuffer target);

  /// One extended attribute by its value: xattr(7).
  ///
  /// @param name with its namespace, as `user.` is one; without a NUL
  record GivenAttribute(byte[] name, byte[] value) {

    public boolean isAccessList() {
      return AccessList.isOne(name);
    }
  }

  /// The extended attributes that somebody told of a file, access control lists among them, in
  /// place of the file. The kernel checks what they say when they are set.
  final class GivenAttributes implements AttributeSource {

    public static final GivenAttributes NONE = new GivenAttributes(List.of());

    private final List<GivenAttribute> attributes;
    private final byte[] names;

    /// @throws IllegalArgumentException if a name is empty or holds a NUL byte: of such a name the
    ///   kernel would see the beginning
    public GivenAttributes(List<GivenAttribute> attributes) {
      this.attributes = List.copyOf(attributes);
      ByteArrayOutputStream list = new ByteArrayOutputStream();
      for (GivenAttribute each : this.attributes) {
        requireName(each.name());
        list.writeBytes(each.name());
        list.write(0);
      }
      this.names = list.toByteArray();
    }

    @Override
    public int listAttributes(ByteBuffer target) {
      return filled(names, target);
    }

    @Override
    public int attribute(byte[] name, ByteBuffer target) {
      for (GivenAttribute each : attributes) {
        if (Arrays.equals(each.name(), name)) {
          return filled(each.value(), target);
        }
      }
      return -Errno.ENODATA;
    }

    private static int filled(byte[] bytes, ByteBuffer target) {
      target.clear();
      if (target.capacity() == 0) {
        return bytes.length;
      }
      if (target.capacity() < bytes.length) {
        return -Errno.ERANGE;
      }
      target.put(0, bytes);
      return bytes.length;
    }

    private static void requireName(byte[] name) {
      boolean hasNul = false;
      for (byte b : name) {
        hasNul |= b == 0;
      }
      if (name.length == 0 || hasNul) {
        throw new IllegalArgumentException("an extended attribute without a proper name");
      }
    }
  }
}
