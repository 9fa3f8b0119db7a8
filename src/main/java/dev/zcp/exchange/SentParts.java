package dev.zcp.exchange;

import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Wants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The parts of a session that are not over: those that wait, in the order of the walk; those that
/// the receiver is asked about; and those that were said.
final class SentParts {

  /// Each holds what is known of up to 512 files; those that wait want their directories open.
  private static final int WAITING_MAX = 8;

  /// Enough for a long way. Each connection may have taken one more that it has not said.
  private static final int SAID_MAX = Limits.PARTS_UNDER_WAY_MAX - Limits.CONNECTIONS_MAX;

  private final SentEntries entries;
  private final ArrayDeque<SentPart> waiting = new ArrayDeque<>();

  /// With the connection of each.
  private final List<SentUnit> said = new ArrayList<>();

  /// How many are in a turn: it is not known yet whether anything is said of them.
  private int inTurns;

  /// How many the receiver is asked about.
  private int looks;

  private long nextLook;

  SentParts(SentEntries entries) {
    this.entries = entries;
  }

  boolean hasRoom() {
    return waiting.size() < WAITING_MAX;
  }

  /// Whether another part may be said.
  boolean hasRoomAtReceiver() {
    return said.size() < SAID_MAX;
  }

  boolean isAnyWaiting() {
    return !waiting.isEmpty();
  }

  /// Whether all that there is was said.
  boolean isAllSaid() {
    return waiting.isEmpty() && inTurns == 0 && looks == 0;
  }

  boolean isEmpty() {
    return isAllSaid() && said.isEmpty();
  }

  void add(SentPart part) {
    waiting.addLast(part);
  }

  /// Before others: its connection is lost, or the receiver has answered.
  void addAgain(SentPart part) {
    waiting.addFirst(part);
  }

  /// The part that comes first, if it may be said or [asked about][#needsLook] on `connection` now:
  /// the receiver hears of its directories before. Else null.
  SentPart first(int connection) {
    SentPart first = waiting.peekFirst();
    if (first == null || first.wasSaid()) {
      return first;
    }
    for (long id : first.directoryIds()) {
      SentEntry directory = entries.get(id);
      if (directory != null && !isAnswered(directory)) {
        boolean isBefore = directory.stage == SentStage.OFFERED && directory.askedOn == connection;
        // One that existed may have to be made writable before anything comes to it.
        if (!isBefore || first.isLooked() && !isInNew(directory)) {
          return null;
        }
      }
    }
    return first;
  }

  /// Whether the receiver is to be asked about a part first: as far as is known, something may be
  /// in one of its directories.
  boolean needsLook(SentPart part) {
    if (part.wasSaid() || part.isLooked()) {
      return false;
    }
    for (long id : part.directoryIds()) {
      if (id == Part.OWN_DIRECTORY || !isNew(entries.get(id))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnswered(SentEntry directory) {
    return directory.stage != SentStage.QUEUED && directory.stage != SentStage.OFFERED;
  }

  /// The part that comes first is in a turn, until that is [over][#turnOver].
  void take(SentPart part) {
    if (waiting.pollFirst() != part) {
      throw new IllegalStateException("another part was first");
    }
    inTurns++;
  }

  /// All that wait, and do so no more.
  List<SentPart> takeWaiting() {
    List<SentPart> taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  void turnOver() {
    inTurns--;
  }

  boolean mayLook() {
    return looks < Limits.LOOKS_UNDER_WAY_MAX;
  }

  /// The receiver is about to be asked on a connection.
  ///
  /// @return the number of the look
  long looking(SendingConnection on, SentPart part, int files) {
    long number = part.looking(files, nextLook);
    nextLook = Math.max(nextLook, number + 1);
    on.looks.put(number, part);
    looks++;
    return number;
  }

  void answered(SendingConnection on, Wants answer) throws ProtocolException {
    SentPart part = on.looks.remove(answer.number());
    if (part == null) {
      throw new ProtocolException("an answer to look " + answer.number() + ", which was not due");
    }
    looks--;
    part.answered(answer.all());
    addAgain(part);
  }

  /// A connection is lost: others ask again.
  void down(SendingConnection gone) {
    looks -= gone.looks.size();
    gone.looks.values().forEach(this::addAgain);
  }

  void saying(SentUnit unit) {
    said.add(unit);
  }

  /// The unit was acknowledged, or its connection is lost.
  void over(SentUnit unit) {
    said.remove(unit);
  }

  /// Whether the receiver hears of the end of a directory on `connection` behind all parts that
  /// have files in it.
  boolean isBehind(SentEntry directory, int connection) {
    for (SentPart part : waiting) {
      // Others are said before their directories are ended.
      if (part.wasSaid() && part.isIn(directory.fileId())) {
        return false;
      }
    }
    return isBehindSaid(directory.fileId(), connection);
  }

  /// Whether the receiver hears what comes on `connection` behind all parts in its own directory,
  /// of which there is no end.
  boolean isBehindOwn(int connection) {
    return isBehindSaid(Part.OWN_DIRECTORY, connection);
  }

  private boolean isBehindSaid(long directoryId, int connection) {
    for (SentUnit unit : said) {
      if (unit.connection != connection && unit.smallFiles.isIn(directoryId)) {
        return false;
      }
    }
    return true;
  }

  /// Adds all files that were said, as if all of them were taken.
  ///
  /// @return how many
  int addTo(TreeDigest tree) {
    int files = 0;
    for (SentUnit unit : said) {
      files += unit.smallFiles.addTo(tree);
    }
    return files;
  }

  /// A file that was said was not taken.
  ///
  /// @return false if it is in no part of this connection
  /// @throws ProtocolException if it cannot be rejected so
  static boolean reject(SendingConnection from, Rejection rejection) throws ProtocolException {
    for (SentUnit unit : from.units()) {
      if (unit.smallFiles != null && unit.smallFiles.has(rejection.fileId())) {
        unit.smallFiles.reject(rejection);
        return true;
      }
    }
    return false;
  }

  /// Whether the receiver makes a directory for this session, so that nothing is in it. Of one in a
  /// new directory that is so if nobody else makes it.
  private static boolean isNew(SentEntry directory) {
    if (directory == null) {
      return false;
    }
    return isAnswered(directory) ? directory.isNew : isInNew(directory);
  }

  private static boolean isInNew(SentEntry directory) {
    for (SentEntry each = directory.above; each != null && !each.isOver; each = each.above) {
      if (isAnswered(each)) {
        return each.isNew;
      }
    }
    return false;
  }
}
