package dev.zcp.wire;

/// One extended attribute (xattr(7)); access control lists are such, too.
public record ExtendedAttribute(Octets name, Octets value) {

  /// XATTR_NAME_MAX and XATTR_SIZE_MAX of linux/limits.h.
  static final int NAME_BYTES_MAX = 255;

  static final int VALUE_BYTES_MAX = 65_536;

  public ExtendedAttribute {
    if (name.length() < 1 || name.length() > NAME_BYTES_MAX) {
      throw new IllegalArgumentException("an attribute's name of " + name.length() + " bytes");
    }
    if (value.length() > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException("an attribute of " + value.length() + " bytes");
    }
  }
}
