package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.session.Checksum;
import dev.zcp.session.TransitDigest;
import dev.zcp.spi.MoveException;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Sends blocks of files of known length over one connection, each followed by its trailer with the
/// [digest][TransitDigest].
///
/// Used by one thread.
final class BlockSender implements Closeable {

  private static final int ZEROS_BYTES = 64 << 10;

  private final SendingSession session;
  private final int number;
  private final Connection connection;
  private final Engines engines;
  private final RateLimit rate;
  private final OpenFiles files;
  private final CompressedOutput output;
  private final TransitDigest digest = new TransitDigest("read here");
  private final BlockLength length = new BlockLength();

  BlockSender(SendingSession session, int number, Connection connection, CompressedOutput output) {
    this.session = session;
    this.number = number;
    this.connection = connection;
    this.engines = session.terms().engines();
    this.rate = session.terms().rate();
    this.files = new OpenFiles(connection);
    this.output = output;
  }

  long blockBytesMax() {
    return length.bytes();
  }

  /// Sends a block, or gives its file up if it cannot be opened.
  ///
  /// @param isAgain whether it was lost or damaged: it goes as it is then
  /// @throws IOException if the connection failed
  void send(Outgoing outgoing, Span span, boolean isAgain) throws IOException {
    files.closeThoseThatArrived();
    if (!outgoing.isUnderWay) {
      return;
    }
    Digest.Algorithm algorithm = session.agreement().digest();
    boolean isCompressed = !isAgain && output.isWorthTrying(outgoing.fileId(), span.length());
    OpenFiles.Open file;
    try {
      file =
          files.of(outgoing, engines.of(outgoing.size()), algorithm, isCompressed ? output : null);
    } catch (Failure failure) {
      session.giveUp(outgoing, failure);
      return;
    }
    long startedNs = System.nanoTime();
    if (algorithm != Digest.Algorithm.NONE) {
      digest.begin(file.transit(), file.source(), span.offset(), outgoing.log(), algorithm);
      digest.advance(span.end());
    }
    BlockBody body = new BlockBody(file, span);
    Data head = new Data(outgoing.fileId(), span);
    if (isCompressed) {
      head = Data.zstd(outgoing.fileId(), span);
      output.begin(span.length(), outgoing.log());
    }
    try {
      connection.<TransferException>sendBlock(head, body::move);
    } catch (TransferException e) {
      throw e.failure();
    }
    say(span, body, algorithm);
    long elapsedNs = System.nanoTime() - startedNs;
    length.took(span.length(), elapsedNs);
    session.sentBlock(span.length(), elapsedNs);
    output.sentBlock(span.length(), elapsedNs, isCompressed);
  }

  @Override
  public void close() {
    digest.close();
    files.close();
  }

  private void say(Span span, BlockBody body, Digest.Algorithm algorithm) throws IOException {
    Checksum.Sum sum = new Checksum.Sum(0, algorithm.ofNothing());
    Status status = body.status;
    Outgoing outgoing = body.file.outgoing();
    if (body.failure != null) {
      outgoing.fail(body.failure);
      digest.abandon();
    } else if (algorithm != Digest.Algorithm.NONE) {
      try {
        sum = digest.finish();
        session.agreement().proved(digest.proof(algorithm));
      } catch (EOFException e) {
        outgoing.change(outgoing.changed());
        status = Status.SHORT;
      } catch (IOException e) {
        outgoing.fail(Reasons.source(outgoing.label(), e));
        status = Status.FAILED;
      }
    }
    Trailer trailer = new Trailer(outgoing.fileId(), span, status, sum.compared());
    session.end().saying(number, trailer, sum.crc32c());
    connection.put(trailer);
  }

  /// Moves the bytes of a block and makes up for those that the source does not have: the receiver
  /// counts on as many as were promised.
  private final class BlockBody {

    private final OpenFiles.Open file;
    private final Span block;
    private long validBytes;
    private Status status = Status.OK;
    private Failure failure;

    BlockBody(OpenFiles.Open file, Span block) {
      this.file = file;
      this.block = block;
    }

    void move() throws IOException, TransferException {
      Outgoing outgoing = file.outgoing();
      try {
        moveAll();
        if (validBytes < block.length()) {
          status = Status.SHORT;
          failure = Outgoing.ended(outgoing.label(), block.offset() + validBytes);
          file.outgoing().change(failure);
        }
      } catch (TransferException e) {
        if (e.end() == MoveException.End.SINK) {
          throw e;
        }
        validBytes = e.offset() - block.offset();
        status = Status.FAILED;
        failure = Reasons.source(outgoing.label(), e.failure());
      } catch (RefusedException e) {
        validBytes = e.offset() - block.offset();
        status = Status.FAILED;
        failure = Reasons.refused(outgoing.label(), e);
      }
      if (failure != null) {
        fillUp(block.length() - validBytes);
      }
    }

    private void moveAll() throws TransferException, RefusedException {
      Span rest = block;
      while (!rest.isEmpty()) {
        Span piece = file.isCompressed() ? rest : rest.first(rate.pieceBytesMax());
        if (!file.isCompressed()) {
          rate.spend(piece.length(), file.outgoing().log());
        }
        long moved = file.transit().transfer().move(piece);
        validBytes += moved;
        if (moved < piece.length()) {
          return;
        }
        rest = rest.skip(moved);
      }
    }

    private void fillUp(long bytes) throws IOException {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, bytes));
      for (long left = bytes; left > 0; ) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), left));
        int count = (file.isCompressed() ? output : connection.sink()).write(zeros, 0);
        left -= count;
        if (!file.isCompressed()) {
          connection.moved(count);
        }
      }
    }
  }
}
