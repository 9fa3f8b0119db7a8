package dev.zcp.carrier;

import dev.zcp.core.Network;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.ProtocolException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// Carries bytes in order between this process and its peer: a socket, TLS over one, or the two
/// pipes of an ssh. It knows no frames, keys or time-outs.
///
/// At most one thread may read and one may write at a time. They may wait for ever: [#cut] frees
/// them.
public interface Carrier extends Closeable {

  /// The most bytes that can be written at once without waiting if [#isWritable] says so. A pipe
  /// has PIPE_BUF free then, which is more, and a socket a third of its buffer, which has 4.5 KiB
  /// at least.
  int SHORT_BYTES = 1024;

  /// Does what must come before the first byte, such as the handshake of TLS. To be called first,
  /// by one thread. It may wait for the peer, so somebody must see to a deadline.
  ///
  /// @return bytes that both ends of this carrier have, and that nobody has who carries between
  ///   them by carriers of his own; none if there is no such thing
  /// @throws ProtocolException if the peer does not speak what this carrier speaks
  default byte[] establish() throws IOException, ProtocolException {
    return new byte[0];
  }

  /// What the peer sends. If it shows a descriptor, the kernel may move bytes from there. Closing
  /// it must do nothing.
  Source source();

  /// What goes to the peer, as [#source].
  Sink sink();

  /// Writes bytes of these buffers, in their order: at least one, if there is any.
  void write(ByteBuffer... bytes) throws IOException;

  /// Writes all bytes of these buffers.
  default void writeAll(ByteBuffer... bytes) throws IOException {
    for (ByteBuffer each : bytes) {
      while (each.hasRemaining()) {
        write(bytes);
      }
    }
  }

  /// Whether [#SHORT_BYTES] can be written now without waiting for the peer; also true if the write
  /// would fail at once. Whoever may not write can ask, too. False if that cannot be known.
  boolean isWritable();

  /// Whether the peer has sent something, or ended, and nobody has read that yet. Any thread may
  /// ask. False if that cannot be known.
  boolean isReadable();

  /// Whether nobody on the way can change the bytes, since they stay in this machine's memory, or
  /// ssh protects them.
  boolean isLocal();

  /// Whether nobody on the way can change bytes unseen.
  default boolean isTamperProof() {
    return isLocal();
  }

  /// Whether TLS carries the bytes, so that they are copied through memory for it.
  default boolean isEncrypted() {
    return sink().traits().encrypted();
  }

  /// What encrypts the bytes; empty if nothing does.
  default String encryptedBy() {
    return isEncrypted() ? "TLS 1.3" : "";
  }

  /// Whether its keys have protected as many bytes as they should, so that more is to go by another
  /// carrier.
  default boolean isSpent() {
    return false;
  }

  /// Whether the session ends with this carrier, as it does with the pipes of an ssh that started
  /// the other end. Bytes of files then go by other carriers as long as there are any.
  default boolean isControl() {
    return false;
  }

  /// The other end, as messages name it.
  String peer();

  /// Where the other end is; null if it has no address.
  InetAddress address();

  /// The kernel's buffer on the way that files take.
  SocketBuffer buffer() throws IOException;

  /// What the kernel has counted of what was sent; [Network#NONE] if it tells nothing. Never waits.
  default Network network() {
    return Network.NONE;
  }

  /// Says that nothing more will be written: the peer reads the end after what came before.
  void endOutput() throws IOException;

  /// Ends both directions, from any thread, and never waits: whoever reads or writes learns that it
  /// is over. Descriptors must stay open until [#close], since their numbers may be another file's
  /// as soon as they are closed.
  void cut();

  /// As [#cut]; and the peer is to see a connection that broke, and no end in good order, so that
  /// it connects anew.
  default void breakOff() {
    cut();
  }

  /// Must be called only once no thread reads or writes any more.
  @Override
  void close() throws IOException;
}
