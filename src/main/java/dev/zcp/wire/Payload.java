package dev.zcp.wire;

import java.nio.ByteBuffer;

/// What stands between the header and the MAC of a control frame, both ways. Every buffer here is
/// little-endian.
///
/// Whoever reads may trust the payload's length, since a [Header] bounds it for its type; all else
/// is checked by the frame that it becomes, or here.
final class Payload {

  private Payload() {}

  /// Writes the header of `frame`, and its payload where it has one.
  static void put(Frame frame, ByteBuffer out) {
    throw new UnsupportedOperationException();
  }

  /// Reads `payload`, which has exactly [Header#length] bytes.
  ///
  /// @throws IllegalArgumentException with the reason, where they are no payload of this type
  static Frame parse(Header header, ByteBuffer payload) {
    throw new UnsupportedOperationException();
  }
}
