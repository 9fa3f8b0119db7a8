package dev.zcp.exchange;

import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.exchange.SentEntry.UnsentSpan;
import dev.zcp.wire.Data;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;

/// Chooses the bytes that go next on a connection, and learns what became of such turns.
final class DataTurns {

  /// No window is so small that blocks are cut shorter.
  private static final long BLOCK_BYTES_MIN = 64 << 10;

  private final SentEntries entries;
  private final Delivery delivery;

  /// Parts and blocks alternate if both wait, so that neither keeps the other from going.
  private boolean isPartNext = true;

  /// The one connection that carries bytes, if they must come in order; or -1.
  private int carrying = -1;

  DataTurns(SentEntries entries, Delivery delivery) {
    this.entries = entries;
    this.delivery = delivery;
  }

  /// A connection is lost, and its turn with it.
  void down(SendingConnection gone) {
    drop(gone);
    if (gone.streamTurn != null && !gone.streamTurn.isOver) {
      delivery.lostBlock(gone.streamTurn, null);
    }
    if (carrying == gone.number) {
      carrying = -1;
    }
  }

  /// The turn for `connection`, or null if there is nothing to send now.
  SenderAction next(SendingConnection connection, long blockBytesMax, int connections) {
    SentPart part = entries.parts().first(connection.number);
    if (delivery.terms().inOrder()) {
      if (part != null) {
        entries.parts().take(part);
        entries.parts().turnOver();
        return new SenderAction.GiveBack(part);
      }
      long bytesMax = Math.min(blockBytesMax, delivery.terms().windowBytes());
      return nextInOrder(connection, limit(bytesMax, connections));
    }
    SenderAction look = look(connection);
    if (look != null) {
      return look;
    }
    if (part != null && entries.parts().needsLook(part)) {
      part = null;
    }
    FileQueue files = delivery.files();
    SentEntry large = files.largest();
    if (large != null && !large.isCounted && !mayCountAnother()) {
      large = null;
    }
    if (part != null && (large == null || isPartNext)) {
      return part(connection, part);
    }
    if (large != null) {
      return block(connection, large, limit(blockBytesMax, connections));
    }
    SentEntry stream = files.pollStream();
    return stream == null ? null : stream(connection, stream);
  }

  /// The turn to ask about the part that comes first, or null if that need not or may not be now.
  SenderAction look(SendingConnection connection) {
    SentPart part = entries.parts().first(connection.number);
    boolean isDue = part != null && entries.parts().needsLook(part) && entries.parts().mayLook();
    if (!isDue) {
      return null;
    }
    entries.parts().take(part);
    connection.partTurn = part;
    return new SenderAction.Look(part);
  }

  /// @return the number of the look
  long looking(SendingConnection asking, SentPart part, int files) {
    if (asking.partTurn != part) {
      throw new IllegalStateException("a look out of turn");
    }
    asking.endPartTurn(entries.parts());
    return entries.parts().looking(asking, part, files);
  }

  private boolean mayCountAnother() {
    return entries.counted() < delivery.terms().filesMax();
  }

  /// Two blocks for each connection fit the window: one is sent while the other is acknowledged.
  private long limit(long blockBytesMax, int connections) {
    long share = Math.max(delivery.terms().windowBytes() / (2L * connections), BLOCK_BYTES_MIN);
    return Math.max(1, Math.min(Math.min(blockBytesMax, share), Limits.DATA_BYTES_MAX));
  }

  /// One file after the other: the next begins when the one before it is over.
  private SenderAction nextInOrder(SendingConnection connection, long blockBytesMax) {
    if (carrying != -1 && carrying != connection.number) {
      return null;
    }
    for (SentEntry entry : entries.all()) {
      if (entry.isFile()) {
        SenderAction turn = nextOf(entry, connection, blockBytesMax);
        carrying = turn == null ? carrying : connection.number;
        return turn;
      }
    }
    return null;
  }

  private SenderAction nextOf(SentEntry entry, SendingConnection connection, long blockBytesMax) {
    if (entry.stage != SentStage.TAKEN) {
      return null;
    }
    if (entry.isStream()) {
      boolean isNew = entry.streamOn == -1 && entry.ending == null;
      delivery.files().remove(entry);
      return isNew ? stream(connection, entry) : null;
    }
    return entry.hasBytesToSend() ? block(connection, entry, blockBytesMax) : null;
  }

  private SenderAction part(SendingConnection connection, SentPart part) {
    if (!delivery.hasRoomFor(part.bytes()) || !entries.parts().hasRoomAtReceiver()) {
      return null;
    }
    isPartNext = false;
    entries.parts().take(part);
    connection.partTurn = part;
    reserve(connection, part.bytes());
    return new SenderAction.SendPart(part);
  }

  private SenderAction block(SendingConnection connection, SentEntry entry, long blockBytesMax) {
    long bytes = entry.nextRawBytes(blockBytesMax);
    if (!delivery.hasRoomFor(bytes)) {
      return null;
    }
    delivery.files().remove(entry);
    entries.count(entry);
    UnsentSpan unsent = entry.take(blockBytesMax);
    if (entry.hasBytesToSend()) {
      delivery.files().add(entry);
    }
    entry.underWay++;
    isPartNext = true;
    if (unsent.isHole()) {
      connection.add(SentUnit.hole(entry, unsent));
      return new SenderAction.Say(Data.hole(entry.fileId(), unsent.span()));
    }
    connection.blockTurn = entry;
    connection.spanTurn = unsent;
    reserve(connection, bytes);
    return new SenderAction.SendBlock(entry, unsent.span(), unsent.wasSent());
  }

  private static SenderAction stream(SendingConnection connection, SentEntry stream) {
    stream.streamOn = connection.number;
    connection.streamTurn = stream;
    return new SenderAction.SendStream(stream);
  }

  private void reserve(SendingConnection connection, long bytes) {
    connection.reservedBytes = bytes;
    delivery.takeRoom(bytes);
  }

  /// Whoever asks for a turn has carried out the last one, but for files that were given up.
  void finish(SendingConnection asking) {
    if (asking.blockTurn != null && !asking.blockTurn.isGivenUp()) {
      throw new IllegalStateException("a block was not sent: " + asking.spanTurn);
    }
    if (asking.partTurn != null && asking.partTurn.wasSaid()) {
      throw new IllegalStateException("a part was not sent");
    }
    if (asking.streamTurn != null && !asking.streamTurn.isGivenUp()) {
      throw new IllegalStateException("a stream did not end: " + asking.streamTurn.fileId());
    }
    asking.streamTurn = null;
    // One of which there was nothing to send.
    asking.endPartTurn(entries.parts());
    drop(asking);
  }

  /// What was to be sent by the last turn goes back to the queue.
  private void drop(SendingConnection connection) {
    giveBack(connection);
    if (connection.blockTurn != null) {
      connection.blockTurn.underWay--;
      delivery.lostBlock(connection.blockTurn, connection.spanTurn.again());
      connection.blockTurn = null;
    }
    if (connection.partTurn != null) {
      entries.parts().addAgain(connection.partTurn);
      connection.endPartTurn(entries.parts());
    }
  }

  /// @return the id of the first file
  long saying(SendingConnection speaking, SentPart part, int bytes, long[] hashes, int[] sizes) {
    if (speaking.partTurn != part) {
      throw new IllegalStateException("a part out of turn");
    }
    if (!part.wasSaid()) {
      part.begin(entries.takeIds(hashes.length), hashes, sizes);
    }
    giveBack(speaking);
    speaking.endPartTurn(entries.parts());
    SentUnit unit = SentUnit.smallFiles(part, bytes, speaking.number);
    entries.parts().saying(unit);
    add(speaking, unit);
    return part.firstId;
  }

  void saying(SendingConnection speaking, Trailer trailer, int crc32c) {
    SentEntry entry = speaking.blockTurn;
    UnsentSpan unsent = speaking.spanTurn;
    if (entry == null) {
      entry = speaking.streamTurn;
      unsent = UnsentSpan.fresh(trailer.block(), false);
      entry.underWay++;
    } else {
      giveBack(speaking);
      speaking.blockTurn = null;
    }
    if (entry.fileId() != trailer.fileId() || !unsent.span().equals(trailer.block())) {
      throw new IllegalStateException("another block than that of its turn: " + trailer.block());
    }
    add(speaking, SentUnit.block(entry, unsent, crc32c));
    if (trailer.status() != Status.OK && !entry.isOver) {
      delivery.fail(entry, trailer.status());
    }
  }

  /// The window is to hold the unit of a turn, and not the turn any more.
  private void giveBack(SendingConnection connection) {
    delivery.giveRoomBack(connection.reservedBytes);
    connection.reservedBytes = 0;
  }

  private void add(SendingConnection speaking, SentUnit unit) {
    delivery.takeRoom(unit.bytes);
    speaking.add(unit);
  }
}
