package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.Held;
import dev.zcp.wire.Level;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Status;
import java.util.ArrayList;
import java.util.List;

/// The ends of files that came in blocks, and of directories. A directory is complete when it was
/// ended and all in it is over, whichever connection brings that.
final class Endings {

  private final ReceivedEntries entries;
  private final Outcomes outcomes;
  private final ReceivingTerms terms;

  Endings(ReceivedEntries entries, Outcomes outcomes, ReceivingTerms terms) {
    this.entries = entries;
    this.outcomes = outcomes;
    this.terms = terms;
  }

  void end(ReceivingConnection from, EntryEnds end, List<ReceiverAction> actions)
      throws ProtocolException {
    ReceivedUnit unit = from.arrived(0, null);
    List<Ending> toPublish = new ArrayList<>();
    for (Ending ending : end.endings()) {
      ReceivedEntry entry = entries.get(ending.fileId());
      if (entry == null) {
        outcomes.tellEnd(from, ending.fileId());
      } else if (entry.isDirectory() && entry.stage() == EntryStage.ENDING) {
        entry.askedOn(from);
      } else if (entry.stage().isPublishing()) {
        throw new ProtocolException("two ends of " + entry.id());
      } else if (!entry.stage().isAnswered()) {
        throw new ProtocolException("an end of " + entry.id() + " before its answer");
      } else {
        end(from, entry, ending, toPublish, actions);
      }
    }
    if (toPublish.isEmpty()) {
      unit.finish();
      from.advance();
      return;
    }
    actions.add(new ReceiverAction.Publish(unit.number, toPublish));
  }

  private void end(
      ReceivingConnection from,
      ReceivedEntry entry,
      Ending ending,
      List<Ending> toPublish,
      List<ReceiverAction> actions)
      throws ProtocolException {
    if (entry.isDirectory() && ending.status() == Status.OK) {
      entry.askedOn(from);
      entries.end(entry);
      entry.go(EntryEvent.END);
      return;
    }
    if (!entry.isDirectory()) {
      entry.go(EntryEvent.END, from);
    }
    if (isWell(entry, ending, actions)) {
      toPublish.add(ending);
    }
  }

  /// Whether the file can be published; else it is over.
  private boolean isWell(ReceivedEntry entry, Ending ending, List<ReceiverAction> actions)
      throws ProtocolException {
    if (ending.status() == Status.DIFFERS) {
      if (!entry.answer.mustStay()) {
        throw new ProtocolException("a difference in " + entry.id() + ", which may be replaced");
      }
      outcomes.drop(entry, entry.answer.exitCode(), entry.answer.text(), actions);
      return false;
    }
    if (ending.status() != Status.OK) {
      outcomes.drop(entry, ending.status(), actions);
      return false;
    }
    if (!entry.isFile()) {
      throw new ProtocolException("an end of " + entry.id() + ", which has none");
    }
    if (entry.inHand > 0) {
      throw new ProtocolException("an end of " + entry.id() + " before all its bytes");
    }
    boolean isAll = isPresent(entry) || entry.coverage.isWhole(ending.size());
    boolean hasSize = !entry.offered.hasSize() || entry.offered.size() == ending.size();
    entry.size = ending.size();
    entry.crc32c = ending.crc32c();
    boolean fits = terms.level() == Level.NONE || isAll && crc32c(entry) == ending.crc32c();
    if (!isAll || !hasSize || !fits) {
      outcomes.drop(entry, ExitCode.INTEGRITY, "is not what was sent", actions);
      return false;
    }
    return true;
  }

  /// Whether it is ended as it was found here.
  private static boolean isPresent(ReceivedEntry entry) {
    return entry.stage() == EntryStage.ENDING_PRESENT;
  }

  private static int crc32c(ReceivedEntry entry) {
    if (isPresent(entry)) {
      List<Held> held = entry.answer.held();
      return held.isEmpty() ? 0 : held.getFirst().crc32c();
    }
    return entry.coverage.crc32c();
  }
}
