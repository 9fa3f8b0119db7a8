package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Chunks of a file, of which the receiver has another version: they follow each other without
/// gaps. Between two frames there may be a hole.
///
/// @param offset of the first chunk in the file
/// @param seed the key of the chunks' digests: random, the same in all frames of a file
/// @param records of each chunk [#RECORD_BYTES]: its length and its digest; 1 to
///   [Limits#RECORDS_MAX], or none in the last frame
/// @param isLast whether that is all
public record Chunks(long fileId, long offset, Bytes seed, Bytes records, boolean isLast)
    implements Frame {

  static final int LAST = 1;
  public static final int SEED_BYTES = 16;
  static final int HEAD_BYTES = 16 + SEED_BYTES;
  private static final int LENGTH_BYTES = 3;
  public static final int RECORD_BYTES = LENGTH_BYTES + Long.BYTES;

  public Chunks {
    Limits.requireFileId(fileId);
    Limits.requireSize(offset);
    seed.require(SEED_BYTES, "the seed");
    int count = records.length() / RECORD_BYTES;
    if (records.length() % RECORD_BYTES != 0) {
      throw new IllegalArgumentException("half a record");
    }
    if (count > 0 || !isLast) {
      Limits.requireRecords(count);
    }
    for (ByteBuffer each = each(records); each.hasRemaining(); each.getLong()) {
      int length = takeLength(each);
      if (length < 1 || length > Limits.CHUNK_BYTES_MAX) {
        throw new IllegalArgumentException("a chunk of " + length);
      }
    }
    Limits.requireSize(end(offset, records));
  }

  /// The last frame without any records.
  public Chunks none() {
    return new Chunks(fileId, offset, seed, Bytes.of(new byte[0]), true);
  }

  /// Puts the record of a chunk.
  ///
  /// @param records little-endian
  public static void putRecord(ByteBuffer records, int length, long digest) {
    records.putShort((short) length).put((byte) (length >>> Short.SIZE)).putLong(digest);
  }

  /// Takes the length of a chunk; its digest follows.
  public static int takeLength(ByteBuffer records) {
    return Short.toUnsignedInt(records.getShort())
        | Byte.toUnsignedInt(records.get()) << Short.SIZE;
  }

  public int count() {
    return records.length() / RECORD_BYTES;
  }

  /// Of each chunk its [length][#takeLength], and its digest of 8 bytes.
  public ByteBuffer each() {
    return each(records);
  }

  private static ByteBuffer each(Bytes records) {
    return ByteBuffer.wrap(records.bytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Where the last of them ends.
  public long end() {
    return end(offset, records);
  }

  private static long end(long offset, Bytes records) {
    long end = offset;
    for (ByteBuffer each = each(records); each.hasRemaining(); each.getLong()) {
      end += takeLength(each);
    }
    return end;
  }

  int payloadBytes() {
    return HEAD_BYTES + records.length();
  }

  void put(ByteBuffer out) {
    out.putLong(fileId).putLong(offset);
    seed.put(out);
    records.put(out);
  }

  /// @throws IllegalArgumentException with the reason, if `in` holds no chunks
  static Chunks parse(boolean isLast, ByteBuffer in) {
    long fileId = in.getLong();
    long offset = in.getLong();
    Bytes seed = Bytes.take(in, SEED_BYTES);
    return new Chunks(fileId, offset, seed, Bytes.take(in, in.remaining()), isLast);
  }
}
