package dev.zcp.exchange;

import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.wire.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The parts of a session that are not over: those that wait, in the order of the walk, and those
/// that were said.
final class SentParts {

  /// Enough to keep the connections busy; each holds what is known of up to 512 files.
  private static final int PARTS_MAX = 48;

  private final SentEntries entries;
  private final ArrayDeque<SentPart> waiting = new ArrayDeque<>();

  /// With the connection of each.
  private final List<SentUnit> said = new ArrayList<>();

  SentParts(SentEntries entries) {
    this.entries = entries;
  }

  boolean hasRoom() {
    return waiting.size() + said.size() < PARTS_MAX;
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

  /// The part that may go on `connection` now, or null: the receiver must hear of its directories
  /// before.
  SentPart first(int connection) {
    SentPart first = waiting.peekFirst();
    if (first == null) {
      return null;
    }
    for (long id : first.directoryIds()) {
      SentEntry directory = entries.get(id);
      // One that is over was not taken, and then nothing in it is sent.
      if (directory != null && !isKnownOn(directory, connection)) {
        return null;
      }
    }
    return first;
  }

  private static boolean isKnownOn(SentEntry directory, int connection) {
    return switch (directory.stage) {
      case QUEUED -> false;
      case OFFERED -> directory.askedOn == connection;
      case CLAIMED, TAKEN, ARRIVED, ENDING -> true;
    };
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
      if (part.isIn(directory.id())) {
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
    if (directory.stage == SentStage.QUEUED || directory.stage == SentStage.OFFERED) {
      return isInNew(directory) ? SendingEnd.DirectoryThere.NEW : SendingEnd.DirectoryThere.UNKNOWN;
    }
    return directory.isNew ? SendingEnd.DirectoryThere.NEW : SendingEnd.DirectoryThere.EXISTED;
  }

  /// What is in a new directory is new, if nobody else makes it.
  private static boolean isInNew(SentEntry directory) {
    for (SentEntry each = directory.above; each != null; each = each.above) {
      if (each.stage != SentStage.QUEUED && each.stage != SentStage.OFFERED) {
        return each.isNew;
      }
    }
    return false;
  }
}
