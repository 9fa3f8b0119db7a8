package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.insight.FileLog;
import dev.zcp.session.Checksum;
import dev.zcp.session.Tracked;
import dev.zcp.session.TransitDigest;
import dev.zcp.session.TransitDigest.Transit;
import dev.zcp.spi.MoveException;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Takes blocks off one connection into the landings of their files, and sees by their
/// [digest][TransitDigest] whether they are what was sent. Belongs to the connection's thread.
final class BlockIntake implements Closeable {

  private static final int WASTE_BYTES = 64 << 10;

  /// Of a block that nobody compares.
  private static final Checksum.Sum UNKNOWN = new Checksum.Sum(0, Digest.NONE);

  private final ReceivingSession session;
  private final Outbox outbox;
  private final Connection connection;
  private final CompressedInput input;
  private final RateLimit rate;

  /// The file of the block that is being taken, or was and has no trailer yet; null if nothing of
  /// it is wanted.
  private IncomingEntry current;

  private final TransitDigest digest = new TransitDigest("read back");

  /// Of the file whose block came last; there is often another one of it.
  private Transit transit;

  /// Where its bytes go.
  private BlockSink sink;

  private IncomingEntry transferred;
  private boolean isTransitCompressed;

  private long position;

  /// @param input of the connection
  BlockIntake(ReceivingSession session, Outbox outbox, CompressedInput input) {
    this.session = session;
    this.outbox = outbox;
    this.connection = outbox.connection();
    this.input = input;
    this.rate = session.context().rate();
  }

  /// Takes the bytes of a block off the socket.
  ///
  /// @throws IOException if the connection failed, or cannot be used any more: it is not known how
  ///   many of the bytes are off it
  void take(ReceiverAction.TakeBlock block) throws IOException {
    Data head = block.head();
    IncomingEntry incoming = block.wanted() ? session.entries().of(head.fileId()) : null;
    connection.timeout().waitForPeer();
    if (head.isZstd()) {
      input.begin(head.block().length());
    }
    if (incoming == null || !incoming.enter()) {
      skip(head, head.block().length());
    } else {
      takeInto(incoming, head);
    }
    connection.timeout().stopWaiting();
  }

  private void takeInto(IncomingEntry incoming, Data head) throws IOException {
    current = incoming;
    position = head.block().offset();
    long bytes = head.block().length();
    try {
      session.entries().countStreamed(incoming, bytes);
      boolean isTaken = false;
      try {
        move(incoming, head);
        isTaken = true;
      } finally {
        if (!isTaken) {
          session.entries().uncountStreamed(incoming, bytes);
        }
      }
    } catch (Failure failure) {
      fail(failure);
      skip(head, head.block().end() - position);
    }
  }

  /// Compares a block that was taken with its trailer.
  void check(ReceiverAction.CheckBlock check) {
    try {
      if (current != null && check.wanted()) {
        compare(current, check);
      }
    } finally {
      letGo();
      session.end().unitDone(outbox.number(), check.unit());
    }
  }

  void makeHole(ReceiverAction.MakeHole hole) {
    IncomingEntry incoming = session.entries().of(hole.fileId());
    if (incoming != null && incoming.enter()) {
      try {
        incoming.hole(hole.span());
        incoming.arrived(hole.span());
        session.insight().ofSession().acknowledged(hole.span().length());
        session.end().blockDone(outbox.number(), hole.unit(), true, 0);
      } catch (IOException e) {
        session.entries().failed(incoming, Reasons.destination(incoming.offered().path(), e));
      } catch (Failure failure) {
        session.entries().failed(incoming, failure);
      } finally {
        incoming.leave();
      }
    }
    session.end().unitDone(outbox.number(), hole.unit());
  }

  @Override
  public void close() {
    closeTransfer();
    digest.close();
    letGo();
  }

  private void move(IncomingEntry incoming, Data head) throws IOException, Failure {
    Span span = head.block();
    FileLog log = incoming.log(session.insight());
    incoming.begin(span);
    Landing landing = incoming.landing();
    try {
      Transit mine = transitTo(incoming, landing, log, head.isZstd());
      Transfer transfer = mine.transfer();
      digest.begin(mine, landing.written(), span.offset(), log, session.digest());
      long ahead =
          head.isZstd() ? 0 : transfer.write(connection.takeAhead(span.length()), span.offset());
      for (Span rest = span.skip(ahead);
          !rest.isEmpty();
          rest = rest.skip(rest.first(rate.pieceBytesMax()).length())) {
        Span piece = rest.first(rate.pieceBytesMax());
        if (transfer.move(piece) < piece.length()) {
          throw new EOFException("the peer closed the connection");
        }
      }
      if (sink.failure() != null) {
        throw unwritten(incoming, sink.failure());
      }
    } catch (TransferException e) {
      if (e.end() == MoveException.End.SOURCE) {
        throw e.failure();
      }
      fail(unwritten(incoming, e.failure()));
      session.speak();
      outbox.hangUp();
      connection.drain();
      throw new IOException("a file could not be written in the middle of a block", e);
    } catch (RefusedException e) {
      throw Reasons.refused(incoming.offered().path(), e);
    }
  }

  private static Failure unwritten(IncomingEntry incoming, IOException e) {
    return incoming.withKept(Reasons.destination(incoming.offered().path(), e));
  }

  /// Bytes are digested on their way, while they are in the processor's cache, unless a strategy
  /// was asked for that leaves them to the kernel. That saves a copy of each byte: the kernel has
  /// none of a socket's bytes but by copying, whoever asks.
  ///
  /// Compressed bytes are in memory in any case, so whatever strategy was asked for.
  private Transit transitTo(
      IncomingEntry incoming, Landing landing, FileLog log, boolean isCompressed)
      throws RefusedException {
    if (transferred != incoming || isTransitCompressed != isCompressed) {
      closeTransfer();
      long size = incoming.offered().hasSize() ? incoming.offered().size() : Long.MAX_VALUE;
      sink = new BlockSink(landing.sink(), connection.isControl());
      transit =
          Transit.begin(
              isCompressed ? session.engineOfCompressed() : session.context().engine(),
              isCompressed ? input : connection.source(),
              sink,
              size,
              log,
              isCompressed ? this::expanded : this::moved,
              session.digest(),
              landing.written() != null,
              isCompressed ? input::takeOtherNs : Tracked.NOTHING_ELSE);
      transferred = incoming;
      isTransitCompressed = isCompressed;
    }
    return transit;
  }

  private void closeTransfer() {
    if (transit != null) {
      transit.transfer().close();
      transit = null;
      transferred = null;
    }
  }

  private void moved(long bytes) {
    connection.moved(bytes);
    expanded(bytes);
    rate.spend(bytes, session.insight());
  }

  /// Bytes have moved whose pieces are counted.
  private void expanded(long bytes) {
    position += bytes;
    session.act();
    digest.advance(position);
  }

  private void compare(IncomingEntry incoming, ReceiverAction.CheckBlock check) {
    Span span = check.trailer().block();
    try {
      boolean isDigested = session.digest() != Digest.Algorithm.NONE;
      Checksum.Sum sum = isDigested ? digest.finish() : UNKNOWN;
      boolean fits = !isDigested || check.trailer().digest().equals(sum.compared());
      if (fits) {
        if (isDigested) {
          session.insight().ofSession().proved(digest.proof(session.digest()));
        }
        if (isDigested || session.isInOrder()) {
          incoming.verified(span, sum.crc32c());
        }
        incoming.arrived(span);
        session.insight().ofSession().acknowledged(span.length());
      } else if (session.isInOrder()) {
        // What is gone cannot be put right.
        fail(
            Failure.of(
                ExitCode.INTEGRITY,
                incoming.offered().path().toString(),
                "differs from what was sent"));
        return;
      } else {
        session.entries().uncountStreamed(incoming, span.length());
        if (!session.entries().damaged(incoming, span)) {
          letGo();
          return;
        }
      }
      session.end().blockDone(outbox.number(), check.unit(), fits, sum.crc32c());
    } catch (IOException e) {
      if (session.isInOrder()) {
        // Nothing else can go there, and nobody is to try it again.
        session.fail(Reasons.destination("standard output", e));
      } else {
        fail(Reasons.destination(incoming.offered().path(), e));
      }
    }
  }

  private void fail(Failure failure) {
    session.entries().failed(current, failure);
    letGo();
  }

  private void letGo() {
    if (current != null) {
      digest.abandon();
      IncomingEntry incoming = current;
      current = null;
      incoming.leave();
    }
  }

  /// Takes `bytes` off the socket for nobody.
  private void skip(Data head, long bytes) throws IOException {
    ByteBuffer waste = ByteBuffer.allocateDirect((int) Math.min(WASTE_BYTES, Math.max(1, bytes)));
    for (long left = head.isZstd() ? input.left() : bytes; left > 0; ) {
      waste.clear().limit((int) Math.min(waste.capacity(), left));
      if (head.isZstd()) {
        left -= input.read(waste);
        continue;
      }
      int count = connection.read(waste);
      left -= count;
      connection.moved(count);
      rate.spend(count, session.insight());
    }
  }
}
