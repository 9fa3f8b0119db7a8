package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.exchange.SentEntry.UnsentSpan;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Held;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// What becomes of the entries that the receiver took: their bytes, and their ends.
final class Delivery {

  /// Endings in one frame: the receiver acknowledges them together, after the last is published.
  private static final int ENDINGS_MAX = 512;

  private final SentEntries entries;
  private final FileQueue files = new FileQueue();
  private final Deque<SentEntry> ends = new ArrayDeque<>();
  private final Deque<SentEntry> directoryEnds = new ArrayDeque<>();
  private final Deque<SentEntry> shows = new ArrayDeque<>();

  /// The raw bytes that were sent, or are about to be, and not acknowledged.
  private long bytesUnderWay;

  private Accept terms;
  private long acknowledgedBytes;

  Delivery(SentEntries entries) {
    this.entries = entries;
  }

  void accept(Accept accepted) {
    terms = accepted;
  }

  Accept terms() {
    return terms;
  }

  /// The level that was agreed on; NONE as long as none was.
  Level level() {
    return terms == null ? Level.NONE : terms.level();
  }

  /// Whether so many more bytes may go out. Alone, any number may.
  boolean hasRoomFor(long more) {
    return bytesUnderWay == 0 || more <= terms.windowBytes() - bytesUnderWay;
  }

  void takeRoom(long more) {
    bytesUnderWay += more;
  }

  void giveRoomBack(long less) {
    bytesUnderWay -= less;
  }

  /// Whether bytes of files are to be sent that no connection sends now.
  boolean isAnyQueued() {
    return files.largest() != null || entries.parts().isAnyWaiting();
  }

  /// Whether nothing of the entries that the receiver took waits to be said.
  boolean isAllSaid() {
    return !isAnyQueued() && ends.isEmpty() && directoryEnds.isEmpty() && shows.isEmpty();
  }

  FileQueue files() {
    return files;
  }

  long acknowledgedBytes() {
    return acknowledgedBytes;
  }

  /// The receiver takes the entry, and wants all of it.
  void begin(SentEntry entry) {
    boolean goes = entry.ending == null && entry.isFile();
    entry.stage = SentStage.TAKEN;
    if (goes && entry.isStream()) {
      files.addStream(entry);
    } else {
      goOn(entry, List.of());
    }
  }

  /// The receiver has `good` of the entry from before, and wants the rest.
  void goOn(SentEntry entry, List<Held> good) {
    entry.stage = SentStage.TAKEN;
    if (entry.ending != null) {
      settle(entry);
    } else if (entry.isFile()) {
      if (terms.inOrder()) {
        // A stream has no holes.
        entry.holes = List.of();
      }
      entry.fill(good);
      queueOrArrive(entry);
    }
  }

  /// Something of the entry was acknowledged, or is to be sent once more.
  private void queueOrArrive(SentEntry entry) {
    if (entry.hasBytesToSend()) {
      files.add(entry);
    } else if (entry.hasAllArrived() && entry.isStream()) {
      settle(entry);
    } else if (entry.hasAllArrived()) {
      entry.stage = SentStage.ARRIVED;
      entries.tell(new SenderEvent.AllArrived(entry));
    }
  }

  /// Queues the entry's end, if it has one and nothing stands before it.
  void settle(SentEntry entry) {
    if (entry.ending == null || entry.isOver || isTooEarly(entry)) {
      return;
    }
    entry.stage = SentStage.ENDING;
    if (entry.ending != Status.OK) {
      entries.failed();
      stopSending(entry);
    }
    endsLike(entry).addLast(entry);
  }

  private Deque<SentEntry> endsLike(SentEntry entry) {
    return entry.isDirectory() ? directoryEnds : ends;
  }

  private boolean isTooEarly(SentEntry entry) {
    return switch (entry.stage) {
      case QUEUED, OFFERED, CUTTING, REBUILDING, ENDING -> true;
      case SHOWN -> entry.shown != null;
      // A stream ends after its last block.
      case TAKEN -> entry.isStream() && entry.ending == Status.OK && entry.underWay > 0;
      case CLAIMED, ARRIVED -> false;
    };
  }

  private void stopSending(SentEntry entry) {
    files.remove(entry);
    entry.sendNoMore();
  }

  /// What to tell of ends on `connection`, or an empty list.
  ///
  /// @param ofDirectories whether to tell of directories, too
  List<Ending> nextEndings(int connection, boolean ofDirectories) {
    List<Ending> endings = new ArrayList<>();
    takeEndings(ends, connection, endings);
    if (ofDirectories) {
      takeEndings(directoryEnds, connection, endings);
    }
    return endings;
  }

  private void takeEndings(Deque<SentEntry> from, int connection, List<Ending> endings) {
    Iterator<SentEntry> each = from.iterator();
    while (each.hasNext() && endings.size() < ENDINGS_MAX) {
      SentEntry entry = each.next();
      if (entry.isOver) {
        each.remove();
      } else if (!entry.isDirectory() || entries.parts().isBehind(entry, connection)) {
        each.remove();
        entry.askedOn = connection;
        endings.add(ending(entry));
      }
    }
  }

  private Ending ending(SentEntry entry) {
    boolean counts = entry.ending == Status.OK && entry.isFile();
    return new Ending(
        entry.fileId(),
        entry.ending,
        counts ? entry.finalSize() : 0,
        counts ? entry.finalCrc32c(terms.level()) : 0);
  }

  void acknowledged(SentUnit unit) {
    giveRoomBack(unit.bytes);
    if (unit.blockOf != null) {
      blockAcknowledged(unit);
    }
    if (unit.shown != null) {
      shownAcknowledged(unit.shown);
    }
    if (unit.smallFiles != null) {
      acknowledgedBytes += unit.bytes;
      entries.parts().over(unit);
      finish(unit.smallFiles);
    }
    for (Ending ending : unit.endings) {
      endAcknowledged(ending);
    }
  }

  private void blockAcknowledged(SentUnit unit) {
    SentEntry entry = unit.blockOf;
    entry.underWay--;
    if (!unit.isDamaged) {
      acknowledgedBytes += unit.bytes;
    }
    if (entry.isOver || entry.stage != SentStage.TAKEN) {
      return;
    }
    if (!unit.isDamaged) {
      entry.arrived.add(unit.unsent.span(), unit.crc32c);
    }
    queueOrArrive(entry);
  }

  private void shownAcknowledged(SentEntry entry) {
    if (entry.isOver || entry.stage != SentStage.SHOWN) {
      return;
    }
    if (!entry.isWanted) {
      finish(entry);
      return;
    }
    entry.showInVain();
    begin(entry);
  }

  /// What the bytes of a file are is to be said.
  void show(SentEntry entry, Show what) {
    entry.show(what);
    shows.addLast(entry);
  }

  /// The next file of which it is to be said what its bytes are, or null.
  SentEntry nextShown() {
    SentEntry next = shows.pollFirst();
    while (next != null && next.isOver) {
      next = shows.pollFirst();
    }
    return next;
  }

  private void endAcknowledged(Ending ending) {
    SentEntry entry = entries.get(ending.fileId());
    if (entry == null || entry.isDirectory()) {
      // The receiver answers for a directory once all in it is over.
      return;
    }
    if (ending.status() == Status.OK) {
      finish(entry);
    } else {
      entries.failed();
      over(entry, new SenderEvent.GivenUp(entry));
    }
  }

  /// The files of a part are over, or there are none.
  void finish(SentPart part) {
    entries.finish(part);
    entries.tell(new SenderEvent.PartOver(part));
  }

  void finish(SentEntry entry) {
    entries.finish(entry, entry.finalCrc32c(terms.level()));
    entries.tell(new SenderEvent.Done(entry, entry.resumedBytes));
  }

  /// The entry is over, and did not arrive by this.
  void over(SentEntry entry, SenderEvent event) {
    stopSending(entry);
    entries.remove(entry);
    entries.tell(event);
  }

  /// The entry is over, by the receiver's word.
  void refused(SentEntry entry, ExitCode exitCode, String text) {
    entries.failed();
    over(
        entry,
        entry.failureIsKnown
            ? new SenderEvent.GivenUp(entry)
            : new SenderEvent.Failed(entry, exitCode, text));
  }

  /// Gives up a file that nothing can be done about any more.
  ///
  /// @param status for the receiver
  void giveUp(SentEntry entry, Status status, ExitCode exitCode, String text) {
    if (!entry.failureIsKnown) {
      entry.failureIsKnown = true;
      entries.tell(new SenderEvent.Spoilt(entry, exitCode, text));
    }
    fail(entry, status);
  }

  /// The source of the entry came to this.
  void fail(SentEntry entry, Status status) {
    entry.failureIsKnown = true;
    if (entry.stage != SentStage.ENDING) {
      entry.ending = status;
      stopSending(entry);
      settle(entry);
    }
  }

  void blockAgain(SentUnit unit) {
    SentEntry entry = unit.blockOf;
    unit.isDamaged = true;
    if (entry.isOver || entry.stage != SentStage.TAKEN) {
      return;
    }
    UnsentSpan again = unit.unsent.afterDamage();
    if (entry.isStream() || again.tries() >= SendingEnd.TRIES_MAX) {
      giveUp(entry, Status.DAMAGED, ExitCode.INTEGRITY, tooOften(again.tries()));
      return;
    }
    queueAgain(entry, again);
    entries.tell(new SenderEvent.Damaged(entry, again.span()));
  }

  private static String tooOften(int tries) {
    return "arrived damaged" + (tries > 1 ? " " + tries + " times" : "");
  }

  private void queueAgain(SentEntry entry, UnsentSpan unsent) {
    files.remove(entry);
    entry.queue(unsent);
    files.add(entry);
  }

  void lost(SentUnit unit) {
    giveRoomBack(unit.bytes);
    if (unit.smallFiles != null) {
      entries.parts().over(unit);
      entries.parts().addAgain(unit.smallFiles);
    }
    if (unit.shown != null && !unit.shown.isOver) {
      unit.shown.isWanted = false;
      shows.addFirst(unit.shown);
    }
    SentEntry block = unit.blockOf;
    if (block != null) {
      block.underWay--;
      if (!unit.isDamaged) {
        lostBlock(block, unit.unsent.again());
      } else if (!block.isOver && block.stage == SentStage.TAKEN) {
        queueOrArrive(block);
      }
    }
  }

  void lostEnd(SentEntry entry) {
    endsLike(entry).addFirst(entry);
  }

  /// The receiver's last word says that all that was sent is there.
  void allArrived(Iterable<SendingConnection> connections) {
    for (SendingConnection each : connections) {
      each.units().forEach(unit -> acknowledged(unit));
      if (each.partTurn != null) {
        finish(each.partTurn);
        each.endPartTurn(entries.parts());
      }
    }
    entries.parts().takeWaiting().forEach(each -> finish(each));
    List.copyOf(entries.all()).forEach(each -> finish(each));
  }

  /// A block, sent or only about to be, went down with its connection.
  void lostBlock(SentEntry entry, UnsentSpan unsent) {
    if (entry.isOver || entry.stage != SentStage.TAKEN) {
      return;
    }
    if (entry.isStream()) {
      giveUp(entry, Status.FAILED, ExitCode.NETWORK, "its connection was lost");
    } else {
      queueAgain(entry, unsent);
    }
  }
}
