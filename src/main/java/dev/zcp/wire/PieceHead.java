package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// What stands before each piece of a block or part that is compressed. The pieces follow each
/// other without gaps until their bytes are all of the block or part.
///
/// @param bytes how many bytes of the file or files it comes to, 1 to [Limits#PIECE_BYTES_MAX]
/// @param rawBytes how many follow on the wire: as many, and they are these bytes as they are; or
///   fewer, and they are one frame of zstd (RFC 8878)
public record PieceHead(int bytes, int rawBytes) {

  public static final int BYTES = 8;

  public PieceHead {
    if (!isHead(bytes, rawBytes)) {
      throw new IllegalArgumentException("a piece of " + bytes + " bytes as " + rawBytes);
    }
  }

  public boolean isPlain() {
    return rawBytes == bytes;
  }

  /// Writes [#BYTES] bytes.
  ///
  /// @param out in any byte order
  public void put(ByteBuffer out) {
    ByteOrder order = out.order();
    out.order(ByteOrder.LITTLE_ENDIAN).putInt(bytes).putInt(rawBytes).order(order);
  }

  /// Reads [#BYTES] bytes.
  ///
  /// @param in in any byte order
  /// @param left how many bytes of the block or part have not come yet
  /// @throws ProtocolException INTEGRITY if they are no such head: nothing on a plain connection
  ///   guards them
  public static PieceHead take(ByteBuffer in, long left) throws ProtocolException {
    ByteOrder order = in.order();
    in.order(ByteOrder.LITTLE_ENDIAN);
    int bytes = in.getInt();
    int rawBytes = in.getInt();
    in.order(order);
    if (bytes > left || !isHead(bytes, rawBytes)) {
      throw ProtocolException.damaged("the head of a compressed piece is damaged");
    }
    return new PieceHead(bytes, rawBytes);
  }

  private static boolean isHead(int bytes, int rawBytes) {
    return bytes >= 1 && bytes <= Limits.PIECE_BYTES_MAX && rawBytes >= 1 && rawBytes <= bytes;
  }
}
