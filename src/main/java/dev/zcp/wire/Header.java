package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The 24 bytes before every frame. Nothing in them is believed before the MAC that follows fits;
/// the type and the length are needed to read as far as that, so they are bounded at once.
///
/// @param length of the payload, without the MAC; of DATA, the raw bytes that follow the MAC, or
///   the zeros of a hole. At most what the type allows
/// @param fileId 0 if the type names no file
/// @param offset 0 if the type names no offset
public record Header(FrameType type, int flags, int length, long fileId, long offset) {

  /// Reads [Limits#HEADER_BYTES] bytes. Every bit of them is in what this returns.
  ///
  /// @param bytes must have as many, in any byte order
  /// @throws ProtocolException if no peer that keeps to zcp/1 sent them: they were damaged
  public static Header decode(ByteBuffer bytes) throws ProtocolException {
    byte[] copy = new byte[Limits.HEADER_BYTES];
    bytes.get(copy);
    ByteBuffer in = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    FrameType type = FrameType.ofCode(copy[0] & 0xff);
    int length = in.getInt(4);
    if (type == null || in.getShort(2) != 0 || length < 0 || length > type.lengthMax()) {
      throw ProtocolException.damaged("a frame's header is damaged");
    }
    return new Header(type, copy[1] & 0xff, length, in.getLong(8), in.getLong(16));
  }

  /// Writes [Limits#HEADER_BYTES] bytes.
  ///
  /// @param out little-endian
  void put(ByteBuffer out) {
    out.put((byte) type.code()).put((byte) flags).putShort((short) 0).putInt(length);
    out.putLong(fileId).putLong(offset);
  }

  /// Once the MAC fits.
  ///
  /// @throws IllegalArgumentException with the reason, if the type has no such header
  void require() {
    if ((flags & ~type.flags()) != 0) {
      throw new IllegalArgumentException("unknown flags 0x" + Integer.toHexString(flags));
    }
    if (length < type.lengthMin()) {
      throw new IllegalArgumentException("a length of " + length);
    }
    Limits.requireFileId(fileId);
    if (fileId != 0 && !type.namesBytes()) {
      throw new IllegalArgumentException("a file id, which belongs to no such frame");
    }
    if (offset < 0 || type == FrameType.DATA && offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("an offset of " + Long.toUnsignedString(offset));
    }
    if (offset != 0 && !type.namesBytes()) {
      throw new IllegalArgumentException("an offset, which belongs to no such frame");
    }
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /// How many bytes of the payload follow: none of DATA, whose raw bytes come after the MAC.
  int payloadBytes() {
    return type == FrameType.DATA ? 0 : length;
  }

  /// How many bytes to read for [FrameReader#frame]: the payload and the MAC.
  public int restBytes() {
    return payloadBytes() + Limits.MAC_BYTES;
  }
}
