package dev.zcp.exchange;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Piece;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The bytes of files: batches, blocks, holes.
final class ReceivedData {

  private final ReceivedEntries entries;
  private final Outcomes outcomes;
  private final TreeMap<Integer, ReceivingConnection> connections;
  private final ReceivingTerms terms;

  ReceivedData(
      ReceivedEntries entries,
      Outcomes outcomes,
      TreeMap<Integer, ReceivingConnection> connections,
      ReceivingTerms terms) {
    this.entries = entries;
    this.outcomes = outcomes;
    this.connections = connections;
    this.terms = terms;
  }

  void batch(ReceivingConnection from, Batch batch, boolean isClosed, List<ReceiverAction> actions)
      throws ProtocolException {
    from.requireRoom(batch.rawBytes(), terms.window());
    if (terms.digest() == Digest.Algorithm.SHA256) {
      requireDigest(batch.digest().algorithm());
    }
    ReceivedUnit unit = from.arrived(batch.rawBytes(), null);
    List<Boolean> wanted = new ArrayList<>();
    for (Piece piece : batch.pieces()) {
      wanted.add(!isClosed && wants(unit, piece, actions));
    }
    actions.add(new ReceiverAction.TakeBatch(unit.number, batch, wanted));
  }

  private boolean wants(ReceivedUnit unit, Piece piece, List<ReceiverAction> actions)
      throws ProtocolException {
    ReceivedEntry entry = entries.get(piece.fileId());
    if (entry == null) {
      outcomes.tellAgain(unit.connection, piece.fileId());
      return false;
    }
    boolean isWell = piece.status() == Status.OK;
    boolean fits =
        entry.wantsBytes()
            && entry.offered.hasSize()
            && entry.answer.kind() != Answer.AnswerKind.REST
            && entry.stage() != EntryStage.IN_BLOCKS
            && !terms.inOrder()
            && (!isWell || piece.length() == entry.offered.size());
    if (!fits) {
      throw new ProtocolException(
          "a piece of a batch for " + piece.fileId() + ", which is another");
    }
    if (entry.stage().isPublishing()) {
      throw new ProtocolException("two pieces of a batch for " + piece.fileId());
    }
    entry.go(EntryEvent.PIECE, unit.connection);
    if (!isWell) {
      outcomes.drop(entry, piece.status(), actions);
      return false;
    }
    entry.size = piece.length();
    entry.crc32c = piece.crc32c();
    return true;
  }

  void data(ReceivingConnection from, Data data, boolean isClosed, List<ReceiverAction> actions)
      throws ProtocolException {
    from.requireRoom(data.block().length(), terms.window());
    from.block = data.block();
    from.blockFileId = data.fileId();
    from.blockOf = isClosed ? null : wanting(data.fileId(), data.block());
    if (from.blockOf != null) {
      from.blockOf.inHand++;
    }
    actions.add(new ReceiverAction.TakeBlock(data.fileId(), data.block(), from.blockOf != null));
  }

  /// The file that these bytes are wanted for, or null.
  private ReceivedEntry wanting(long fileId, Span span) throws ProtocolException {
    ReceivedEntry entry = entries.get(fileId);
    // Where all is there, or just this, it comes late or again: over a connection that was given
    // up, or since its acknowledgement was lost.
    if (entry == null || entry.stage().isPublishing() || entry.coverage.contains(span)) {
      return null;
    }
    boolean fits =
        entry.wantsBytes()
            && (!entry.offered.hasSize() || span.end() <= entry.offered.size())
            && !entry.coverage.straddles(span);
    if (!fits) {
      throw new ProtocolException("bytes for " + fileId + " that do not belong there: " + span);
    }
    entries.requireRoomForPieces();
    requireNotInHand(entry, span);
    entry.go(EntryEvent.BLOCK);
    if (terms.inOrder()) {
      return isNextInOrder(entry, span) ? entry : null;
    }
    if (!entry.offered.hasSize()) {
      requireNext(entry, span);
    }
    entries.count(entry, terms.filesMax());
    entry.coverage.drop(span);
    entries.recount(entry);
    return entry;
  }

  /// Two threads must not write the same bytes.
  private void requireNotInHand(ReceivedEntry entry, Span span) throws ProtocolException {
    for (ReceivingConnection each : connections.values()) {
      if (entry.inHand > 0 && each.hasInHand(entry, span)) {
        throw new ProtocolException("bytes of " + entry.id() + " twice at a time: " + span);
      }
    }
  }

  private boolean isNextInOrder(ReceivedEntry entry, Span span) throws ProtocolException {
    for (ReceivedEntry first : entries.all()) {
      if (first.isFile() && first != entry) {
        throw new ProtocolException("bytes for " + entry.id() + " before those of " + first.id());
      } else if (first.isFile()) {
        break;
      }
    }
    if (span.end() <= entry.nextOffset) {
      return false;
    }
    requireNext(entry, span);
    return true;
  }

  private static void requireNext(ReceivedEntry entry, Span span) throws ProtocolException {
    if (span.offset() != entry.nextOffset) {
      throw new ProtocolException("bytes out of order for " + entry.id() + ": " + span);
    }
    entry.nextOffset = span.end();
  }

  void trailer(ReceivingConnection from, Trailer trailer, List<ReceiverAction> actions)
      throws ProtocolException {
    boolean fits =
        from.block != null
            && from.blockFileId == trailer.fileId()
            && from.block.equals(trailer.block());
    if (!fits) {
      throw new ProtocolException("a trailer for a block that was not sent");
    }
    requireDigest(trailer.digest().algorithm());
    ReceivedUnit unit = from.arrived(from.block.length(), from.block);
    ReceivedEntry entry = from.blockOf;
    from.block = null;
    from.blockOf = null;
    boolean isLive = entries.find(trailer.fileId()) != null;
    if (!isLive) {
      outcomes.tellAgain(from, trailer.fileId());
    }
    boolean isWanted = entry != null && isLive && trailer.status() == Status.OK;
    if (isWanted) {
      unit.take(entry, false);
    } else if (entry != null) {
      entry.inHand--;
    }
    actions.add(new ReceiverAction.CheckBlock(unit.number, trailer, isWanted));
  }

  private void requireDigest(Digest.Algorithm algorithm) throws ProtocolException {
    if (terms.digest() != Digest.Algorithm.NONE && terms.digest() != algorithm) {
      throw new ProtocolException("a digest by " + algorithm + ", agreed was " + terms.digest());
    }
  }

  void hole(ReceivingConnection from, Data hole, boolean isClosed, List<ReceiverAction> actions)
      throws ProtocolException {
    ReceivedUnit unit = from.arrived(0, hole.block());
    ReceivedEntry entry = isClosed ? null : wanting(hole.fileId(), hole.block());
    if (entry == null) {
      outcomes.tellAgain(from, hole.fileId());
      unit.finish();
      from.advance();
      return;
    }
    if (!entry.offered.hasSize() || terms.inOrder()) {
      throw new ProtocolException("a hole in a stream");
    }
    entry.inHand++;
    unit.take(entry, true);
    actions.add(new ReceiverAction.MakeHole(unit.number, hole.fileId(), hole.block()));
  }

  void blockDone(ReceivedUnit unit, boolean fits, int crc32c) {
    Span span = unit.span;
    ReceivedEntry entry = unit.judge();
    if (entries.find(entry.id()) != entry) {
      return;
    }
    if (fits && !entry.coverage.straddles(span)) {
      entry.coverage.add(span, unit.isHole() ? Crc32c.ofZeros(span.length()) : crc32c);
      entries.recount(entry);
    } else if (fits || terms.inOrder()) {
      outcomes.fail(entry, ExitCode.INTEGRITY, "arrived damaged");
    } else {
      unit.connection.reject(new Rejection.Again(entry.id(), span));
    }
  }

  /// A connection is lost, and nothing of it is under way any more.
  void down(ReceivingConnection lost) {
    if (lost.blockOf != null) {
      lost.blockOf.inHand--;
      failInOrder(lost.blockOf);
    }
    for (ReceivedUnit unit : lost.units()) {
      if (unit.inHandOf() != null) {
        failInOrder(unit.judge());
      }
    }
    for (ReceivedEntry entry : entries.all()) {
      if (entry.worker() == lost) {
        entry.go(EntryEvent.LOSE);
      }
    }
  }

  private void failInOrder(ReceivedEntry entry) {
    if (terms.inOrder() && entries.find(entry.id()) == entry) {
      outcomes.fail(entry, ExitCode.NETWORK, "its connection was lost in the middle");
    }
  }
}
