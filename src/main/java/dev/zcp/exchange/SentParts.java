package dev.zcp.exchange;

import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The parts of a session that are not over: those that wait, in the order of the walk, and those
/// that were said.
final class SentParts {

  /// Each holds what is known of up to 512 files; those that wait want their directories open.
  private static final int WAITING_MAX = 8;

  /// Enough for a long way. Each connection may have taken one more that it has not said.
  private static final int SAID_MAX = Limits.PARTS_UNDER_WAY_MAX - Limits.CONNECTIONS_MAX;

  private final SentEntries entries;
  private final ArrayDeque<SentPart> waiting = new ArrayDeque<>();

  /// With the connection of each.
  private final List<SentUnit> said = new ArrayList<>();

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

  boolean isEmpty() {
    return waiting.isEmpty() && said.isEmpty();
  }

  void add(SentPart part) {
    waiting.addLast(part);
  }

  /// Its connection is lost.
  void addAgain(SentPart part) {
    waiting.addFirst(part);
  }

  /// The part that comes first, if it may go on `connection` now, since the receiver hears of its
  /// directories before; or if it [cannot][#comesBack] go at all. Else null.
  SentPart first(int connection) {
    SentPart first = waiting.peekFirst();
    if (first == null || first.wasSaid() || comesBack(first)) {
      return first;
    }
    for (long id : first.directoryIds()) {
      SentEntry directory = entries.get(id);
      boolean isBefore =
          directory.stage == SentStage.OFFERED
                  && directory.askedOn == connection
                  && isInNew(directory)
              || isAnswered(directory);
      if (!isBefore) {
        return null;
      }
    }
    return first;
  }

  /// Whether one of the directories existed, or was not taken.
  boolean comesBack(SentPart part) {
    if (part.wasSaid()) {
      return false;
    }
    for (long id : part.directoryIds()) {
      if (of(id) == SendingEnd.DirectoryThere.EXISTED) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnswered(SentEntry directory) {
    return directory.stage != SentStage.QUEUED && directory.stage != SentStage.OFFERED;
  }

  void take(SentPart part) {
    if (waiting.pollFirst() != part) {
      throw new IllegalStateException("another part was first");
    }
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
      if (part.wasSaid() && part.isIn(directory.id())) {
        return false;
      }
    }
    for (SentUnit unit : said) {
      if (unit.connection != connection && unit.smallFiles.isIn(directory.id())) {
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
  static boolean reject(SendingConnection from, Rejection rejection) {
    for (SentUnit unit : from.units()) {
      if (unit.smallFiles != null && unit.smallFiles.has(rejection.fileId())) {
        unit.smallFiles.reject(rejection);
        return true;
      }
    }
    return false;
  }

  /// What is known of a directory's place at the receiver.
  SendingEnd.DirectoryThere of(long directoryId) {
    SentEntry directory = entries.get(directoryId);
    if (directory == null) {
      return SendingEnd.DirectoryThere.EXISTED;
    }
    if (!isAnswered(directory)) {
      return isInNew(directory) ? SendingEnd.DirectoryThere.NEW : SendingEnd.DirectoryThere.UNKNOWN;
    }
    return directory.isNew ? SendingEnd.DirectoryThere.NEW : SendingEnd.DirectoryThere.EXISTED;
  }

  /// What is in a new directory is new, if nobody else makes it.
  private static boolean isInNew(SentEntry directory) {
    for (SentEntry each = directory.above; each != null; each = each.above) {
      if (isAnswered(each)) {
        return each.isNew;
      }
    }
    return false;
  }
}
