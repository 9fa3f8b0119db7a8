package dev.zcp.wire;

import dev.zcp.core.LittleEndian;
import dev.zcp.core.Name;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Small files with their contents: their raw bytes follow this frame, one file's after the
/// other's, without anything between. A unit of its connection. Or a [look][#isLook] at what has
/// the names of such files: that has no raw bytes and is no unit.
///
/// The files are not objects: a [Cursor] goes from one record to the next. Whoever sends one makes
/// the records by a [PartBuilder].
///
/// @see Offer the other entries
public final class Part implements Frame {

  /// Files in one part.
  public static final int FILES_MAX = 512;

  /// In place of the id of a directory: the receiver's own, if that was not offered.
  public static final long OWN_DIRECTORY = -1;

  static final int SHA256 = 1;
  static final int REPEATED = 2;
  static final int LOOK = 4;

  /// The raw bytes follow as [pieces][PieceHead].
  static final int ZSTD = 8;

  /// First id and count, before the digest.
  static final int HEAD_BYTES = 10;

  // The flags of a record.

  /// It begins with the id of the directory that this file and those after it are in.
  static final int FOLDER = 1;

  /// Mode, owner and group follow, of this file and those after it.
  static final int OWNER = 2;

  static final int ATTRIBUTES = 4;

  /// No raw bytes follow.
  static final int BARE = 8;

  /// No raw bytes follow, but it is told what they are: by their SHA-256, which stands in the
  /// record, if that is the digest of the part, else by their CRC32C.
  static final int SHOWN = 16;

  /// Further names of it may be offered; or, in a look, it has attributes, which a look does not
  /// tell. So it comes in a part, whatever is there.
  static final int NAMES = 32;

  private static final int FLAGS = 63;

  static final int FOLDER_BYTES = 8;
  static final int OWNER_BYTES = 10;

  /// Flags, length of the name, size, CRC32C, and two times.
  static final int FIXED_BYTES = 34;

  private final long firstId;
  private final int count;
  private final int flags;
  private final Digest digest;
  private final byte[] records;
  private final int rawBytes;
  private final boolean isAnyWhole;
  private final boolean isAnySummed;

  /// The directory of each run of files, and how many files are in it.
  private final long[] directoryIds;

  private final int[] runs;

  /// @param firstId that of the first file; the others have those that follow. Of a look its number
  /// @param flags REPEATED, if it was sent before, over a connection that was lost; ZSTD; or LOOK
  /// @param digest SHA-256 of all the raw bytes; or NONE, if the CRC32C of each file is enough
  /// @param records which nobody changes any more
  /// @throws IllegalArgumentException with the reason, if these are no records of `count` files
  Part(long firstId, int count, int flags, Digest digest, byte[] records) {
    this.firstId = firstId;
    this.count = count;
    this.flags = flags | (digest.isSha256() ? SHA256 : 0);
    this.digest = digest;
    this.records = records;
    Limits.requireFileId(firstId);
    if (count < 1 || count > FILES_MAX) {
      throw new IllegalArgumentException("a part of " + count + " files");
    }
    Limits.requireFileId(firstId + count - 1);
    if (digest.algorithm() == Digest.Algorithm.CRC32C) {
      throw new IllegalArgumentException("a part with a CRC32C of all");
    }
    if (isLook() && this.flags != LOOK) {
      throw new IllegalArgumentException("a look with other flags, or a digest");
    }
    Cursor cursor = cursor();
    long[] ids = new long[count];
    int[] files = new int[count];
    int run = -1;
    long bytes = 0;
    boolean isWhole = false;
    boolean isSummed = false;
    while (cursor.next()) {
      cursor.require();
      bytes += cursor.rawBytes();
      isWhole |= cursor.isWhole();
      isSummed |= cursor.isWhole() && cursor.crc32c() != 0;
      if (cursor.isNewDirectory()) {
        run++;
        ids[run] = cursor.directoryId();
      }
      files[run]++;
    }
    this.directoryIds = Arrays.copyOf(ids, run + 1);
    this.runs = Arrays.copyOf(files, run + 1);
    if (cursor.at != records.length) {
      throw new IllegalArgumentException("a part with more than its records");
    }
    if (bytes > Limits.PART_BYTES_MAX) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    if (isZstd() && bytes == 0) {
      throw new IllegalArgumentException("a part without bytes that is compressed");
    }
    this.rawBytes = (int) bytes;
    this.isAnyWhole = isWhole;
    this.isAnySummed = isSummed;
  }

  public long firstId() {
    return firstId;
  }

  public int count() {
    return count;
  }

  public boolean isRepeated() {
    return (flags & REPEATED) != 0;
  }

  /// Whether it only asks what is there; to be answered by [Wants] of the number that is its first
  /// id.
  public boolean isLook() {
    return (flags & LOOK) != 0;
  }

  @Override
  public boolean isZstd() {
    return (flags & ZSTD) != 0;
  }

  public Digest digest() {
    return digest;
  }

  /// How many raw bytes its files have, which follow.
  public int rawBytes() {
    return rawBytes;
  }

  /// Whether any of its files is [whole][Cursor#isWhole].
  public boolean isAnyWhole() {
    return isAnyWhole;
  }

  /// Whether any of those has a CRC32C other than 0.
  public boolean isAnySummed() {
    return isAnySummed;
  }

  int flags() {
    return flags;
  }

  int payloadBytes() {
    return HEAD_BYTES + digest.value().length() + records.length;
  }

  void put(ByteBuffer out) {
    out.putLong(firstId).putShort((short) count);
    digest.value().put(out);
    out.put(records);
  }

  /// @throws IllegalArgumentException with the reason, if `in` holds no part
  static Part parse(Header header, ByteBuffer in) {
    Bytes.requireRemaining(in, HEAD_BYTES);
    long firstId = in.getLong();
    int count = in.getShort() & 0xffff;
    Digest digest =
        header.has(SHA256)
            ? new Digest(Digest.Algorithm.SHA256, Bytes.take(in, Limits.DIGEST_BYTES_MAX))
            : Digest.NONE;
    byte[] records = new byte[in.remaining()];
    in.get(records);
    return new Part(firstId, count, header.flags() & ~SHA256, digest, records);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Part part
        && firstId == part.firstId
        && flags == part.flags
        && digest.equals(part.digest)
        && Arrays.equals(records, part.records);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(records);
  }

  /// Before the first file.
  public Cursor cursor() {
    return new Cursor();
  }

  /// Goes through the files of a part. What it gives is of the file that [#next] came to last.
  /// Belongs to one thread.
  public final class Cursor {

    /// Where the next record begins.
    private int at;

    private int index = -1;
    private int flags;
    private int nameBytes;
    private long directoryId = -1;
    private int mode = -1;
    private int owner;
    private int group;
    private int size;
    private int crc32c;
    private long modifiedSeconds;
    private int modifiedNanos;
    private long accessedSeconds;
    private int accessedNanos;
    private int nameAt;
    private int sha256At;
    private List<ExtendedAttribute> attributes = List.of();

    private Cursor() {}

    /// Goes to the next file, if there is one.
    public boolean next() {
      index++;
      if (index == count) {
        return false;
      }
      requireRemaining(FIXED_BYTES);
      flags = records[at] & 0xff;
      nameBytes = records[at + 1] & 0xff;
      size = LittleEndian.getInt(records, at + 2);
      crc32c = LittleEndian.getInt(records, at + 6);
      modifiedSeconds = LittleEndian.getLong(records, at + 10);
      modifiedNanos = LittleEndian.getInt(records, at + 18);
      accessedSeconds = LittleEndian.getLong(records, at + 22);
      accessedNanos = LittleEndian.getInt(records, at + 30);
      at += FIXED_BYTES;
      if (isNewDirectory()) {
        requireRemaining(FOLDER_BYTES);
        directoryId = LittleEndian.getLong(records, at);
        at += FOLDER_BYTES;
      }
      if ((flags & OWNER) != 0) {
        requireRemaining(OWNER_BYTES);
        mode = records[at] & 0xff | (records[at + 1] & 0xff) << Byte.SIZE;
        owner = LittleEndian.getInt(records, at + 2);
        group = LittleEndian.getInt(records, at + 6);
        at += OWNER_BYTES;
      }
      if (isShown() && digest.isSha256()) {
        requireRemaining(Limits.DIGEST_BYTES_MAX);
        sha256At = at;
        at += Limits.DIGEST_BYTES_MAX;
      }
      requireRemaining(nameBytes);
      nameAt = at;
      at += nameBytes;
      attributes = (flags & ATTRIBUTES) == 0 ? List.of() : takeAttributes();
      return true;
    }

    private void requireRemaining(int bytes) {
      if (bytes > records.length - at) {
        throw new IllegalArgumentException("it is cut short");
      }
    }

    private List<ExtendedAttribute> takeAttributes() {
      ByteBuffer in = ByteBuffer.wrap(records).order(ByteOrder.LITTLE_ENDIAN).position(at);
      Bytes.requireRemaining(in, Short.BYTES);
      List<ExtendedAttribute> taken = OfferRecords.attributes(in.getShort() & 0xffff, in);
      at = in.position();
      return taken;
    }

    private void require() {
      if ((flags & ~FLAGS) != 0) {
        throw new IllegalArgumentException("a file with unknown flags");
      }
      if (isShown() && isBare() || isLook() && (flags & ~(FOLDER | OWNER | NAMES)) != 0) {
        throw new IllegalArgumentException("a file with flags that do not fit");
      }
      if (isBare() && !isRepeated() && crc32c != 0) {
        throw new IllegalArgumentException("a CRC32C of a file that is not there");
      }
      if (index == 0 && !isNewDirectory()) {
        throw new IllegalArgumentException("a file in no directory");
      }
      if (directoryId != OWN_DIRECTORY) {
        Limits.requireFileId(directoryId);
      }
      if (mode < 0 || mode > Attire.MODE_MAX) {
        throw new IllegalArgumentException("a file without a mode, or with one above 07777");
      }
      if (size < 0 || size > Limits.PART_BYTES_MAX) {
        throw new IllegalArgumentException("a file of " + Integer.toUnsignedString(size));
      }
      Timestamp.require(modifiedSeconds, modifiedNanos);
      Timestamp.require(accessedSeconds, accessedNanos);
      Name.requireBare(records, nameAt, nameAt + nameBytes);
      if (ExtendedAttribute.bytes(attributes) > Limits.ATTRIBUTES_BYTES_MAX) {
        throw new IllegalArgumentException("a file with too many attributes");
      }
    }

    /// From 0 on.
    public int index() {
      return index;
    }

    /// Whether its directory is another one than that of the file before it.
    public boolean isNewDirectory() {
      return (flags & FOLDER) != 0;
    }

    public long directoryId() {
      return directoryId;
    }

    /// Whether none of its bytes follow: they are not wanted; or, if the part is repeated, the
    /// source does not have them any more.
    public boolean isBare() {
      return (flags & BARE) != 0;
    }

    /// Whether it is only [told][#shown] what its bytes are.
    public boolean isShown() {
      return (flags & SHOWN) != 0;
    }

    /// Whether it comes with its bytes.
    public boolean isWhole() {
      return !isLook() && (flags & (BARE | SHOWN)) == 0;
    }

    /// Whether further names of it may be offered; of a look, whether it comes in a part even if
    /// what is there stays.
    public boolean mayGetNames() {
      return (flags & NAMES) != 0;
    }

    /// The SHA-256 of all bytes of a file that is [shown][#isShown]; or NONE, if its [#crc32c] is
    /// enough.
    public Digest shown() {
      return isShown() && digest.isSha256()
          ? Digest.sha256(Arrays.copyOfRange(records, sha256At, sha256At + Limits.DIGEST_BYTES_MAX))
          : Digest.NONE;
    }

    /// A copy.
    public byte[] name() {
      return Arrays.copyOfRange(records, nameAt, nameAt + nameBytes);
    }

    public int size() {
      return size;
    }

    /// How many of the raw bytes are its own.
    public int rawBytes() {
      return isWhole() ? size : 0;
    }

    public int crc32c() {
      return crc32c;
    }

    /// At most 07777.
    public int mode() {
      return mode;
    }

    /// Its number at the sender, unsigned.
    public int owner() {
      return owner;
    }

    /// As [#owner].
    public int group() {
      return group;
    }

    public long modifiedSeconds() {
      return modifiedSeconds;
    }

    public int modifiedNanos() {
      return modifiedNanos;
    }

    public long accessedSeconds() {
      return accessedSeconds;
    }

    public int accessedNanos() {
      return accessedNanos;
    }

    public List<ExtendedAttribute> attributes() {
      return attributes;
    }
  }

  /// The directory of each run of files. Not to be changed.
  public long[] directoryIds() {
    return directoryIds;
  }

  /// How many files are in each run. Not to be changed.
  public int[] runs() {
    return runs;
  }
}
