package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Bytes of one frame, and frames of bytes, for tests of what the seal is not about.
final class Wire {

  /// A seal that fits everything.
  static final FrameWriter.Signer NO_SIGNER =
      (sequence, message, mac) -> mac.put(new byte[Limits.MAC_BYTES]);

  static final FrameReader.Verifier NO_VERIFIER = (sequence, message, mac) -> true;

  private Wire() {}

  /// The whole of a frame, but for raw bytes after it.
  static byte[] bytes(Frame frame) {
    return bytes(frame, new FrameWriter(NO_SIGNER));
  }

  static byte[] bytes(Frame frame, FrameWriter writer) {
    ByteBuffer encoded = writer.encode(frame);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  /// A regular file without anything special.
  static Offered file(long fileId, String path, long size) {
    return entry(fileId, EntryKind.FILE, path, size, List.of());
  }

  static Offered entry(
      long fileId, EntryKind kind, String path, long size, List<ExtendedAttribute> attributes) {
    Bytes content = octets(kind == EntryKind.LINK ? "there" : "");
    return new Offered(
        fileId,
        kind,
        path(path),
        size,
        metadata(attributes),
        Bytes.of(new byte[Limits.IDENTITY_BYTES]),
        content,
        0);
  }

  static Attire metadata(List<ExtendedAttribute> attributes) {
    Timestamp moment = new Timestamp(1_700_000_000L, 5);
    return new Attire(0644, 1000, 1000, moment, moment, 0, attributes);
  }

  static EntryPath path(String path) {
    return EntryPath.of(path.getBytes(StandardCharsets.UTF_8));
  }

  static Bytes octets(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static Frame frame(byte[] bytes) throws ProtocolException {
    return frame(bytes, new FrameReader(NO_VERIFIER));
  }

  static Frame frame(byte[] bytes, FrameReader reader) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    Header header = Header.decode(in);
    return reader.frame(header, in);
  }

  /// The header with these fields.
  static byte[] header(int type, int flags, int reserved, int length, long fileId, long offset) {
    ByteBuffer out = ByteBuffer.allocate(Limits.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) type).put((byte) flags).putShort((short) reserved).putInt(length);
    out.putLong(fileId).putLong(offset);
    return out.array();
  }
}
