package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Pace;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.io.FileStatus;
import dev.zcp.spi.MoveException;
import dev.zcp.tree.SourceFile;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Meta;
import dev.zcp.wire.Trailer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/// One file of known length on its way out: block after block, each moved by the kernel while its
/// digest is computed beside, each followed by its trailer.
final class OutgoingFile {

  /// The longest block. A receiver that refuses the file is heard at the end of a block.
  private static final long BLOCK_BYTES_MAX = 64L << 20;

  private static final Digest NO_DIGEST = Digest.crc32c(0);

  private final Connection connection;
  private final Answers answers;
  private final Sender.Item item;
  private final SourceFile file;
  private final FileLog log;
  private final BlockDigest digest;
  private final Pace pace = Pace.adaptive(BLOCK_BYTES_MAX);

  private long fileId;

  OutgoingFile(
      Connection connection,
      Answers answers,
      Sender.Item item,
      SourceFile file,
      FileLog log,
      BlockDigest digest) {
    this.connection = connection;
    this.answers = answers;
    this.item = item;
    this.file = file;
    this.log = log;
    this.digest = digest;
  }

  /// Sends the whole file. What becomes of it is for the receiver to say.
  ///
  /// @throws FileFailure where the source failed; the receiver was told, and the stream is in step
  /// @throws IOException where the connection failed
  /// @throws Failure where the receiver has given up
  void send(Engine engine) throws IOException, FileFailure, Failure {
    long size = file.status().sizeBytes();
    Tracked observer = new Tracked(log, connection::moved);
    try (Transfer transfer = engine.begin(file.end(), connection.end(), size, observer)) {
      fileId = connection.conversation().nextFileId();
      answers.expect(fileId, item, log);
      connection.send(meta(fileId, item, file.status(), size));
      sendBlocks(size, transfer);
    } catch (RefusedException e) {
      throw new FileFailure(Reasons.refused(item.path(), e));
    }
  }

  static Meta meta(long fileId, Sender.Item item, FileStatus status, long size) {
    Instant modified = status.modified().toInstant();
    return new Meta(
        fileId,
        size,
        status.permissions(),
        modified.getEpochSecond(),
        modified.getNano(),
        item.name());
  }

  private void sendBlocks(long size, Transfer transfer) throws IOException, FileFailure, Failure {
    Span rest = new Span(0, size);
    while (!rest.isEmpty()) {
      answers.requireWilling();
      if (connection.conversation().isRefused()) {
        end(rest.first(0), Trailer.Status.CANCELLED, 0, NO_DIGEST);
        return;
      }
      Span block = rest.first(pace.chunkBytes());
      rest = rest.skip(block.length());
      sendBlock(block, rest.isEmpty(), transfer);
    }
    if (size == 0) {
      endWell(rest, Digest.crc32c(0));
    }
  }

  private void sendBlock(Span block, boolean last, Transfer transfer)
      throws IOException, FileFailure {
    long startedNs = System.nanoTime();
    digest.begin(file.end(), block.offset(), log);
    digest.advance(block.end());
    Shortfall shortfall = new Shortfall(block);
    connection.pulse().waitForPeer();
    try {
      connection.sendBlock(new Data(fileId, block), () -> shortfall.move(transfer));
    } catch (TransferException e) {
      throw e.failure();
    } finally {
      connection.pulse().stopWaiting();
    }
    pace.took(block.length(), System.nanoTime() - startedNs);
    if (shortfall.failure != null) {
      throw failed(block, shortfall.status, shortfall.validBytes, NO_DIGEST, shortfall.failure);
    }
    Digest value = digestOf(block);
    if (last) {
      endWell(block, value);
    } else {
      connection.send(Trailer.ok(fileId, block, false, value));
    }
  }

  /// Ends a file of which every byte went out: well, unless somebody changed it meanwhile.
  private void endWell(Span block, Digest value) throws IOException, FileFailure {
    if (file.isUnchanged()) {
      connection.send(Trailer.ok(fileId, block, true, value));
      return;
    }
    throw failed(block, Trailer.Status.CHANGED, block.length(), value, changed());
  }

  private Digest digestOf(Span block) throws IOException, FileFailure {
    try {
      return Digest.crc32c((int) digest.finish());
    } catch (EOFException e) {
      throw failed(block, Trailer.Status.CHANGED, block.length(), NO_DIGEST, changed());
    } catch (IOException e) {
      Failure failure = Reasons.source(item.path(), e);
      throw failed(block, Trailer.Status.FAILED, block.length(), NO_DIGEST, failure);
    }
  }

  /// Ends the file for the receiver. The log hears of the failure before: the receiver's refusal,
  /// which follows from it, would else be told in its place.
  private FileFailure failed(
      Span block, Trailer.Status status, long validBytes, Digest value, Failure failure)
      throws IOException {
    log.failed(failure);
    end(block, status, validBytes, value);
    return new FileFailure(failure);
  }

  private void end(Span block, Trailer.Status status, long validBytes, Digest value)
      throws IOException {
    connection.send(new Trailer(fileId, block, true, status, validBytes, value));
  }

  private Failure changed() {
    return Failure.of(ExitCode.SOURCE, item.path().toString(), "changed while it was read")
        .with("nothing was published, run the same command again");
  }

  /// Moves the bytes of a block and makes up for those that the source does not have: the receiver
  /// counts on as many as were promised.
  private final class Shortfall {

    private final Span block;
    private long validBytes;
    private Trailer.Status status;
    private Failure failure;

    Shortfall(Span block) {
      this.block = block;
    }

    void move(Transfer transfer) throws IOException, TransferException {
      try {
        validBytes = transfer.move(block);
        if (validBytes < block.length()) {
          status = Trailer.Status.SHORT;
          failure =
              Failure.of(
                      ExitCode.SOURCE,
                      item.path().toString(),
                      "ended while it was read, at " + (block.offset() + validBytes) + " bytes")
                  .with("nothing was published, run the same command again");
        }
      } catch (TransferException e) {
        if (e.end() == MoveException.End.SINK) {
          throw e;
        }
        validBytes = e.offset() - block.offset();
        status = Trailer.Status.FAILED;
        failure = Reasons.source(item.path(), e.failure());
      } catch (RefusedException e) {
        validBytes = e.offset() - block.offset();
        status = Trailer.Status.FAILED;
        failure = Reasons.refused(item.path(), e);
      }
      if (failure != null) {
        fillUp(block.length() - validBytes);
      }
    }

    private void fillUp(long bytes) throws IOException {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(64 << 10, bytes));
      for (long left = bytes; left > 0; ) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), left));
        int count = connection.end().write(zeros, 0);
        left -= count;
        connection.moved(count);
      }
    }
  }
}
