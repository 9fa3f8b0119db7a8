package dev.zcp.carrier;

import dev.zcp.core.Network;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.secure.SessionKeys;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Beat;
import dev.zcp.wire.ConnectionPhase;
import dev.zcp.wire.Data;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameReader;
import dev.zcp.wire.FrameWriter;
import dev.zcp.wire.Header;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Side;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Frames over one carrier whose peer has proved the key. The dialler of a session's first
/// connection need not wait for the listener's welcome: it is read before the first frame. One
/// thread reads and one writes.
///
/// Short frames are gathered in an outbox until it is full, or [flushed][#flush], or a block goes
/// out. The [PeerTimeout] adds a beat to it and flushes it, but only while nobody is writing and
/// the carrier takes the bytes at once: so a beat waits neither for the peer nor for a disk that
/// the writer reads.
public final class Connection implements Closeable {

  /// How much may be read ahead. The bytes of a block are to stay with the carrier, so that the
  /// kernel may move them.
  private static final int AHEAD_BYTES = 4 << 10;

  private static final int OUTBOX_BYTES = 4 << 10;

  /// What comes after a block if another one follows: a trailer and the next head, and no byte of
  /// that block.
  private static final int TRAILER_AND_HEAD_BYTES =
      2 * (Limits.HEADER_BYTES + Limits.MAC_BYTES) + Trailer.PAYLOAD_BYTES;

  /// What is written at once: a call returns when all of it is with the kernel, and until then a
  /// slow way cannot be told from one that is stuck.
  private static final int PIECE_BYTES = 64 << 10;

  private final Carrier carrier;
  private final Side self;
  private final PeerTimeout timeout;

  /// Held by the writer while it writes, and by the [PeerTimeout] for a beat.
  private final ReentrantLock output = new ReentrantLock();

  private final FrameWriter writer;
  private final ByteBuffer outbox = ByteBuffer.allocateDirect(OUTBOX_BYTES);

  /// What this end has said; guarded by `output`.
  private ConnectionPhase said = ConnectionPhase.OPEN;

  private final FrameReader reader;

  /// What was read and not yet taken.
  private ByteBuffer incoming = ByteBuffer.allocate(AHEAD_BYTES).limit(0);

  private ConnectionPhase heard = ConnectionPhase.OPEN;

  /// Whether the listener's welcome is to be read yet, before its first frame.
  private boolean isWelcomeDue;

  private boolean takesCompressed;
  private RoomThere room = RoomThere.UNSAID;

  /// How many bytes may be read if the next frame needs fewer.
  private int aheadBytes = AHEAD_BYTES;

  private final AtomicLong movedBytes = new AtomicLong();

  /// Null at an end whose peer need not know.
  private volatile BooleanSupplier isAtWork;

  /// How many beats said that this end was at work; guarded by `output`.
  private long beatsAtWork;

  public Connection(
      Carrier carrier, PeerTimeout timeout, Side self, SessionKeys keys, long stallTimeoutNs) {
    this.carrier = carrier;
    this.self = self;
    this.timeout = timeout;
    this.writer = new FrameWriter(keys.own()::sign);
    this.reader = new FrameReader(keys.others()::verify);
    timeout.settle(stallTimeoutNs, this::beat);
  }

  /// Where the bytes of a block come from, behind those that were read [ahead][#takeAhead].
  public Source source() {
    return carrier.source();
  }

  /// Where the bytes of a block go.
  public Sink sink() {
    return carrier.sink();
  }

  public PeerTimeout timeout() {
    return timeout;
  }

  public boolean isLocal() {
    return carrier.isLocal();
  }

  public boolean isTamperProof() {
    return carrier.isTamperProof();
  }

  public boolean isEncrypted() {
    return carrier.isEncrypted();
  }

  /// Whether more is to go by another connection: [Carrier#isSpent].
  public boolean isSpent() {
    return carrier.isSpent();
  }

  /// Whether the session ends with this connection: [Carrier#isControl].
  public boolean isControl() {
    return carrier.isControl();
  }

  /// What the kernel has counted of what was sent. On one machine it says nothing of a network.
  public Network network() {
    // Asked in any case: so its classes are in the AOT cache, whose training is on one machine.
    Network network = carrier.network();
    return carrier.isLocal() ? Network.NONE : network;
  }

  /// Counts bytes of a block that went by.
  public void moved(long bytes) {
    movedBytes.addAndGet(bytes);
    timeout.moved();
  }

  /// Raw bytes that went by, in either direction.
  public long movedBytes() {
    return movedBytes.get();
  }

  /// The peer is to know that it does not wait in vain: the beats count seconds in which this end
  /// has something to do, as while its disk hangs.
  ///
  /// @param isAtWork whether anybody is, besides the thread that reads this connection
  public void tellOfWork(BooleanSupplier isAtWork) {
    this.isAtWork = isAtWork;
  }

  /// Says `frame`, which is not the head of a block, with the next [#flush] at the latest, or with
  /// the next beat.
  public void put(Frame frame) throws IOException {
    output.lock();
    try {
      takeCourse(frame);
      ByteBuffer bytes = writer.encode(frame);
      if (bytes.remaining() > outbox.remaining()) {
        flush();
      }
      if (bytes.remaining() > outbox.remaining()) {
        write(bytes);
      } else {
        outbox.put(bytes);
      }
    } finally {
      output.unlock();
    }
  }

  public void flush() throws IOException {
    output.lock();
    try {
      flush(OUTBOX_BYTES);
    } finally {
      output.unlock();
    }
  }

  public void send(Frame frame) throws IOException {
    put(frame);
    flush();
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
      send(head);
      timeout.beginWriting();
      body.move();
    } finally {
      timeout.endWriting();
      output.unlock();
    }
  }

  /// Writes bytes of a block that are in memory: to be called by its [Body].
  public void writeRaw(ByteBuffer raw) throws IOException {
    int end = raw.limit();
    while (raw.position() < end) {
      raw.limit(Math.min(end, raw.position() + PIECE_BYTES));
      int bytes = raw.remaining();
      write(raw);
      moved(bytes);
    }
  }

  /// Says a part with its raw bytes, which begin in the same call as the frame.
  ///
  /// @param raw exactly as many bytes as `head` promises, or their pieces
  public void sendRaw(Frame head, ByteBuffer raw) throws IOException {
    output.lock();
    try {
      flush();
      takeCourse(head);
      int bytes = raw.remaining();
      write(writer.encode(head), raw);
      moved(bytes);
    } finally {
      output.unlock();
    }
  }

  /// The peer is a listener whose welcome comes before its first frame.
  ///
  /// @return this
  public Connection expectWelcome() {
    isWelcomeDue = true;
    return this;
  }

  /// What the receiver of this connection said of itself.
  ///
  /// @return this
  public Connection toReceiver(boolean isTakingCompressed, RoomThere roomThere) {
    takesCompressed = isTakingCompressed;
    room = roomThere;
    return this;
  }

  /// How much the receiver has room for, when it made this connection.
  public RoomThere room() {
    return room;
  }

  public boolean takesCompressed() {
    return takesCompressed;
  }

  /// Waits for the peer's next frame. Raw bytes after it stay with the carrier, but for some that
  /// may have been read [ahead][#takeAhead].
  ///
  /// @throws EOFException if the peer closed the connection
  /// @throws ProtocolException if the frame is none, or may not come now; or the peer is a listener
  ///   that lets nobody in
  public Frame receive() throws IOException, ProtocolException {
    if (isWelcomeDue) {
      Welcome.decode(await(Welcome.BYTES)).requireAccepted(self.other());
      isWelcomeDue = false;
    }
    Header header = Header.decode(await(Limits.HEADER_BYTES));
    Frame frame = reader.frame(header, await(header.restBytes()));
    heard = heard.after(self.other(), frame);
    if (frame.isZstd() && !takesCompressed) {
      throw new ProtocolException(frame.type() + " compressed, which this end does not take");
    }
    aheadBytes =
        switch (frame.type()) {
          case DATA -> ((Data) frame).isHole() ? AHEAD_BYTES : TRAILER_AND_HEAD_BYTES;
          case TRAILER -> 0;
          default -> AHEAD_BYTES;
        };
    return frame;
  }

  /// Takes raw bytes that were read ahead: these come before those of the [source][#source].
  ///
  /// @param bytesMax how many there are to come
  /// @return good until the next call of this connection's reader
  public ByteBuffer takeAhead(long bytesMax) {
    int count = (int) Math.min(incoming.remaining(), bytesMax);
    ByteBuffer bytes = incoming.slice(incoming.position(), count);
    incoming.position(incoming.position() + count);
    return bytes;
  }

  /// Reads raw bytes.
  ///
  /// @throws EOFException if there is none, since the peer closed the connection
  public int read(ByteBuffer target) throws IOException {
    ByteBuffer ahead = takeAhead(target.remaining());
    if (ahead.hasRemaining()) {
      int count = ahead.remaining();
      target.put(ahead);
      return count;
    }
    return requireBytes(carrier.source().read(target, 0));
  }

  /// This end has said all: the peer reads the end of the connection after it, and has a last while
  /// to end its own part.
  public void farewell() throws IOException {
    flush();
    timeout.hurry(Limits.HANDSHAKE_DEADLINE_NS);
    carrier.endOutput();
  }

  /// Swallows what the peer still sends until it has said all, so that what was said to it is not
  /// lost in a reset: closing a socket with unread bytes discards what it had sent. A peer that
  /// goes on for longer than it may stall is not waited for: maybe this end could not say its last
  /// word.
  public void drain() {
    timeout.hurry();
    ByteBuffer waste = ByteBuffer.allocateDirect(PIECE_BYTES);
    try {
      while (carrier.source().read(waste.clear(), 0) >= 0) {
        // What arrives now belongs to nothing.
      }
    } catch (IOException e) {
      // The peer is gone already.
    }
  }

  /// Ends the connection from any thread, without closing it: whoever reads from it or writes to it
  /// learns that it is over.
  public void cut() {
    carrier.cut();
  }

  @Override
  public void close() throws IOException {
    timeout.close();
    carrier.close();
  }

  /// Never waits. Somebody who writes just now is sign of life enough.
  private void beat() {
    if (!output.tryLock()) {
      return;
    }
    try {
      if (said != ConnectionPhase.ENDED && carrier.isWritable()) {
        if (outbox.position() == 0) {
          beatsAtWork += isAtWork() ? 1 : 0;
          put(new Beat(movedBytes.get() + beatsAtWork));
        }
        flush(Carrier.SHORT_BYTES);
      }
    } catch (IOException e) {
      // The connection is over. Whoever reads or writes next will know, and the watch goes on until
      // somebody does.
    } finally {
      output.unlock();
    }
  }

  /// The thread that reads waits for the peer only if there is nothing to read.
  private boolean isAtWork() {
    BooleanSupplier others = isAtWork;
    return others != null
        && (others.getAsBoolean() || !timeout.isWaiting() || carrier.isReadable());
  }

  /// To be called under the lock.
  private void flush(int bytesMax) throws IOException {
    int end = outbox.flip().limit();
    try {
      if (end > 0) {
        write(outbox.limit(Math.min(end, bytesMax)));
      }
    } finally {
      outbox.limit(end).compact();
    }
  }

  private void write(ByteBuffer... all) throws IOException {
    ByteBuffer last = all[all.length - 1];
    int end = last.limit();
    try {
      while (all[0].hasRemaining() || last.position() < end) {
        last.limit(Math.min(end, last.position() + PIECE_BYTES));
        timeout.beginWriting();
        carrier.write(all);
      }
    } finally {
      timeout.endWriting();
    }
  }

  private void takeCourse(Frame frame) {
    try {
      said = said.after(self, frame);
    } catch (ProtocolException e) {
      throw new IllegalStateException("about to break the protocol: " + e.getMessage(), e);
    }
  }

  /// Waits until `count` bytes are there to be taken.
  private ByteBuffer await(int count) throws IOException {
    if (incoming.remaining() < count) {
      ByteBuffer target = incoming.capacity() < count ? ByteBuffer.allocate(count) : incoming;
      // A buffer may be put into itself only by compacting.
      if (target == incoming) {
        incoming.compact();
      } else {
        target.put(incoming);
      }
      incoming = target.limit(Math.max(count, aheadBytes));
      while (incoming.position() < count) {
        requireBytes(carrier.source().read(incoming, 0));
        if (self == Side.RECEIVER) {
          // A sender asks what was said: a beat alone is no progress there.
          timeout.progress();
        }
      }
      incoming.flip();
    }
    return incoming;
  }

  private static int requireBytes(int count) throws EOFException {
    if (count < 0) {
      throw new EOFException("the peer closed the connection");
    }
    return count;
  }
}
