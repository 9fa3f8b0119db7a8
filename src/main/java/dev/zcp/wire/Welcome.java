package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import java.nio.ByteBuffer;

/// The listener's word on the dialler's proof, one byte, which ends the handshake.
///
/// A refusal is not authenticated: whoever can forge one could cut the connection as well.
public enum Welcome {
  /// The dialler has proved the key.
  ACCEPTED,
  /// The dialler's proof is of another key.
  BAD_KEY,
  /// The key is right, and the listener serves others.
  BUSY,
  /// The listener does not have the dialler's version, mode or capabilities.
  UNSUPPORTED,
  /// The key is right, and the session that this connection would join is not there, or no more.
  NO_SESSION;

  public static final int BYTES = 1;

  private static final Welcome[] ALL = values();

  /// @param listener the role of the end that said this
  /// @throws ProtocolException if it lets nobody in, with the exit code that says why
  public void requireAccepted(Side listener) throws ProtocolException {
    switch (this) {
      case ACCEPTED -> {}
      case BAD_KEY ->
          throw ProtocolException.refused(
              ExitCode.AUTHENTICATION, "the " + listener + " has another key");
      case BUSY ->
          throw ProtocolException.refused(
              ExitCode.EXISTS, "the " + listener + " serves another " + listener.other());
      case UNSUPPORTED -> throw new ProtocolException("the " + listener + " is of another version");
      case NO_SESSION ->
          throw new ProtocolException("the " + listener + " will not begin a session");
    }
  }

  public byte[] encode() {
    return new byte[] {(byte) ordinal()};
  }

  /// Reads [#BYTES] bytes.
  ///
  /// @param bytes must have as many
  /// @throws ProtocolException if they are no welcome
  public static Welcome decode(ByteBuffer bytes) throws ProtocolException {
    int status = bytes.get() & 0xff;
    if (status >= ALL.length) {
      throw new ProtocolException("unknown status " + status + " in the welcome");
    }
    return ALL[status];
  }
}
