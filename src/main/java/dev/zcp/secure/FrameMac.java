package dev.zcp.secure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;

/// Seals the messages of one direction of one connection: HMAC-SHA256 over the message's number and
/// the message, cut to 16 bytes, which is the least that RFC 2104, section 5, allows. One thread's
/// at a time.
///
/// The number is part of what is sealed and not of what is sent, so a message that is repeated,
/// left out or moved does not fit where it arrives.
public final class FrameMac {

  public static final int BYTES = 16;

  private final Hmac hmac;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  FrameMac(byte[] key) {
    hmac = new Hmac(key);
  }

  /// Reads `message` to its limit and writes [#BYTES] bytes to `mac`.
  ///
  /// @param sequence how many messages of this direction came before
  public void sign(long sequence, ByteBuffer message, ByteBuffer mac) {
    mac.put(code(sequence, message), 0, BYTES);
  }

  /// Reads `message` to its limit and [#BYTES] bytes of `mac`, and says whether they fit, in a time
  /// that does not depend on the bytes.
  public boolean verify(long sequence, ByteBuffer message, ByteBuffer mac) {
    byte[] claimed = new byte[BYTES];
    mac.get(claimed);
    return MessageDigest.isEqual(Arrays.copyOf(code(sequence, message), BYTES), claimed);
  }

  private byte[] code(long sequence, ByteBuffer message) {
    return hmac.update(number.clear().putLong(sequence).flip()).update(message).finish();
  }

  @Override
  public String toString() {
    return "FrameMac[redacted]";
  }
}
