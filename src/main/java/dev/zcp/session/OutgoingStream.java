package dev.zcp.session;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.io.BufferSource;
import dev.zcp.spi.Source;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Meta;
import dev.zcp.wire.Trailer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// A stream of unknown length on its way out. A block announces its length before its bytes, so the
/// bytes are read first and sent from memory; the digest is computed on the way.
final class OutgoingStream {

  /// What is read at once: a pipe gives 64 KiB by default, a device what it is asked for.
  private static final int BLOCK_BYTES_MAX = 256 << 10;

  /// What a stream is given where it arrives, which has no permissions to take along.
  private static final int MODE = 0666;

  private static final Digest EMPTY = Digest.crc32c(0);

  private final Connection connection;
  private final Answers answers;
  private final Sender.Item item;
  private final Source stream;
  private final FileLog log;

  OutgoingStream(
      Connection connection, Answers answers, Sender.Item item, Source stream, FileLog log) {
    this.connection = connection;
    this.answers = answers;
    this.item = item;
    this.stream = stream;
    this.log = log;
  }

  /// Sends all that the stream gives until it ends.
  ///
  /// @throws FileFailure where the stream failed; the receiver was told, and the connection is in
  ///   step
  /// @throws IOException where the connection failed
  /// @throws Failure where the receiver has given up
  void send(Engine engine) throws IOException, FileFailure, Failure {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK_BYTES_MAX);
    BufferSource block = new BufferSource(bytes);
    Tracked observer = new Tracked(log, connection::moved);
    try (Transfer transfer = engine.begin(block, connection.end(), Long.MAX_VALUE, observer)) {
      long fileId = connection.conversation().nextFileId();
      answers.expect(fileId, item, log);
      connection.send(meta(fileId));
      sendBlocks(fileId, bytes, transfer);
    } catch (RefusedException e) {
      throw new FileFailure(Reasons.refused(item.path(), e));
    } catch (TransferException e) {
      throw e.failure();
    }
  }

  private Meta meta(long fileId) {
    if (item.status() != null) {
      return OutgoingFile.meta(fileId, item, item.status(), Meta.SIZE_UNKNOWN);
    }
    long nowMs = System.currentTimeMillis();
    return new Meta(
        fileId,
        Meta.SIZE_UNKNOWN,
        MODE,
        nowMs / 1000,
        (int) (nowMs % 1000) * 1_000_000,
        item.name());
  }

  private void sendBlocks(long fileId, ByteBuffer bytes, Transfer transfer)
      throws IOException, FileFailure, RefusedException, TransferException, Failure {
    CRC32C crc = new CRC32C();
    long offset = 0;
    while (read(fileId, offset, bytes.clear()) >= 0) {
      answers.requireWilling();
      if (connection.conversation().isRefused()) {
        end(fileId, offset, Trailer.Status.CANCELLED);
        return;
      }
      crc.reset();
      crc.update(bytes.flip());
      bytes.rewind();
      Span block = new Span(offset, bytes.remaining());
      connection.pulse().waitForPeer();
      connection.sendBlock(new Data(fileId, block), () -> transfer.move(block));
      connection.pulse().stopWaiting();
      connection.send(Trailer.ok(fileId, block, false, Digest.crc32c((int) crc.getValue())));
      offset = block.end();
    }
    end(fileId, offset, Trailer.Status.OK);
  }

  private int read(long fileId, long offset, ByteBuffer target) throws IOException, FileFailure {
    try {
      return stream.read(target, offset);
    } catch (IOException e) {
      // Before the receiver knows: its refusal would else be told in place of the cause.
      Failure failure = Reasons.source(item.path(), e);
      log.failed(failure);
      end(fileId, offset, Trailer.Status.FAILED);
      throw new FileFailure(failure);
    }
  }

  private void end(long fileId, long offset, Trailer.Status status) throws IOException {
    connection.send(new Trailer(fileId, new Span(offset, 0), true, status, 0, EMPTY));
  }
}
