package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.insight.FileSteps;
import dev.zcp.insight.Stage;
import dev.zcp.session.Checksum;
import dev.zcp.session.Tracked;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Sends a stream of unknown length over one connection. A block announces its length before its
/// bytes, so the bytes are read first and sent from memory; the digest is computed on the way.
///
/// Used by one thread.
final class StreamSender {

  // As the report tells it.
  private static final String PROOF =
      " of each piece of the stream, in the buffer that it was sent from";

  /// What is read at once: a pipe gives 64 KiB by default, a device what it is asked for.
  static final int BLOCK_BYTES_MAX = 256 << 10;

  private final SendingSession session;
  private final int number;
  private final Connection connection;
  private final Engines engines;
  private final RateLimit rate;
  private final CompressedOutput output;
  private final SenderConnection line;

  StreamSender(
      SendingSession session,
      int number,
      Connection connection,
      CompressedOutput output,
      SenderConnection line) {
    this.session = session;
    this.number = number;
    this.connection = connection;
    this.engines = session.terms().engines();
    this.rate = session.terms().rate();
    this.output = output;
    this.line = line;
  }

  /// Sends all that the stream gives until it ends, or until nobody wants more of it.
  ///
  /// @throws IOException if the connection failed
  void send(Outgoing outgoing) throws IOException {
    if (!outgoing.isUnderWay) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK_BYTES_MAX);
    Observer observer = Tracked.ofMemory(outgoing.log(), connection::moved);
    try (Source stream = open(outgoing);
        Transfer transfer =
            engines
                .untuned()
                .begin(new BufferSource(bytes), connection.sink(), Long.MAX_VALUE, observer)) {
      sendBlocks(outgoing, stream, bytes, transfer);
    } catch (Failure failure) {
      session.giveUp(outgoing, failure);
    } catch (RefusedException e) {
      session.giveUp(outgoing, Reasons.refused(outgoing.label(), e));
    } catch (TransferException e) {
      throw e.failure();
    }
  }

  private void sendBlocks(Outgoing outgoing, Source stream, ByteBuffer bytes, Transfer transfer)
      throws IOException, Failure, RefusedException, TransferException {
    Digest.Algorithm algorithm = session.agreement().digest();
    Checksum checksum = algorithm == Digest.Algorithm.NONE ? null : new Checksum(algorithm);
    long fileId = outgoing.fileId();
    long at = 0;
    while (read(outgoing, stream, at, bytes.clear()) >= 0) {
      Span block = new Span(at, bytes.flip().remaining());
      if (!session.awaitStreaming(outgoing, block.length())) {
        return;
      }
      Checksum.Sum sum = sum(checksum, outgoing, bytes);
      long startedNs = System.nanoTime();
      boolean isCompressed = output.isWorthTrying(fileId, block.length());
      if (isCompressed) {
        output.begin(block.length(), outgoing.log());
        connection.sendBlock(Data.zstd(fileId, block), () -> output.writeAll(bytes, 0));
        outgoing.log().moved(FileSteps.STRATEGY, block.length());
      } else {
        rate.spend(block.length(), outgoing.log());
        connection.sendBlock(new Data(fileId, block), () -> transfer.move(block));
      }
      output.sentBlock(block.length(), System.nanoTime() - startedNs, isCompressed);
      Trailer trailer = Trailer.ok(fileId, block, sum.compared());
      session.end().saying(number, trailer, sum.crc32c());
      connection.send(trailer);
      at = block.end();
    }
    session.end(outgoing, Status.OK);
    outgoing.sent();
  }

  private Source open(Outgoing outgoing) throws Failure {
    line.away(true);
    try {
      return outgoing.open();
    } finally {
      line.away(false);
    }
  }

  private int read(Outgoing outgoing, Source stream, long at, ByteBuffer bytes) throws Failure {
    line.away(true);
    try {
      long startedNs = System.nanoTime();
      int count = stream.read(bytes, at);
      // The end is waited for, too.
      outgoing.log().read(at, Math.max(0, count), System.nanoTime() - startedNs);
      return count;
    } catch (IOException e) {
      throw Reasons.source(outgoing.label(), e);
    } finally {
      line.away(false);
    }
  }

  private Checksum.Sum sum(Checksum checksum, Outgoing outgoing, ByteBuffer bytes) {
    if (checksum == null) {
      return new Checksum.Sum(0, Digest.NONE);
    }
    long startedNs = System.nanoTime();
    checksum.reset();
    checksum.update(bytes.duplicate());
    Checksum.Sum sum = checksum.sum();
    outgoing.log().sample(Stage.DIGEST, System.nanoTime() - startedNs);
    session.agreement().proved(Checksum.label(sum.compared().algorithm()) + PROOF);
    return sum;
  }
}
