package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Makes the records of a [Part], one file after the other. Used again and again by one thread.
public final class PartBuilder {

  /// The rest is for the first id, the count and the digest.
  private static final int RECORDS_BYTES_MAX =
      Limits.PAYLOAD_BYTES_MAX - Part.HEAD_BYTES - Limits.DIGEST_BYTES_MAX;

  private static final int FIRST_BYTES = 16 << 10;

  private ByteBuffer out = buffer(FIRST_BYTES);
  private int count;
  private long lastDirectoryId;
  private int mode;
  private int owner;
  private int group;
  private int lastMode;
  private int lastOwner;
  private int lastGroup;
  private long modifiedSeconds;
  private int modifiedNanos;
  private long accessedSeconds;
  private int accessedNanos;

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Begins the next part.
  public void clear() {
    out.clear();
    count = 0;
    lastDirectoryId = -1;
    lastMode = -1;
  }

  /// Whether another file can be added.
  public boolean hasRoomFor(int nameBytes, List<ExtendedAttribute> attributes) {
    int bytes = bytesMax(nameBytes, ExtendedAttribute.bytes(attributes));
    return count < Part.FILES_MAX && out.position() + bytes <= RECORDS_BYTES_MAX;
  }

  private static int bytesMax(int nameBytes, int attributesBytes) {
    return Part.FIXED_BYTES
        + Part.FOLDER_BYTES
        + Part.OWNER_BYTES
        + Short.BYTES
        + nameBytes
        + attributesBytes;
  }

  /// Of the files that are [added][#add] from now on.
  ///
  /// @param newMode at most 07777
  public void owner(int newMode, int newOwner, int newGroup) {
    mode = newMode;
    owner = newOwner;
    group = newGroup;
  }

  /// Of the next file.
  public void times(
      long newModifiedSeconds,
      int newModifiedNanos,
      long newAccessedSeconds,
      int newAccessedNanos) {
    modifiedSeconds = newModifiedSeconds;
    modifiedNanos = newModifiedNanos;
    accessedSeconds = newAccessedSeconds;
    accessedNanos = newAccessedNanos;
  }

  /// Adds a file.
  ///
  /// @param isAbsent whether the source does not have its bytes any more
  public void add(
      long directoryId,
      byte[] name,
      int size,
      int crc32c,
      boolean hasFurtherNames,
      boolean isAbsent,
      List<ExtendedAttribute> attributes) {
    boolean isNewDirectory = directoryId != lastDirectoryId;
    boolean isNewOwner = mode != lastMode || owner != lastOwner || group != lastGroup;
    makeRoom(bytesMax(name.length, ExtendedAttribute.bytes(attributes)));
    int flags =
        (isNewDirectory ? Part.FOLDER : 0)
            | (isNewOwner ? Part.OWNER : 0)
            | (attributes.isEmpty() ? 0 : Part.ATTRIBUTES)
            | (hasFurtherNames ? Part.NAMES : 0)
            | (isAbsent ? Part.ABSENT : 0);
    out.put((byte) flags).put((byte) name.length).putInt(size).putInt(crc32c);
    out.putLong(modifiedSeconds).putInt(modifiedNanos);
    out.putLong(accessedSeconds).putInt(accessedNanos);
    if (isNewDirectory) {
      out.putLong(directoryId);
    }
    if (isNewOwner) {
      out.putShort((short) mode).putInt(owner).putInt(group);
    }
    out.put(name);
    if (!attributes.isEmpty()) {
      out.putShort((short) attributes.size());
      OfferRecords.putAttributes(attributes, out);
    }
    lastDirectoryId = directoryId;
    lastMode = mode;
    lastOwner = owner;
    lastGroup = group;
    count++;
  }

  private void makeRoom(int bytes) {
    if (out.remaining() < bytes) {
      ByteBuffer more = buffer(Math.max(2 * out.capacity(), out.position() + bytes));
      out = more.put(out.flip());
    }
  }

  /// What was added, as one part.
  public Part build(long firstId, boolean isRepeated, Digest digest) {
    byte[] records = Arrays.copyOf(out.array(), out.position());
    return new Part(firstId, count, isRepeated, digest, records);
  }
}
