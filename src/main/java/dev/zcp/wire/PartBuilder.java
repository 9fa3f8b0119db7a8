package dev.zcp.wire;

import dev.zcp.core.LittleEndian;
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

  private static final long NO_DIRECTORY = Part.OWN_DIRECTORY - 1;

  private byte[] records = new byte[FIRST_BYTES];

  /// Where the next record begins.
  private int at;

  private int count;
  private boolean mayGetNames;
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
    lastDirectoryId = NO_DIRECTORY;
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
        + Limits.DIGEST_BYTES_MAX
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

  /// Whether further names of the next file may be offered; in a look, whether it is to come in a
  /// part even if what is there stays.
  public void names(boolean newMayGetNames) {
    mayGetNames = newMayGetNames;
  }

  /// Adds a file whose bytes follow.
  public void add(
      long directoryId, byte[] name, int size, int crc32c, List<ExtendedAttribute> attributes) {
    add(directoryId, name, size, crc32c, 0, null, attributes);
  }

  /// Adds a file of which no bytes follow.
  public void addBare(
      long directoryId, byte[] name, int size, int crc32c, List<ExtendedAttribute> attributes) {
    add(directoryId, name, size, crc32c, Part.BARE, null, attributes);
  }

  /// Adds a file of which it is only shown what its bytes are.
  ///
  /// @param sha256 null if the part has no such digest
  public void addShown(
      long directoryId,
      byte[] name,
      int size,
      int crc32c,
      byte[] sha256,
      List<ExtendedAttribute> attributes) {
    add(directoryId, name, size, crc32c, Part.SHOWN, sha256, attributes);
  }

  /// Adds a file to a look.
  public void addToLook(long directoryId, byte[] name, int size) {
    add(directoryId, name, size, 0, 0, null, List.of());
  }

  private void add(
      long directoryId,
      byte[] name,
      int size,
      int crc32c,
      int kind,
      byte[] sha256,
      List<ExtendedAttribute> attributes) {
    boolean isNewDirectory = directoryId != lastDirectoryId;
    boolean isNewOwner = mode != lastMode || owner != lastOwner || group != lastGroup;
    makeRoom(bytesMax(name.length, ExtendedAttribute.bytes(attributes)));
    int flags =
        (isNewDirectory ? Part.FOLDER : 0)
            | (isNewOwner ? Part.OWNER : 0)
            | (attributes.isEmpty() ? 0 : Part.ATTRIBUTES)
            | (mayGetNames ? Part.NAMES : 0)
            | kind;
    records[at] = (byte) flags;
    records[at + 1] = (byte) name.length;
    LittleEndian.putInt(records, at + 2, size);
    LittleEndian.putInt(records, at + 6, crc32c);
    LittleEndian.putLong(records, at + 10, modifiedSeconds);
    LittleEndian.putInt(records, at + 18, modifiedNanos);
    LittleEndian.putLong(records, at + 22, accessedSeconds);
    LittleEndian.putInt(records, at + 30, accessedNanos);
    at += Part.FIXED_BYTES;
    if (isNewDirectory) {
      LittleEndian.putLong(records, at, directoryId);
      at += Part.FOLDER_BYTES;
    }
    if (isNewOwner) {
      records[at] = (byte) mode;
      records[at + 1] = (byte) (mode >>> Byte.SIZE);
      LittleEndian.putInt(records, at + 2, owner);
      LittleEndian.putInt(records, at + 6, group);
      at += Part.OWNER_BYTES;
    }
    if (sha256 != null) {
      System.arraycopy(sha256, 0, records, at, sha256.length);
      at += sha256.length;
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
    mayGetNames = false;
    count++;
  }

  private void makeRoom(int bytes) {
    if (records.length - at < bytes) {
      records = Arrays.copyOf(records, Math.max(2 * records.length, at + bytes));
    }
  }

  /// What was added, as one part.
  ///
  /// @param isZstd whether its bytes follow in pieces
  public Part build(long firstId, boolean isRepeated, boolean isZstd, Digest digest) {
    int flags = (isRepeated ? Part.REPEATED : 0) | (isZstd ? Part.ZSTD : 0);
    return new Part(firstId, count, flags, digest, Arrays.copyOf(records, at));
  }

  /// What was added, as a look.
  ///
  /// @param number told again by the answer
  public Part buildLook(long number) {
    return new Part(number, count, Part.LOOK, Digest.NONE, Arrays.copyOf(records, at));
  }
}
