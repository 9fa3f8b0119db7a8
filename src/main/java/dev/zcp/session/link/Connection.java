package dev.zcp.session.link;

import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.secure.FrameMac;
import dev.zcp.secure.SessionKeys;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Course;
import dev.zcp.wire.Data;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameReader;
import dev.zcp.wire.FrameWriter;
import dev.zcp.wire.Header;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Side;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Frames over one socket whose peer has proved the key. One thread reads, and any thread may say
/// something; the bytes of a block keep the others waiting.
public final class Connection implements Closeable {

  /// Most frames are shorter; a longer one makes the buffer as long as its header says.
  private static final int INCOMING_BYTES = 2 << 10;

  /// What is written at once: a call returns when all of it is with the kernel, and until then a
  /// slow way cannot be told from one that is stuck.
  private static final int PIECE_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final Side self;
  private final ChannelEnd end;
  private final Pulse pulse;

  private final ReentrantLock output = new ReentrantLock();

  private final FrameWriter writer;

  /// What this end has said; guarded by `output`.
  private Course said = Course.OPEN;

  private final FrameReader reader;
  private ByteBuffer incoming = ByteBuffer.allocate(INCOMING_BYTES);
  private Course heard = Course.OPEN;

  /// Raw bytes that were announced.
  private volatile long promisedBytes;

  /// What beats tell the peer.
  private final AtomicLong beatBytes = new AtomicLong();

  public Connection(
      SocketChannel channel, Pulse pulse, Side self, SessionKeys keys, long stallTimeoutNs) {
    this.channel = channel;
    this.self = self;
    this.end = ChannelEnd.socket(channel);
    this.pulse = pulse;
    FrameMac own = self == Side.SENDER ? keys.sender() : keys.receiver();
    FrameMac others = self == Side.SENDER ? keys.receiver() : keys.sender();
    this.writer = new FrameWriter(own::sign);
    this.reader = new FrameReader(others::verify);
    pulse.settle(stallTimeoutNs, this::beat);
  }

  /// The socket, for the bytes of a block.
  public ChannelEnd end() {
    return end;
  }

  public Pulse pulse() {
    return pulse;
  }

  /// Whether the peer has a loopback address, so that the bytes stay in this machine's memory.
  public boolean isLoopback() {
    InetAddress peer = channel.socket().getInetAddress();
    return peer != null && peer.isLoopbackAddress();
  }

  /// Counts bytes of a block that went by.
  public void moved(long bytes) {
    beatBytes.addAndGet(bytes);
    pulse.progress();
  }

  /// Raw bytes of the blocks and batches that this end has sent, or has begun to.
  public long promisedBytes() {
    return promisedBytes;
  }

  /// Counts bytes that this end has dealt with once more, as when it reads again what it wrote: the
  /// peer is to know that it does not wait in vain.
  public void worked(long bytes) {
    beatBytes.addAndGet(bytes);
  }

  /// Says `frame`, which is not DATA.
  public void send(Frame frame) throws IOException {
    output.lock();
    try {
      put(frame);
    } finally {
      output.unlock();
    }
  }

  /// What moves the bytes of a block once its head is out.
  @FunctionalInterface
  public interface Body<X extends Exception> {
    void move() throws IOException, TransferException, X;
  }

  /// Says the head of a block and lets `body` move exactly as many bytes as it promises.
  public <X extends Exception> void sendBlock(Data head, Body<X> body)
      throws IOException, TransferException, X {
    output.lock();
    try {
      promisedBytes += head.block().length();
      put(head);
      body.move();
    } finally {
      output.unlock();
    }
  }

  /// Says a batch with its raw bytes, which begin in the same call as the frame.
  ///
  /// @param raw exactly as many bytes as `head` promises
  public void sendBatch(Batch head, ByteBuffer raw) throws IOException {
    output.lock();
    try {
      takeCourse(head);
      int bytes = raw.remaining();
      promisedBytes += bytes;
      ByteBuffer[] all = {writer.encode(head), raw};
      int end = raw.limit();
      try {
        while (all[0].hasRemaining() || raw.position() < end) {
          raw.limit(Math.min(end, raw.position() + PIECE_BYTES));
          pulse.beginSaying();
          channel.write(all);
        }
      } finally {
        pulse.endSaying();
      }
      moved(bytes);
    } finally {
      output.unlock();
    }
  }

  /// Waits for the peer's next frame. Raw bytes after it stay in the socket.
  ///
  /// @throws EOFException if the peer closed the connection
  /// @throws ProtocolException if the frame is none, or may not come now
  public Frame receive() throws IOException, ProtocolException {
    Header header = Header.decode(read(Limits.HEADER_BYTES));
    Frame frame = reader.frame(header, read(header.restBytes()));
    heard = heard.after(self.other(), frame.type());
    return frame;
  }

  /// This end has said all: the peer reads the end of the connection after it, and has a last while
  /// to end its own part.
  public void farewell() throws IOException {
    pulse.hurry(Limits.HANDSHAKE_DEADLINE_NS);
    channel.shutdownOutput();
  }

  /// Swallows what the peer still sends until it has said all, so that what was said to it is not
  /// lost in a reset: closing a socket with unread bytes discards what it had sent.
  public void drain() throws IOException {
    ByteBuffer waste = ByteBuffer.allocateDirect(64 << 10);
    while (channel.read(waste.clear()) >= 0) {
      // What arrives now belongs to nothing.
    }
  }

  /// Ends the connection from any thread, without closing it: whoever reads from it or writes to it
  /// learns that it is over.
  public void cut() {
    try {
      channel.shutdownInput();
      channel.shutdownOutput();
    } catch (IOException e) {
      // It is over already.
    }
  }

  @Override
  public void close() throws IOException {
    pulse.close();
    channel.close();
  }

  /// Never waits: where something is being said just now, that is sign of life enough.
  private void beat() {
    if (!output.tryLock()) {
      return;
    }
    try {
      if (said != Course.ENDED) {
        put(new Beat(beatBytes.get()));
      }
    } catch (IOException e) {
      // The connection is over. Whoever reads or writes next will know, and the watch goes on until
      // somebody does.
    } finally {
      output.unlock();
    }
  }

  private void put(Frame frame) throws IOException {
    takeCourse(frame);
    ByteBuffer bytes = writer.encode(frame);
    int end = bytes.limit();
    try {
      while (bytes.position() < end) {
        bytes.limit(Math.min(end, bytes.position() + PIECE_BYTES));
        pulse.beginSaying();
        channel.write(bytes);
      }
    } finally {
      pulse.endSaying();
    }
  }

  private void takeCourse(Frame frame) {
    try {
      said = said.after(self, frame.type());
    } catch (ProtocolException e) {
      throw new IllegalStateException("about to break the protocol: " + e.getMessage(), e);
    }
  }

  private ByteBuffer read(int count) throws IOException {
    if (incoming.capacity() < count) {
      incoming = ByteBuffer.allocate(count);
    }
    incoming.clear().limit(count);
    while (incoming.hasRemaining()) {
      if (channel.read(incoming) < 0) {
        throw new EOFException("the peer closed the connection");
      }
      if (self == Side.RECEIVER) {
        // A sender asks what was said: a beat alone is no progress there.
        pulse.progress();
      }
    }
    return incoming.flip();
  }
}
