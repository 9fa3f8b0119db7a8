package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.exchange.Task;
import dev.zcp.insight.FileLog;
import dev.zcp.session.Checksum;
import dev.zcp.spi.MoveException;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Offered;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Takes blocks off one connection into the landings of their files, and sees by their
/// [digest][TakenDigest] whether they are what was sent. Belongs to the connection's thread.
final class BlockIntake implements Closeable {

  private static final int WASTE_BYTES = 64 << 10;

  /// Of a block that nobody compares.
  private static final Checksum.Sum UNKNOWN = new Checksum.Sum(0, Digest.NONE);

  private final ReceivingSession session;
  private final Outbox outbox;
  private final Connection connection;
  private final RateLimit rate;

  /// The file of the block that is being taken, or was and has no trailer yet; null if nothing of
  /// it is wanted.
  private Arrival current;

  private final TakenDigest digest = new TakenDigest();

  /// Of the file whose block came last; there is often another one of it.
  private Transfer transfer;

  private Arrival transferred;

  private long position;

  BlockIntake(ReceivingSession session, Outbox outbox) {
    this.session = session;
    this.outbox = outbox;
    this.connection = outbox.connection();
    this.rate = session.means().rate();
  }

  /// Takes the bytes of a block off the socket.
  ///
  /// @throws IOException if the connection failed, or cannot be used any more: it is not known how
  ///   many of the bytes are off it
  void take(Task.TakeBlock block) throws IOException {
    Arrival arrival = block.wanted() ? session.arrivals().of(block.fileId()) : null;
    connection.timeout().waitForPeer();
    if (arrival == null || !arrival.enter()) {
      skip(block.span().length());
    } else {
      takeInto(arrival, block);
    }
    connection.timeout().stopWaiting();
  }

  private void takeInto(Arrival arrival, Task.TakeBlock block) throws IOException {
    current = arrival;
    position = block.span().offset();
    try {
      session.arrivals().allowance().countStreamed(arrival.entry(), block.span().length());
      move(arrival, block.span());
    } catch (Failure failure) {
      fail(failure);
      skip(block.span().end() - position);
    }
  }

  /// Compares a block that was taken with its trailer.
  void check(Task.CheckBlock check) {
    try {
      if (current != null && check.wanted()) {
        compare(current, check);
      }
    } finally {
      letGo();
      session.end().unitDone(outbox.number(), check.unit());
    }
  }

  void makeHole(Task.MakeHole hole) {
    Arrival arrival = session.arrivals().of(hole.fileId());
    if (arrival != null && arrival.enter()) {
      try {
        arrival.landing(session.place()).hole(hole.span());
        arrival.arrived(hole.span());
        session.insight().acknowledged(hole.span().length());
        session.end().blockDone(hole.fileId(), hole.span(), true, 0);
      } catch (IOException e) {
        session.arrivals().failed(arrival, Reasons.destination(arrival.entry().path(), e));
      } catch (Failure failure) {
        session.arrivals().failed(arrival, failure);
      } finally {
        arrival.leave();
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

  private void move(Arrival arrival, Span span) throws IOException, Failure {
    FileLog log = arrival.log(session.insight());
    Landing landing = arrival.landing(session.place());
    landing.begin(span);
    try {
      Transfer mine = transferTo(arrival, landing, log);
      digest.begin(landing, span.offset(), log, session.digest());
      long ahead = mine.write(connection.takeAhead(span.length()), span.offset());
      for (Span rest = span.skip(ahead);
          !rest.isEmpty();
          rest = rest.skip(rest.first(rate.pieceBytesMax()).length())) {
        Span piece = rest.first(rate.pieceBytesMax());
        if (mine.move(piece) < piece.length()) {
          throw new EOFException("the peer closed the connection");
        }
      }
    } catch (TransferException e) {
      if (e.end() == MoveException.End.SOURCE) {
        throw e.failure();
      }
      fail(unwritten(arrival.entry(), landing, e.failure()));
      session.speak();
      outbox.hangUp();
      Intake.drain(connection);
      throw new IOException("a file could not be written in the middle of a block", e);
    } catch (RefusedException e) {
      throw Reasons.refused(arrival.entry().path(), e);
    }
  }

  private Failure unwritten(Offered entry, Landing landing, IOException e) {
    return Arrivals.withKept(Reasons.destination(entry.path(), e), landing.bytesToKeep());
  }

  private Transfer transferTo(Arrival arrival, Landing landing, FileLog log)
      throws RefusedException {
    if (transferred != arrival) {
      closeTransfer();
      long size = arrival.entry().hasSize() ? arrival.entry().size() : Long.MAX_VALUE;
      transfer =
          digest.transfer(
              session.means().engine(),
              connection.source(),
              landing,
              landing.sink(),
              size,
              log,
              this::moved,
              session.digest());
      transferred = arrival;
    }
    return transfer;
  }

  private void closeTransfer() {
    if (transfer != null) {
      transfer.close();
      transfer = null;
      transferred = null;
    }
  }

  private void moved(long bytes) {
    position += bytes;
    session.act();
    connection.moved(bytes);
    digest.advance(position);
    rate.spend(bytes);
  }

  private void compare(Arrival arrival, Task.CheckBlock check) {
    Span span = check.trailer().block();
    try {
      boolean isDigested = session.digest() != Digest.Algorithm.NONE;
      Checksum.Sum sum = isDigested ? digest.finish() : UNKNOWN;
      boolean fits = !isDigested || check.trailer().digest().equals(sum.compared());
      if (fits) {
        if (isDigested) {
          session.insight().proved(digest.proof(session.digest()));
        }
        if (isDigested || session.isInOrder()) {
          arrival.landing(session.place()).verified(span, sum.crc32c());
        }
        arrival.arrived(span);
        session.insight().acknowledged(span.length());
      } else if (session.isInOrder()) {
        // What is gone cannot be put right.
        fail(
            Failure.of(
                ExitCode.INTEGRITY,
                arrival.entry().path().toString(),
                "differs from what was sent"));
        return;
      } else if (!session.arrivals().damaged(arrival, span)) {
        letGo();
        return;
      }
      session.end().blockDone(check.trailer().fileId(), span, fits, sum.crc32c());
    } catch (IOException e) {
      if (session.isInOrder()) {
        // Nothing else can go there, and nobody is to try it again.
        session.giveUp(Reasons.destination("standard output", e));
      } else {
        fail(Reasons.destination(arrival.entry().path(), e));
      }
    } catch (Failure failure) {
      fail(failure);
    }
  }

  private void fail(Failure failure) {
    session.arrivals().failed(current, failure);
    letGo();
  }

  private void letGo() {
    if (current != null) {
      digest.abandon();
      Arrival arrival = current;
      current = null;
      arrival.leave();
    }
  }

  /// Takes `bytes` off the socket for nobody.
  private void skip(long bytes) throws IOException {
    ByteBuffer waste = ByteBuffer.allocateDirect((int) Math.min(WASTE_BYTES, Math.max(1, bytes)));
    for (long left = bytes; left > 0; ) {
      waste.clear().limit((int) Math.min(waste.capacity(), left));
      int count = connection.read(waste);
      left -= count;
      connection.moved(count);
      rate.spend(count);
    }
  }
}
