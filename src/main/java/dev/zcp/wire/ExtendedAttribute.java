package dev.zcp.wire;

import java.util.List;

/// One extended attribute (xattr(7)); access control lists are such, too.
public record ExtendedAttribute(Bytes name, Bytes value) {

  /// XATTR_NAME_MAX and XATTR_SIZE_MAX of linux/limits.h.
  static final int NAME_BYTES_MAX = 255;

  static final int VALUE_BYTES_MAX = 65_536;

  /// Its two lengths, where it travels.
  public static final int FIXED_BYTES = 5;

  public ExtendedAttribute {
    if (name.length() < 1 || name.length() > NAME_BYTES_MAX) {
      throw new IllegalArgumentException("an attribute's name of " + name.length() + " bytes");
    }
    if (name.hasNul()) {
      throw new IllegalArgumentException("an attribute's name with a NUL byte");
    }
    if (value.length() > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException("an attribute of " + value.length() + " bytes");
    }
  }

  /// What these take where they travel, which [Limits#ATTRIBUTES_BYTES_MAX] bounds.
  public static int bytes(List<ExtendedAttribute> attributes) {
    long bytes = 0;
    // Without an iterator, which would be a new object for each file. Most have no attributes.
    for (int i = 0; i < attributes.size(); i++) {
      ExtendedAttribute each = attributes.get(i);
      bytes += FIXED_BYTES + each.name.length() + each.value.length();
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }
}
