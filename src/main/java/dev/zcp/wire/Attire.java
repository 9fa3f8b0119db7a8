package dev.zcp.wire;

import java.util.List;

/// What an entry has besides its bytes.
///
/// @param mode permissions with setuid, setgid and sticky: at most 07777
/// @param owner its number at the sender, unsigned
/// @param group as `owner`
/// @param represents the device, of a device (makedev(3)); else 0
/// @param attributes those that the receiver said it keeps; at most [Limits#ATTRIBUTES_BYTES_MAX]
///   bytes in all, as [ExtendedAttribute#bytes] counts them
public record Attire(
    int mode,
    int owner,
    int group,
    Timestamp modified,
    Timestamp accessed,
    long represents,
    List<ExtendedAttribute> attributes) {

  public static final int MODE_MAX = 07777;

  public Attire {
    attributes = List.copyOf(attributes);
    if (mode < 0 || mode > MODE_MAX) {
      throw new IllegalArgumentException("a mode above 07777: 0" + Integer.toOctalString(mode));
    }
    int bytes = ExtendedAttribute.bytes(attributes);
    if (bytes > Limits.ATTRIBUTES_BYTES_MAX) {
      throw new IllegalArgumentException("attributes of " + bytes + " bytes");
    }
  }
}
