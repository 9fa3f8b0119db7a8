package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.ProtocolException;
import java.util.ArrayList;
import java.util.List;

/// What a receiver is offered, once or again.
final class ReceivedOffers {

  private static final String NO_DIRECTORY = "its directory was not offered, or not taken";

  private final ReceivedEntries entries;
  private final ReceivingTerms terms;

  ReceivedOffers(ReceivedEntries entries, ReceivingTerms terms) {
    this.entries = entries;
    this.terms = terms;
  }

  void offer(ReceivingConnection from, Offer offer, List<ReceiverAction> actions)
      throws ProtocolException {
    List<Offered> added = new ArrayList<>();
    for (Offered entry : offer.entries()) {
      if (entries.isNew(entry.fileId())) {
        requireFirst(entry);
        ReceivedEntry more = entries.add(entry);
        if (more == null) {
          refuse(from, entry, actions);
          continue;
        }
        more.askedOn(from);
        more.go(EntryEvent.CONSIDER, from);
        if (Offers.isLarge(entry)) {
          entries.count(more, terms.filesMax());
        }
        added.add(more.offered);
      } else {
        repeated(from, entry, added);
      }
    }
    if (!added.isEmpty()) {
      actions.add(new ReceiverAction.Consider(added));
    }
  }

  /// Only directories that were offered are made. What is in one that failed fails with it.
  private void refuse(ReceivingConnection from, Offered entry, List<ReceiverAction> actions)
      throws ProtocolException {
    Answer why = Answer.failed(entry.fileId(), ExitCode.DESTINATION, NO_DIRECTORY);
    entries.refuse(why);
    from.say(why);
    actions.add(new ReceiverAction.Refuse(entry, NO_DIRECTORY));
  }

  /// A hard link is one to what is there.
  private void requireFirst(Offered entry) throws ProtocolException {
    if (entry.kind() == EntryKind.HARD_LINK
        && (entries.isNew(entry.firstId())
            || entries.find(entry.firstId()) != null
            || entries.failure(entry.firstId()) != null)) {
      throw new ProtocolException("a link to " + entry.firstId() + ", which is not there");
    }
  }

  private void repeated(ReceivingConnection from, Offered offered, List<Offered> added)
      throws ProtocolException {
    ReceivedEntry entry = entries.find(offered.fileId());
    if (entry == null) {
      repeatedAfterItsEnd(from, offered);
    } else if (!entry.isSame(offered)) {
      throw new ProtocolException("another entry with the id " + offered.fileId());
    } else if (!entry.stage().isAnswered()) {
      entry.askedOn(from);
      if (entry.stage() == EntryStage.OFFERED) {
        entry.go(EntryEvent.CONSIDER, from);
        added.add(entry.offered);
      }
    } else {
      from.say(entry.answer);
    }
  }

  private void repeatedAfterItsEnd(ReceivingConnection from, Offered offered)
      throws ProtocolException {
    Answer answer = entries.lastAnswer(offered.fileId());
    boolean isMade = offered.kind() != EntryKind.FILE && offered.kind() != EntryKind.DIRECTORY;
    if (answer != null) {
      from.say(answer);
    } else if (isMade) {
      from.say(Answer.of(offered.fileId(), Answer.AnswerKind.MADE));
    } else {
      // It comes late, over a connection that was given up: nobody waits for the answer.
      from.say(Answer.of(offered.fileId(), Answer.AnswerKind.ALL));
    }
  }
}
