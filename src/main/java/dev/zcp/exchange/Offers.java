package dev.zcp.exchange;

import dev.zcp.wire.Limits;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The entries that are to be offered, in the order of their ids.
///
/// The receiver must hear of a directory before it hears of what is in it, so offers go over one
/// connection as long as any of them is without its answer.
final class Offers {

  /// Entries in one frame: enough to make a round trip cheap, few enough that answers begin early.
  private static final int ENTRIES_MAX = 512;

  /// Large files that may be offered before the receiver said how many it takes: every receiver
  /// takes one.
  static final int FILES_BEFORE_TERMS = 1;

  private final SentEntries entries;

  private final ArrayDeque<SentEntry> queue = new ArrayDeque<>();

  /// The connection that answers are due on, or -1; and how many.
  private int offering = -1;

  private int unanswered;

  Offers(SentEntries entries) {
    this.entries = entries;
  }

  void add(SentEntry entry) {
    queue.addLast(entry);
  }

  boolean awaitsAnswers(int connection) {
    return unanswered > 0 && offering == connection;
  }

  /// Whether what is said on `connection` now comes to the receiver behind all offers.
  boolean isBehindAll(int connection) {
    return queue.isEmpty() && (offering == -1 || offering == connection);
  }

  boolean isAllAnswered() {
    return unanswered == 0 && queue.isEmpty();
  }

  /// What to offer on `connection`, or null.
  ///
  /// @param filesMax how many large files may be under way
  Offer next(int connection, int filesMax) {
    if (queue.isEmpty() || offering != -1 && offering != connection) {
      return null;
    }
    List<Offered> offered = new ArrayList<>();
    int counted = entries.counted();
    for (SentEntry entry : queue) {
      if (isLarge(entry.offered()) && !entry.isCounted) {
        counted++;
        if (counted > filesMax) {
          break;
        }
      }
      offered.add(entry.offered());
      if (offered.size() == ENTRIES_MAX) {
        break;
      }
    }
    if (offered.isEmpty()) {
      return null;
    }
    Offer offer = Offer.of(offered).getFirst();
    for (Offered each : offer.entries()) {
      SentEntry entry = queue.removeFirst();
      entry.stage = SentEntry.SentStage.OFFERED;
      entry.askedOn = connection;
      if (isLarge(each)) {
        entries.count(entry);
      }
    }
    offering = connection;
    unanswered += offer.entries().size();
    return offer;
  }

  /// An [offered][SentEntry.SentStage#OFFERED] entry has its answer.
  void answered() {
    unanswered--;
    if (unanswered == 0) {
      offering = -1;
    }
  }

  /// A connection is lost: what has no answer is offered again, or ended again.
  void down(int connection, Delivery delivery) {
    List<SentEntry> again = new ArrayList<>();
    for (SentEntry entry : entries.all()) {
      if (entry.isAnswerDue() && entry.askedOn == connection) {
        entry.stage = SentEntry.SentStage.QUEUED;
        entry.askedOn = -1;
        again.add(entry);
      } else if (entry.stage == SentEntry.SentStage.ENDING && entry.askedOn == connection) {
        entry.askedOn = -1;
        delivery.lostEnd(entry);
      }
    }
    // They were offered before all that is queued.
    for (SentEntry entry : again.reversed()) {
      queue.addFirst(entry);
    }
    if (offering == connection) {
      offering = -1;
      unanswered = 0;
    }
  }

  /// Whether a file does not fit a part, and so may have to be kept open from now on.
  static boolean isLarge(Offered entry) {
    return !entry.hasSize() || entry.size() > Limits.PART_BYTES_MAX;
  }
}
