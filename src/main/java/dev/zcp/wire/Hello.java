package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The first thing each end says; the dialler's comes first. It is not secret and proves nothing
/// yet.
///
/// A hello that was decoded may be of another version or want what this one has not; its fields
/// stand at the same places then. [#requireSupported] tells.
///
/// @param version what the end speaks
/// @param mode [#MODE]
/// @param side what the speaker does: the two ends must differ
/// @param capabilities what the peer must have too, a bit each: [#DISCARD] or none
/// @param sessionId of [#SESSION_ID_BYTES] bytes, chosen by the dialler, the same on each
///   connection of a session
/// @param connection the number of this connection in its session, 0 to 65535
/// @param willing what the peer may use if it likes to, a bit each: [#ZSTD] or none. Bits that are
///   unknown here mean nothing
/// @param room of a receiver; a sender says nothing of it
/// @param nonce of [#NONCE_BYTES] fresh random bytes
public record Hello(
    int version,
    int mode,
    Side side,
    int capabilities,
    Bytes sessionId,
    int connection,
    int willing,
    RoomThere room,
    Bytes nonce) {

  public static final int BYTES = 72;
  public static final int MAGIC_BYTES = 8;
  public static final int SESSION_ID_BYTES = 16;
  public static final int NONCE_BYTES = 32;

  public static final int VERSION = 1;

  /// The only one. Whether TLS carries all of this, no hello says: it would be too late to ask.
  public static final int MODE = 1;

  /// From a receiver: it throws away what it takes, and the sender must know that nothing was kept.
  /// From a sender: it sends to such a receiver only.
  public static final int DISCARD = 1;

  private static final int CAPABILITIES_KNOWN = DISCARD;

  /// From a receiver: it takes blocks and parts that are compressed.
  public static final int ZSTD = 1;

  /// As PNG's (RFC 2083, section 12.12): the first byte is none of text, HTTP, SSH or TLS, and CR
  /// LF, control-Z and LF are what a transfer in text mode would change.
  private static final byte[] MAGIC = {(byte) 0x89, 'z', 'c', 'p', '\r', '\n', 0x1a, '\n'};

  public Hello {
    sessionId.require(SESSION_ID_BYTES, "the session id");
    nonce.require(NONCE_BYTES, "the nonce");
    if (connection < 0 || connection > 0xffff) {
      throw new IllegalArgumentException("connection " + connection);
    }
  }

  public static Hello of(Side side, Bytes sessionId, int connection, Bytes nonce) {
    return new Hello(VERSION, MODE, side, 0, sessionId, connection, 0, RoomThere.UNSAID, nonce);
  }

  /// What the listener says to this hello, whatever its version and side.
  public Hello answer(Side listener, Bytes listenerNonce) {
    return of(listener, sessionId, connection, listenerNonce);
  }

  public Hello discarding() {
    return with(capabilities | DISCARD, willing, room);
  }

  public Hello takingCompressed() {
    return with(capabilities, willing | ZSTD, room);
  }

  public Hello having(RoomThere newRoom) {
    return with(capabilities, willing, newRoom);
  }

  private Hello with(int newCapabilities, int newWilling, RoomThere newRoom) {
    return new Hello(
        version, mode, side, newCapabilities, sessionId, connection, newWilling, newRoom, nonce);
  }

  public boolean isDiscarding() {
    return (capabilities & DISCARD) != 0;
  }

  public boolean takesCompressed() {
    return (willing & ZSTD) != 0;
  }

  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).putShort((short) version).put((byte) mode).put((byte) side.code());
    out.putInt(capabilities).put(sessionId.bytes()).putShort((short) connection);
    out.putInt(willing).put((byte) room.bytesBits()).put((byte) room.entriesBits());
    return out.put(nonce.bytes()).array();
  }

  /// Reads [#BYTES] bytes.
  ///
  /// @param bytes must have as many, in any byte order
  /// @throws ProtocolException if they are no hello
  public static Hello decode(ByteBuffer bytes) throws ProtocolException {
    checkMagic(bytes);
    byte[] copy = new byte[BYTES];
    bytes.get(copy);
    ByteBuffer in = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).position(MAGIC_BYTES);
    int version = in.getShort() & 0xffff;
    int mode = in.get() & 0xff;
    Side side = Side.ofCode(in.get() & 0xff);
    int capabilities = in.getInt();
    Bytes sessionId = Bytes.take(in, SESSION_ID_BYTES);
    int connection = in.getShort() & 0xffff;
    int willing = in.getInt();
    RoomThere room = new RoomThere(bits(in.get()), bits(in.get()));
    Bytes nonce = Bytes.take(in, NONCE_BYTES);
    return new Hello(
        version, mode, side, capabilities, sessionId, connection, willing, room, nonce);
  }

  private static int bits(byte said) {
    return Math.min(said & 0xff, RoomThere.BITS_MAX);
  }

  /// Looks at the first bytes of a peer, which stay unread, and says whether they can begin a
  /// hello: for a peer that says less than one and closes.
  ///
  /// @throws ProtocolException if they cannot, naming what the peer seems to be
  public static void checkMagic(ByteBuffer bytes) throws ProtocolException {
    int count = Math.min(MAGIC_BYTES, bytes.remaining());
    for (int i = 0; i < count; i++) {
      if (bytes.get(bytes.position() + i) != MAGIC[i]) {
        throw new ProtocolException("the peer speaks " + guess(bytes));
      }
    }
  }

  /// @param self what the end does that heard this
  /// @throws ProtocolException if it cannot go on with the end that said this
  public void requireSupported(Side self) throws ProtocolException {
    if (side == self) {
      throw new ProtocolException("the peer is a " + side + ", too");
    }
    if (version != VERSION) {
      throw new ProtocolException(
          "the peer speaks zcp/" + version + ", and this is zcp/" + VERSION);
    }
    if (mode != MODE) {
      throw new ProtocolException("the peer wants mode " + mode + ", which zcp/1 has not");
    }
    int unknown = capabilities & ~CAPABILITIES_KNOWN;
    if (unknown != 0) {
      throw new ProtocolException(
          "the peer needs capabilities that are unknown here: 0x" + Integer.toHexString(unknown));
    }
  }

  /// @throws ProtocolException if `answer` is not a listener's answer to this hello
  public void requireAnswer(Hello answer) throws ProtocolException {
    answer.requireSupported(side);
    if (!answer.sessionId.equals(sessionId) || answer.connection != connection) {
      throw new ProtocolException("the peer answers to another session");
    }
  }

  private static String guess(ByteBuffer bytes) {
    byte[] start = new byte[Math.min(MAGIC_BYTES, bytes.remaining())];
    bytes.get(bytes.position(), start);
    // A TLS record: handshake (22) or alert (21), then major version 3 (RFC 8446, section 5.1).
    if (start.length > 1 && (start[0] == 0x16 || start[0] == 0x15) && start[1] == 3) {
      return "TLS, which this end does not ask for (if it is a zcp, add --tls or use the URL that"
          + " it printed)";
    }
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (text.startsWith("SSH-")) {
      return "SSH, not zcp";
    }
    boolean http =
        text.startsWith("HTTP/")
            || text.startsWith("GET ")
            || text.startsWith("HEAD ")
            || text.startsWith("POST ")
            || text.startsWith("PUT ")
            || text.startsWith("OPTIONS ");
    return http ? "HTTP, not zcp" : "something else, not zcp";
  }
}
