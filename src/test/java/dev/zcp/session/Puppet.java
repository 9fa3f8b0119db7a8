package dev.zcp.session;

import dev.zcp.secure.FrameMac;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Nonce;
import dev.zcp.secure.SessionKeys;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameReader;
import dev.zcp.wire.FrameWriter;
import dev.zcp.wire.Header;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Octets;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// An end that has the key and says whatever a test makes it say, in any order.
final class Puppet implements Closeable {

  private static final int TYPE_META = 1;

  private final Socket socket;
  private final FrameMac own;
  private final FrameWriter writer;
  private final FrameReader reader;
  private long framesSaid;

  private Puppet(Socket socket, FrameMac own, FrameMac others) {
    this.socket = socket;
    this.own = own;
    this.writer = new FrameWriter((_, message, mac) -> own.sign(framesSaid++, message, mac));
    this.reader = new FrameReader(others::verify);
  }

  /// A sender that the receiver on `port` has let in.
  static Puppet sender(int port, Key key) throws IOException, ProtocolException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    byte[] mine =
        Hello.ofSender(
                Octets.of(Nonce.random(Hello.SESSION_ID_BYTES)), 0, Octets.of(Nonce.random()))
            .encode();
    socket.getOutputStream().write(mine);
    byte[] theirs = read(socket, Hello.BYTES);
    Handshake handshake = new Handshake(key, mine, theirs);
    socket.getOutputStream().write(handshake.senderProof());
    Welcome welcome = Welcome.decode(ByteBuffer.wrap(read(socket, Welcome.BYTES)));
    if (welcome.status() != Welcome.Status.ACCEPTED) {
      throw new IOException("turned away: " + welcome.status());
    }
    SessionKeys keys = handshake.sessionKeys();
    return new Puppet(socket, keys.sender(), keys.receiver());
  }

  /// A receiver that has let the sender behind `socket` in.
  static Puppet receiver(Socket socket, Key key) throws IOException, ProtocolException {
    socket.setSoTimeout(20_000);
    byte[] theirs = read(socket, Hello.BYTES);
    byte[] mine =
        Hello.decode(ByteBuffer.wrap(theirs), Side.SENDER)
            .answer(Octets.of(Nonce.random()))
            .encode();
    socket.getOutputStream().write(mine);
    Handshake handshake = new Handshake(key, theirs, mine);
    if (!handshake.isSenderProof(read(socket, Handshake.PROOF_BYTES))) {
      throw new IOException("the sender has another key");
    }
    socket.getOutputStream().write(Welcome.accepted(Octets.of(handshake.receiverProof())).encode());
    SessionKeys keys = handshake.sessionKeys();
    return new Puppet(socket, keys.receiver(), keys.sender());
  }

  Socket socket() {
    return socket;
  }

  /// Says a frame, rules or no rules; of DATA only the head.
  void say(Frame frame) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Limits.CONTROL_BYTES_MAX);
    writer.put(frame, bytes);
    bytes(bytes.array(), bytes.position());
  }

  /// Says raw bytes, of a block for instance.
  void bytes(byte[] bytes, int count) throws IOException {
    socket.getOutputStream().write(bytes, 0, count);
  }

  /// Announces a file by a payload that no [dev.zcp.wire.Meta] would hold, under a seal that fits.
  void meta(long fileId, long size, int mode, byte[] name) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(22 + name.length).order(ByteOrder.LITTLE_ENDIAN);
    payload.putLong(size).putLong(0).putInt(0).putShort((short) mode).put(name);
    control(TYPE_META, 0, fileId, 0, payload.array());
  }

  /// A control frame with any fields, whose check and seal fit.
  void control(int type, int flags, long fileId, long offset, byte[] payload) throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(Limits.HEADER_BYTES + payload.length + Limits.MAC_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    frame.put((byte) type).put((byte) flags).putShort((short) 0).putInt(payload.length);
    frame.putLong(fileId).putLong(offset).putInt(0);
    CRC32C check = new CRC32C();
    check.update(frame.array(), 0, Limits.HEADER_BYTES - 4);
    frame.putInt((int) check.getValue()).put(payload);
    own.sign(framesSaid++, frame.duplicate().flip(), frame);
    bytes(frame.array(), frame.position());
  }

  /// The other end's next frame; of DATA only the head.
  Frame hear() throws IOException, ProtocolException {
    Header header = Header.decode(ByteBuffer.wrap(read(socket, Limits.HEADER_BYTES)));
    return header.isData()
        ? header.data()
        : reader.control(header, ByteBuffer.wrap(read(socket, header.controlBytes())));
  }

  /// Takes raw bytes, of a block for instance.
  byte[] take(int count) throws IOException {
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
