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

  private byte[] records = new byte[FIRST_BYTES];

  /// Where the next record begins.
  private int at;

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

  /// Begins the next part.
  public void clear() {
    at = 0;
    count = 0;
    lastDirectoryId = -1;
    lastMode = -1;
  }

  /// Whether another file can be added.
  public boolean hasRoomFor(int nameBytes, List<ExtendedAttribute> attributes) {
    int bytes = bytesMax(nameBytes, ExtendedAttribute.bytes(attributes));
    return count < Part.FILES_MAX && at + bytes <= RECORDS_BYTES_MAX;
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
    records[at] = (byte) flags;
    records[at + 1] = (byte) name.length;
    put(at + 2, size);
    put(at + 6, crc32c);
    put(at + 10, modifiedSeconds);
    put(at + 18, modifiedNanos);
    put(at + 22, accessedSeconds);
    put(at + 30, accessedNanos);
    at += Part.FIXED_BYTES;
    if (isNewDirectory) {
      put(at, directoryId);
      at += Part.FOLDER_BYTES;
    }
    if (isNewOwner) {
      records[at] = (byte) mode;
      records[at + 1] = (byte) (mode >>> Byte.SIZE);
      put(at + 2, owner);
      put(at + 6, group);
      at += Part.OWNER_BYTES;
    }
    System.arraycopy(name, 0, records, at, name.length);
    at += name.length;
    if (!attributes.isEmpty()) {
      ByteBuffer out = ByteBuffer.wrap(records).order(ByteOrder.LITTLE_ENDIAN).position(at);
      out.putShort((short) attributes.size());
      OfferRecords.putAttributes(attributes, out);
      at = out.position();
    }
    lastDirectoryId = directoryId;
    lastMode = mode;
    lastOwner = owner;
    lastGroup = group;
    count++;
  }

  private void makeRoom(int bytes) {
    if (records.length - at < bytes) {
      records = Arrays.copyOf(records, Math.max(2 * records.length, at + bytes));
    }
  }

  private void put(int from, long value) {
    put(from, (int) value);
    put(from + Integer.BYTES, (int) (value >>> Integer.SIZE));
  }

  private void put(int from, int value) {
    records[from] = (byte) value;
    records[from + 1] = (byte) (value >>> 8);
    records[from + 2] = (byte) (value >>> 16);
    records[from + 3] = (byte) (value >>> 24);
  }

  /// What was added, as one part.
  public Part build(long firstId, boolean isRepeated, Digest digest) {
    return new Part(firstId, count, isRepeated, digest, Arrays.copyOf(records, at));
  }
}
