package dev.zcp.session.receive;

import dev.zcp.core.Span;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.insight.FileLog;
import dev.zcp.session.Checksum;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Level;
import dev.zcp.wire.Piece;
import dev.zcp.wire.Status;
import java.nio.ByteBuffer;
import java.util.List;

/// Makes files of the pieces of batches, whose bytes are in memory.
final class Pieces {

  /// What moves them: a direct buffer, as in the strategy of that name.
  private static final String STRATEGY = "direct";

  // As the report tells them.
  private static final String PROOF = "CRC32C of each small file, before it was written";
  private static final String PROOF_TOGETHER =
      "SHA-256 of small files together, before they were written";

  private final ReceivingSession session;

  Pieces(ReceivingSession session) {
    this.session = session;
  }

  /// Writes the files of a batch that are wanted, and says what became of each.
  ///
  /// @param bytes all of the batch
  void write(ReceiverAction.TakeBatch action, ByteBuffer bytes) {
    List<Piece> pieces = action.batch().pieces();
    Digest all = action.batch().digest();
    boolean isIntact = !all.isSha256() || Checksum.sha256(bytes, session).equals(all);
    boolean isProved = false;
    int start = 0;
    try (PublishedEntries published = new PublishedEntries(session)) {
      for (int i = 0; i < pieces.size() && !session.connections().isOver(); i++) {
        Piece piece = pieces.get(i);
        if (action.wanted().get(i)) {
          isProved |= write(piece, bytes.slice(start, piece.length()), isIntact, published);
        }
        start += piece.length();
      }
      published.flush();
    }
    if (isProved) {
      session.insight().proved(all.isSha256() ? PROOF_TOGETHER : PROOF);
    }
  }

  /// @param isIntact whether all of the batch is as it was sent, so far as it has a digest
  /// @return whether it was digested
  private boolean write(
      Piece piece, ByteBuffer bytes, boolean isIntact, PublishedEntries published) {
    IncomingEntry incoming = published.enter(piece.fileId());
    if (incoming == null) {
      return false;
    }
    boolean isDigested = session.level() != Level.NONE;
    if (isDigested && !(isIntact && Checksum.crc32c(bytes, session) == piece.crc32c())) {
      if (session.entries().damaged(incoming, new Span(0, piece.length()))) {
        session.end().damaged(piece.fileId());
      }
      return false;
    }
    FileLog log = incoming.log(session.insight());
    Ending ending = new Ending(piece.fileId(), Status.OK, piece.length(), piece.crc32c());
    incoming
        .landing()
        .put(
            bytes,
            ending,
            session.level(),
            published.queue(),
            published.new EntryOutcome(incoming) {
              @Override
              public void arrived(Level reached) {
                if (piece.length() > 0) {
                  log.moved(STRATEGY, piece.length());
                }
                session.done(log, reached, 0, piece.length());
                session.insight().acknowledged(piece.length());
                published(reached);
              }
            });
    return isDigested;
  }
}
