package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Failure;
import dev.zcp.insight.Samples;
import dev.zcp.insight.Stage;
import dev.zcp.session.Checksum;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Piece;
import dev.zcp.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Sends small files over one connection, many at once: each is read whole into one buffer, which
/// goes out by one call.
///
/// Used by one thread.
final class BatchSender {

  // As the report tells them.
  private static final String PROOF =
      "CRC32C of each small file, in the buffer that it was sent from";
  private static final String PROOF_TOGETHER =
      "SHA-256 of small files together, in the buffer that they were sent from";

  /// What this does is what the strategy `direct` does, with a buffer for many files.
  private static final String STRATEGY = "direct";

  private final SendingSession session;
  private final int number;
  private final Connection connection;
  private final RateLimit rate;

  /// Null until there is a batch.
  private ByteBuffer bytes;

  BatchSender(SendingSession session, int number, Connection connection) {
    this.session = session;
    this.number = number;
    this.connection = connection;
    this.rate = session.terms().rate();
  }

  /// @throws IOException if the connection failed
  void send(List<Long> fileIds) throws IOException {
    Digest.Algorithm algorithm = session.agreement().digest();
    boolean digested = algorithm != Digest.Algorithm.NONE;
    List<Piece> pieces = new ArrayList<>(fileIds.size());
    List<Sent> files = new ArrayList<>(fileIds.size());
    if (bytes == null) {
      bytes = ByteBuffer.allocateDirect(PartSender.BYTES_MAX);
    }
    bytes.clear();
    for (long fileId : fileIds) {
      Sent sent = session.sent(fileId);
      if (sent != null) {
        pieces.add(piece(fileId, sent, digested));
        files.add(sent);
      }
    }
    if (pieces.isEmpty()) {
      return;
    }
    bytes.flip();
    Digest all = Digest.NONE;
    if (algorithm == Digest.Algorithm.SHA256) {
      all = Checksum.sha256(bytes, files.getFirst().log());
      session.agreement().proved(PROOF_TOGETHER);
    } else if (digested) {
      session.agreement().proved(PROOF);
    }
    awaitRate(bytes.remaining(), files.getFirst().log());
    Batch batch = new Batch(pieces, all);
    session.end().saying(number, batch);
    files.forEach(Sent::goesOut);
    try {
      send(batch, files);
    } finally {
      files.forEach(Sent::wentOut);
    }
  }

  private void send(Batch batch, List<Sent> files) throws IOException {
    long startedNs = System.nanoTime();
    connection.sendRaw(batch, bytes);
    files.getFirst().log().sample(Stage.SEND, System.nanoTime() - startedNs);
    for (int i = 0; i < files.size(); i++) {
      Piece piece = batch.pieces().get(i);
      if (piece.length() > 0) {
        files.get(i).log().moved(STRATEGY, piece.length());
      }
      if (piece.status() == Status.OK) {
        files.get(i).outgoing().sent();
      }
    }
  }

  /// The peer, which is to answer for the batch, cannot know of it yet.
  private void awaitRate(long bytes, Samples samples) {
    for (long left = bytes; left > 0; left -= rate.pieceBytesMax()) {
      rate.spend(Math.min(left, rate.pieceBytesMax()), samples);
      connection.timeout().progress();
    }
  }

  /// Reads a file to the end of what is in the buffer; of one that cannot be read whole and
  /// unchanged, nothing stays there.
  private Piece piece(long fileId, Sent sent, boolean digested) {
    int start = bytes.position();
    try {
      read(sent);
      int length = bytes.position() - start;
      int crc32c = digested ? Checksum.crc32c(bytes.slice(start, length), sent.log()) : 0;
      return new Piece(fileId, length, crc32c, Status.OK);
    } catch (Failure failure) {
      bytes.position(start);
      if (!sent.outgoing().isUnchanged()) {
        sent.change(failure);
      }
      sent.fail(failure);
      return new Piece(fileId, 0, 0, sent.hasChanged() ? Status.CHANGED : Status.FAILED);
    }
  }

  private void read(Sent sent) throws Failure {
    Outgoing outgoing = sent.outgoing();
    try (Source source = sent.open(true)) {
      long size = outgoing.size();
      // A file that has grown since has no place of that size here: it shows in its status.
      bytes.limit(bytes.position() + (int) size);
      long at = 0;
      int count = 1;
      // A read of nothing is an end, too, or this would never have one.
      while (at < size && count > 0) {
        long startedNs = System.nanoTime();
        count = source.read(bytes, at);
        sent.log().read(at, count, System.nanoTime() - startedNs);
        at += Math.max(0, count);
      }
      bytes.limit(bytes.capacity());
      boolean same = outgoing.isUnchanged(source);
      if (at < size || !same && !session.outcomes().accepts(outgoing.label())) {
        Failure failure = at < size ? outgoing.ended(at) : outgoing.changed();
        sent.change(failure);
        throw failure;
      }
    } catch (IOException e) {
      throw Reasons.source(outgoing.label(), e);
    } finally {
      bytes.limit(bytes.capacity());
    }
  }
}
