package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Data;
import dev.zcp.wire.End;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Hole;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Piece;
import dev.zcp.wire.Status;
import java.util.TreeMap;

/// Finds connections that have in hand what is repeated over another one.
///
/// A sender may know long before its receiver that a connection is lost. What it then sends again
/// must not meet what the old connection has still in hand: two threads would write the same bytes,
/// one of them perhaps damaged, and one after the other's were proved.
///
/// Which of the two is the old one cannot be told: it may be the one that is heard now, if it comes
/// late. Most often it is the other; and a sender gets over the loss of any.
final class Repetition {

  private static final int NONE = -1;

  private final ReceivedEntries entries;
  private final TreeMap<Integer, ReceivingConnection> connections;

  Repetition(ReceivedEntries entries, TreeMap<Integer, ReceivingConnection> connections) {
    this.entries = entries;
    this.connections = connections;
  }

  /// The number of a connection that has in hand what `frame` repeats, or -1.
  int givenUp(ReceivingConnection from, Frame frame) {
    return switch (frame.type()) {
      case OFFER -> offer(from, (Offer) frame);
      case BATCH -> batch(from, (Batch) frame);
      case DATA -> bytes(from, ((Data) frame).fileId(), ((Data) frame).block());
      case HOLE -> bytes(from, ((Hole) frame).fileId(), ((Hole) frame).span());
      case END -> end(from, (End) frame);
      case MANIFEST, ACCEPT, REPLY, TRAILER, ACK, NACK, AGAIN, DONE, BEAT -> NONE;
    };
  }

  private int offer(ReceivingConnection from, Offer offer) {
    for (Offered offered : offer.entries()) {
      ReceivedEntry entry = entries.find(offered.fileId());
      if (entry != null && entry.consideredOn != null && entry.consideredOn != from) {
        return entry.consideredOn.number;
      }
    }
    return NONE;
  }

  private int batch(ReceivingConnection from, Batch batch) {
    for (Piece piece : batch.pieces()) {
      ReceivedEntry entry = entries.find(piece.fileId());
      if (isPublishedElsewhere(from, entry)) {
        return entry.publishing.connection.number;
      }
    }
    return NONE;
  }

  private int end(ReceivingConnection from, End end) {
    for (Ending ending : end.endings()) {
      ReceivedEntry entry = entries.find(ending.fileId());
      if (isPublishedElsewhere(from, entry)) {
        return entry.publishing.connection.number;
      }
      // A file that the sender gives up may have blocks on their way; one that is all there not.
      if (entry != null && entry.inHand > 0 && ending.status() == Status.OK) {
        return holder(from, entry, new Span(0, Long.MAX_VALUE));
      }
    }
    return NONE;
  }

  private static boolean isPublishedElsewhere(ReceivingConnection from, ReceivedEntry entry) {
    return entry != null && entry.publishing != null && entry.publishing.connection != from;
  }

  private int bytes(ReceivingConnection from, long fileId, Span span) {
    ReceivedEntry entry = entries.find(fileId);
    return entry == null || entry.inHand == 0 ? NONE : holder(from, entry, span);
  }

  /// The other connection that has some of these bytes in hand, or -1.
  private int holder(ReceivingConnection from, ReceivedEntry entry, Span span) {
    for (ReceivingConnection each : connections.values()) {
      if (each != from && each.hasInHand(entry, span)) {
        return each.number;
      }
    }
    return NONE;
  }
}
