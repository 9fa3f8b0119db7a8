package dev.zcp.session.send;

import dev.zcp.carrier.Carrier;
import dev.zcp.testing.FrameSpotter;
import dev.zcp.wire.FrameType;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Somebody on the path of a connection who changes a file on its way, once, and knows how to keep
/// the CRC32C of its bytes.
final class SteeringProxy {

  private static final int PIECE_BYTES = 16 << 10;

  /// The generator polynomial of CRC32C, lowest byte first: bytes that differ by it have the same
  /// CRC32C, since CRCs are linear.
  static final byte[] PATTERN = {(byte) 0xf1, 0x76, (byte) 0xec, 0x05, 0x01};

  /// Into the raw bytes.
  private static final int OFFSET = 10;

  private final FrameType type;
  private final FrameSpotter spotter = FrameSpotter.ofSender();
  private volatile int steered;

  /// @param type after the first frame of which the change goes
  SteeringProxy(FrameType type) {
    this.type = type;
  }

  boolean hasSteered() {
    return steered == PATTERN.length;
  }

  /// Stands between the two from now on.
  void join(Carrier towardsSender, Carrier towardsReceiver) {
    Thread.ofPlatform().daemon().start(() -> pass(towardsSender, towardsReceiver, true));
    Thread.ofPlatform().daemon().start(() -> pass(towardsReceiver, towardsSender, false));
  }

  private void pass(Carrier from, Carrier to, boolean isSenders) {
    byte[] bytes = new byte[PIECE_BYTES];
    long position = 0;
    try {
      int count = from.source().read(ByteBuffer.wrap(bytes), 0);
      while (count >= 0) {
        if (isSenders) {
          spotter.see(bytes, count);
          steer(bytes, position, count);
        }
        position += count;
        ByteBuffer said = ByteBuffer.wrap(bytes, 0, count);
        while (said.hasRemaining()) {
          to.write(said);
        }
        count = from.source().read(ByteBuffer.wrap(bytes), 0);
      }
      to.endOutput();
    } catch (IOException e) {
      to.cut();
      from.cut();
    }
  }

  private void steer(byte[] bytes, long position, int count) {
    long raw = spotter.firstRaw(type);
    while (raw >= 0 && !hasSteered()) {
      long at = raw + OFFSET + steered - position;
      if (at >= count) {
        return;
      }
      bytes[(int) at] ^= PATTERN[steered];
      steered++;
    }
  }
}
