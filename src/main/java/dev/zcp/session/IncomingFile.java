package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Verified;
import dev.zcp.spi.MoveException;
import dev.zcp.wire.Ack;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Meta;
import dev.zcp.wire.Nack;
import dev.zcp.wire.Trailer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// One file on its way in: its blocks are moved into its [Landing], each is checked against the
/// digest in its trailer, then the file is published and acknowledged; or it is refused, and its
/// bytes that are on the way already go nowhere.
final class IncomingFile {

  private static final int WASTE_BYTES = 64 << 10;

  private final Connection connection;
  private final Meta meta;
  private final FileLog log;
  private final Landing landing;
  private Transfer transfer;

  /// Why the file was refused; OK while it was not.
  private ExitCode refusal = ExitCode.OK;

  private long position;

  IncomingFile(Connection connection, Meta meta, FileLog log, Landing landing) {
    this.connection = connection;
    this.meta = meta;
    this.log = log;
    this.landing = landing;
  }

  /// Gets ready for the bytes.
  void begin(Engine engine) throws IOException {
    long size = meta.hasSize() ? meta.size() : Long.MAX_VALUE;
    try {
      transfer =
          engine.begin(connection.end(), landing.sink(), size, new Tracked(log, this::moved));
    } catch (RefusedException e) {
      refuse(Reasons.refused(meta.name(), e));
    }
  }

  /// Why the file was refused, or OK where it was not.
  ExitCode refusal() {
    return refusal;
  }

  /// Takes the bytes of a block off the socket.
  ///
  /// @throws IOException where the connection failed
  /// @throws Failure DESTINATION where they could not be written: how many of them were taken off
  ///   the socket before is not known then, so the session is over
  void takeBlock(Data data) throws IOException, Failure {
    Span block = data.block();
    if (refusal != ExitCode.OK) {
      skip(connection, block.length());
      return;
    }
    landing.beginBlock(block);
    position = block.offset();
    try {
      if (transfer.move(block) < block.length()) {
        throw new EOFException("the peer closed the connection");
      }
    } catch (TransferException e) {
      if (e.end() == MoveException.End.SOURCE) {
        throw e.failure();
      }
      throw Reasons.destination(meta.name(), e.failure());
    } catch (RefusedException e) {
      refuse(Reasons.refused(meta.name(), e));
      skip(connection, block.end() - e.offset());
    }
  }

  /// Takes the trailer of a block, and with the last one answers for the file.
  void takeTrailer(Trailer trailer) throws IOException {
    if (refusal != ExitCode.OK) {
      return;
    }
    try {
      check(trailer);
      if (trailer.last()) {
        boolean published = landing.publish();
        transfer.close();
        log.done(Verified.WIRE);
        connection.send(new Ack(meta.fileId(), trailer.block().end(), published));
        if (!published) {
          landing.discard();
        }
      }
    } catch (Failure failure) {
      refuse(failure);
    }
  }

  /// Gives the file up and tells the sender why.
  void refuse(Failure failure) throws IOException {
    refusal = failure.exitCode();
    log.failed(failure);
    abandon();
    connection.send(new Nack(meta.fileId(), failure.exitCode(), failure.reason()));
  }

  /// Gives the file up where the sender cannot be told any more.
  void abandon() {
    if (transfer != null) {
      transfer.close();
    }
    landing.discard();
  }

  /// Takes `bytes` off the socket for nobody.
  static void skip(Connection connection, long bytes) throws IOException {
    ByteBuffer waste = ByteBuffer.allocateDirect(WASTE_BYTES);
    for (long left = bytes; left > 0; ) {
      int count = connection.end().read(waste.clear().limit((int) Math.min(WASTE_BYTES, left)), 0);
      if (count < 0) {
        throw new EOFException("the peer closed the connection");
      }
      left -= count;
      connection.moved(count);
    }
  }

  private void moved(long bytes) {
    position += bytes;
    connection.moved(bytes);
    landing.advance(position);
  }

  private void check(Trailer trailer) throws Failure {
    String name = meta.name().toString();
    switch (trailer.status()) {
      case OK -> {
        if (!trailer.block().isEmpty() && !trailer.digest().equals(written())) {
          throw Failure.of(ExitCode.INTEGRITY, name, "what was written differs from what was sent")
              .with("nothing was published; run the same command again");
        }
      }
      case SHORT -> throw Failure.of(ExitCode.SOURCE, name, "ended while the sender read it");
      case CHANGED -> throw Failure.of(ExitCode.SOURCE, name, "changed while the sender read it");
      case FAILED -> throw Failure.of(ExitCode.SOURCE, name, "could not be read by the sender");
      case CANCELLED ->
          throw new IllegalStateException("the conversation let CANCELLED of " + name + " through");
    }
  }

  private Digest written() throws Failure {
    try {
      return Digest.crc32c((int) landing.finishBlock());
    } catch (IOException e) {
      throw Reasons.destination(meta.name(), e);
    }
  }
}
