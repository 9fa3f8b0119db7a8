package dev.zcp.wire;

import dev.zcp.core.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The 32 bytes before every frame, checked: the type is known, the flags are the type's, the
/// length is within its limits. Only a length that stands in a header like this may be allocated or
/// read.
///
/// @param length of what follows: the payload of a control frame without its MAC, the raw bytes of
///   DATA
/// @param fileId 0 if the type names no file
/// @param offset 0 if the type names no offset
public record Header(FrameType type, int flags, int length, long fileId, long offset) {

  private static final int CHECKED_BYTES = Limits.HEADER_BYTES - 4;

  public Header {
    if ((flags & ~type.flags()) != 0) {
      throw new IllegalArgumentException("unknown flags 0x" + Integer.toHexString(flags));
    }
    if (length < type.lengthMin() || length > type.lengthMax()) {
      throw new IllegalArgumentException("a length of " + Integer.toUnsignedString(length));
    }
    Limits.requireFileId(fileId);
    if (fileId != 0 && !type.namesFile()) {
      throw new IllegalArgumentException("a file id, which belongs to no such frame");
    }
    if (offset < 0 || type == FrameType.DATA && offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("an offset of " + Long.toUnsignedString(offset));
    }
    if (offset != 0 && !type.namesOffset()) {
      throw new IllegalArgumentException("an offset, which belongs to no such frame");
    }
  }

  /// Reads [Limits#HEADER_BYTES] bytes.
  ///
  /// @param bytes must have as many, in any byte order
  /// @throws ProtocolException if they are no header of zcp/1
  public static Header decode(ByteBuffer bytes) throws ProtocolException {
    byte[] copy = new byte[Limits.HEADER_BYTES];
    bytes.get(copy);
    ByteBuffer in = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(CHECKED_BYTES) != check(copy)) {
      throw ProtocolException.damaged("a frame's header is damaged: its check does not fit");
    }
    if (in.getShort(2) != 0 || in.getInt(24) != 0) {
      throw new ProtocolException("a frame's header has reserved bits set");
    }
    FrameType type = null;
    try {
      type = FrameType.ofCode(copy[0] & 0xff);
      return new Header(type, copy[1] & 0xff, in.getInt(4), in.getLong(8), in.getLong(16));
    } catch (IllegalArgumentException e) {
      throw new ProtocolException((type == null ? "" : type + ": ") + e.getMessage());
    }
  }

  /// Writes [Limits#HEADER_BYTES] bytes.
  ///
  /// @param out little-endian and backed by an array, like those of [FrameWriter]
  void put(ByteBuffer out) {
    int start = out.position();
    out.put((byte) type.code()).put((byte) flags).putShort((short) 0).putInt(length);
    out.putLong(fileId).putLong(offset).putInt(0);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), out.arrayOffset() + start, CHECKED_BYTES);
    out.putInt((int) crc.getValue());
  }

  public boolean isData() {
    return type == FrameType.DATA;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /// How many bytes to read for [FrameReader#control]: the payload and its MAC.
  ///
  /// @throws IllegalStateException for DATA, whose bytes are not read into memory
  public int controlBytes() {
    if (isData()) {
      throw new IllegalStateException("DATA is no control frame");
    }
    return length + Limits.MAC_BYTES;
  }

  /// The block whose bytes follow.
  ///
  /// @throws IllegalStateException for all but DATA
  public Data data() {
    if (!isData()) {
      throw new IllegalStateException(type + " is not DATA");
    }
    return new Data(fileId, new Span(offset, length));
  }

  private static int check(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CHECKED_BYTES);
    return (int) crc.getValue();
  }
}
