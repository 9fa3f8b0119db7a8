package dev.zcp.exchange;

import dev.zcp.wire.Batch;
import dev.zcp.wire.Piece;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.util.ArrayList;
import java.util.List;

/// What became of the turns that a sender's connections were given.
final class ActionResults {

  private final Delivery delivery;

  ActionResults(Delivery delivery) {
    this.delivery = delivery;
  }

  /// Whoever asks for a turn has carried out the last one, but for files that were given up.
  void finish(SendingConnection asking) {
    if (asking.blockTurn != null && !asking.blockTurn.isGivenUp()) {
      throw new IllegalStateException("a block was not sent: " + asking.partTurn);
    }
    for (SentEntry entry : asking.batchTurn) {
      if (!entry.isGivenUp()) {
        throw new IllegalStateException("a batch was not sent: " + entry.id());
      }
    }
    if (asking.streamTurn != null && !asking.streamTurn.isGivenUp()) {
      throw new IllegalStateException("a stream did not end: " + asking.streamTurn.id());
    }
    asking.streamTurn = null;
    drop(asking, new ArrayList<>());
  }

  /// What was to be sent by the last turn goes back to the queue.
  void drop(SendingConnection connection, List<SenderEvent> events) {
    giveBack(connection);
    if (connection.blockTurn != null) {
      connection.blockTurn.underWay--;
      delivery.lostBlock(connection.blockTurn, connection.partTurn.again(), events);
      connection.blockTurn = null;
    }
    for (SentEntry entry : connection.batchTurn) {
      leaveOut(entry);
    }
    connection.batchTurn = List.of();
  }

  /// A block's trailer is about to be said.
  void saying(SendingConnection speaking, Trailer trailer, int crc32c) {
    SentEntry entry = speaking.blockTurn;
    Part part = speaking.partTurn;
    if (entry == null) {
      entry = speaking.streamTurn;
      part = Part.fresh(trailer.block(), false);
      entry.underWay++;
    } else {
      giveBack(speaking);
      speaking.blockTurn = null;
    }
    if (entry.id() != trailer.fileId() || !part.span().equals(trailer.block())) {
      throw new IllegalStateException("another block than that of its turn: " + trailer.block());
    }
    add(speaking, SentUnit.block(entry, part, crc32c));
    if (trailer.status() != Status.OK && !entry.isOver) {
      delivery.fail(entry, trailer.status());
    }
  }

  /// A batch is about to be said.
  void saying(SendingConnection speaking, Batch batch) {
    List<SentEntry> turn = new ArrayList<>(speaking.batchTurn);
    for (Piece piece : batch.pieces()) {
      SentEntry entry = turn.isEmpty() ? null : turn.removeFirst();
      while (entry != null && entry.id() != piece.fileId()) {
        leaveOut(entry);
        entry = turn.isEmpty() ? null : turn.removeFirst();
      }
      if (entry == null) {
        throw new IllegalStateException("a batch with " + piece.fileId() + ", out of turn");
      }
      if (piece.status() == Status.OK) {
        entry.wasSentWhole = true;
        entry.crc32c = piece.crc32c();
      } else {
        entry.failureIsKnown = true;
      }
    }
    turn.forEach(this::leaveOut);
    giveBack(speaking);
    speaking.batchTurn = List.of();
    add(speaking, SentUnit.batch(batch.pieces(), batch.rawBytes()));
  }

  /// The window is to hold the unit of a turn, and not the turn any more.
  private void giveBack(SendingConnection connection) {
    delivery.window().giveBack(connection.reservedBytes);
    connection.reservedBytes = 0;
  }

  private void add(SendingConnection speaking, SentUnit unit) {
    delivery.window().take(unit.bytes);
    speaking.add(unit);
  }

  private void leaveOut(SentEntry entry) {
    entry.underWay--;
    if (!entry.isOver) {
      delivery.lostPiece(entry);
    }
  }
}
