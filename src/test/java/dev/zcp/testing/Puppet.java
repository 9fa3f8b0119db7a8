package dev.zcp.testing;

import dev.zcp.secure.FrameMac;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Randomness;
import dev.zcp.secure.SessionKeys;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameReader;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.FrameWriter;
import dev.zcp.wire.Header;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Side;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/// An end that has the key and says whatever a test makes it say, in any order. One connection of a
/// session; more of them make more.
public final class Puppet implements Closeable {

  private static final int PATIENCE_MS = 20_000;
  private static final int RECEIVE_BUFFER_BYTES = 16 << 10;

  private final Socket socket;
  private final Bytes sessionId;
  private final FrameMac own;
  private final FrameWriter writer;
  private final FrameReader reader;
  private long framesSaid;

  private Puppet(Socket socket, Bytes sessionId, SessionKeys keys) {
    this.socket = socket;
    this.sessionId = sessionId;
    this.own = keys.own();
    this.writer = new FrameWriter((_, message, mac) -> own.sign(framesSaid++, message, mac));
    this.reader = new FrameReader(keys.others()::verify);
  }

  /// The listener did not let a dialler in.
  public static final class TurnedAway extends IOException {

    private static final long serialVersionUID = 1L;

    private final Welcome status;

    private TurnedAway(Welcome status) {
      super("turned away: " + status);
      this.status = status;
    }

    public Welcome status() {
      return status;
    }
  }

  /// A sender with a new session, which the receiver on `port` has let in.
  public static Puppet sender(int port, Key key) throws IOException, ProtocolException {
    return sender(port, key, Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES)), 0);
  }

  /// A connection of a session, which the receiver on `port` has let in.
  ///
  /// @throws TurnedAway where it has not
  public static Puppet sender(int port, Key key, Bytes sessionId, int connection)
      throws IOException, ProtocolException {
    return dialling(port, Side.SENDER, key, sessionId, connection);
  }

  /// A connection of a receiver's session, which the sender on `port` has let in.
  ///
  /// @throws TurnedAway where it has not
  public static Puppet diallingReceiver(int port, Key key) throws IOException, ProtocolException {
    Bytes sessionId = Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES));
    return dialling(port, Side.RECEIVER, key, sessionId, 0);
  }

  private static Puppet dialling(int port, Side self, Key key, Bytes sessionId, int connection)
      throws IOException, ProtocolException {
    Socket socket = new Socket();
    try {
      // A peer that does not listen fills so little before it has to wait: a test waits less.
      socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return greet(socket, self, key, sessionId, connection);
    } catch (IOException | ProtocolException e) {
      socket.close();
      throw e;
    }
  }

  private static Handshake handshake(Key key, Side dialler, byte[] dialled, byte[] listened) {
    return new Handshake(
        key, dialler.toString(), dialled, dialler.other().toString(), listened, new byte[0]);
  }

  private static Bytes nonce() {
    return Bytes.of(Randomness.bytes(Hello.NONCE_BYTES));
  }

  private static Puppet greet(Socket socket, Side self, Key key, Bytes sessionId, int connection)
      throws IOException, ProtocolException {
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    byte[] mine = Hello.of(self, sessionId, connection, nonce()).encode();
    socket.getOutputStream().write(mine);
    byte[] theirs = read(socket, Hello.BYTES);
    read(socket, Handshake.PROOF_BYTES);
    Handshake handshake = handshake(key, self, mine, theirs);
    socket.getOutputStream().write(handshake.diallerProof());
    Welcome welcome = Welcome.decode(ByteBuffer.wrap(read(socket, Welcome.BYTES)));
    if (welcome != Welcome.ACCEPTED) {
      throw new TurnedAway(welcome);
    }
    return new Puppet(socket, sessionId, handshake.diallerKeys());
  }

  /// A receiver that has let the sender behind `socket` in.
  public static Puppet receiver(Socket socket, Key key) throws IOException, ProtocolException {
    return receiver(socket, key, Welcome.ACCEPTED);
  }

  /// A receiver whose word to the sender behind `socket`, whose key is right, is `status`.
  public static Puppet receiver(Socket socket, Key key, Welcome status)
      throws IOException, ProtocolException {
    socket.setSoTimeout(PATIENCE_MS);
    byte[] theirs = read(socket, Hello.BYTES);
    Hello hello = Hello.decode(ByteBuffer.wrap(theirs));
    byte[] mine = hello.answer(Side.RECEIVER, nonce()).encode();
    socket.getOutputStream().write(mine);
    Handshake handshake = handshake(key, Side.SENDER, theirs, mine);
    socket.getOutputStream().write(handshake.listenerProof());
    if (!handshake.isDiallerProof(read(socket, Handshake.PROOF_BYTES))) {
      throw new IOException("the sender has another key");
    }
    socket.getOutputStream().write(status.encode());
    return new Puppet(socket, hello.sessionId(), handshake.listenerKeys());
  }

  public Socket socket() {
    return socket;
  }

  /// The id of the session that this is a connection of.
  public Bytes sessionId() {
    return sessionId;
  }

  /// Says a frame, rules or no rules; of DATA only the head, of PART only the list.
  public void say(Frame frame) throws IOException {
    ByteBuffer bytes = writer.encode(frame);
    bytes(bytes.array(), bytes.remaining());
  }

  /// Says raw bytes, of a block for instance.
  public void bytes(byte[] bytes, int count) throws IOException {
    socket.getOutputStream().write(bytes, 0, count);
  }

  /// Says a whole block, its head and its trailer.
  public void block(Data head, byte[] bytes, Trailer trailer) throws IOException {
    say(head);
    bytes(bytes, bytes.length);
    say(trailer);
  }

  /// Says a frame whose payload `bend` made one that no frame has, under a MAC that fits.
  public void sayBent(Frame frame, Consumer<byte[]> bend) throws IOException {
    ByteBuffer good =
        new FrameWriter((_, _, mac) -> mac.put(new byte[Limits.MAC_BYTES])).encode(frame);
    ByteBuffer header = good.order(ByteOrder.LITTLE_ENDIAN);
    byte[] payload = new byte[header.getInt(4)];
    good.get(Limits.HEADER_BYTES, payload);
    bend.accept(payload);
    control(good.get(0), good.get(1), header.getLong(8), header.getLong(16), payload);
  }

  /// A frame with any fields, whose MAC fits.
  public void control(int type, int flags, long fileId, long offset, byte[] payload)
      throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(Limits.HEADER_BYTES + payload.length + Limits.MAC_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    frame.put((byte) type).put((byte) flags).putShort((short) 0).putInt(payload.length);
    frame.putLong(fileId).putLong(offset).put(payload);
    own.sign(framesSaid++, frame.duplicate().flip(), frame);
    bytes(frame.array(), frame.position());
  }

  /// The other end's next frame but for beats; of DATA only the head, of PART only the list.
  public Frame hear() throws IOException, ProtocolException {
    Frame frame = hearAny();
    while (frame instanceof Beat) {
      frame = hearAny();
    }
    return frame;
  }

  /// The other end's next frame, which may be a beat.
  public Frame hearAny() throws IOException, ProtocolException {
    Header header = Header.decode(ByteBuffer.wrap(read(socket, Limits.HEADER_BYTES)));
    return reader.frame(header, ByteBuffer.wrap(read(socket, header.restBytes())));
  }

  /// The other end's next frame of this type; others before it are dropped. Raw bytes must not be
  /// among them.
  public Frame hearUntil(FrameType type) throws IOException, ProtocolException {
    Frame frame = hear();
    while (frame.type() != type) {
      frame = hear();
    }
    return frame;
  }

  /// Takes raw bytes, of a block for instance.
  public byte[] take(int count) throws IOException {
    return read(socket, count);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static byte[] read(Socket socket, int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the other end closed the connection");
    }
    return bytes;
  }
}
