package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Kept;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Rejection.Wanted;
import dev.zcp.wire.Reply;
import dev.zcp.wire.SurplusNames;
import dev.zcp.wire.Verdicts;
import dev.zcp.wire.Wants;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// What a sender makes of its receiver's words.
final class ReplyHandler {

  private final SentEntries entries;
  private final Offers offers;
  private final Delivery delivery;

  /// Null until the session has [begun][SendingEnd#begin].
  private Manifest asked;

  private Done lastWord;

  /// What would be deleted, as a connection told of it, and its number. If that is lost, another
  /// one tells all of it.
  private final List<Bytes> surplus = new ArrayList<>();

  private int surplusBytes;
  private int surplusOn = -1;

  ReplyHandler(SentEntries entries, Offers offers, Delivery delivery) {
    this.entries = entries;
    this.offers = offers;
    this.delivery = delivery;
  }

  void begin(Manifest manifest) {
    asked = manifest;
  }

  Manifest asked() {
    return asked;
  }

  boolean isOver() {
    return lastWord != null;
  }

  Done lastWord() {
    return lastWord;
  }

  List<SenderEvent> onFrame(SendingConnection from, Frame frame) throws ProtocolException {
    List<SenderEvent> events = entries.collect();
    switch (frame.type()) {
      case ACCEPT -> accept((Accept) frame);
      case REPLY -> reply(from, (Reply) frame);
      case WANTS -> wants(from, (Wants) frame);
      case VERDICTS -> verdicts(from, (Verdicts) frame);
      case SURPLUS -> surplus(from, (SurplusNames) frame);
      case BEAT -> {}
      case MANIFEST, OFFER, PART, SHOW, CHUNKS, DATA, TRAILER, END, LOST, DONE, LIMITED ->
          throw new ProtocolException("the receiver said " + frame.type());
    }
    return events;
  }

  private void accept(Accept terms) throws ProtocolException {
    if (asked == null) {
      throw new ProtocolException("terms before the manifest");
    }
    // There may be nothing to be read again there, but there is always a way to be proved.
    boolean isDigested = terms.level() != Level.NONE || asked.level() == Level.NONE;
    if (!isDigested || terms.digest().compareTo(asked.digest()) < 0) {
      throw new ProtocolException("accepted with level " + terms.level() + " by " + terms.digest());
    }
    int unasked = terms.keeps() & ~asked.keeps();
    if (unasked != 0) {
      throw new ProtocolException(
          "keeps what was not asked for: 0x" + Integer.toHexString(unasked));
    }
    if (delivery.terms() == null) {
      delivery.accept(terms);
      entries.tell(new SenderEvent.Accepted(terms));
    } else if (!terms.equals(delivery.terms())) {
      // The second of two is the answer to a manifest that was repeated.
      throw new ProtocolException("other terms than before");
    }
  }

  private void surplus(SendingConnection from, SurplusNames names) throws ProtocolException {
    if (asked == null || !asked.dryRun()) {
      throw new ProtocolException("what would be deleted, and this is no dry run");
    }
    if (surplusOn != from.number) {
      surplusOn = from.number;
      surplus.clear();
      surplusBytes = 0;
    }
    surplus.addAll(names.paths());
    surplusBytes += names.payloadBytes();
    if (surplusBytes > Limits.SURPLUS_BYTES_MAX) {
      throw new ProtocolException(
          "names that would be deleted in more than " + Limits.SURPLUS_BYTES_MAX + " bytes");
    }
  }

  private void requireTerms() throws ProtocolException {
    if (delivery.terms() == null) {
      throw new ProtocolException("an answer before the terms");
    }
  }

  private void wants(SendingConnection from, Wants wants) throws ProtocolException {
    requireTerms();
    requireMayKeep(wants.isAny(Wants.Want.KEPT));
    entries.parts().answered(from, wants);
  }

  private void reply(SendingConnection from, Reply reply) throws ProtocolException {
    requireTerms();
    for (Answer answer : reply.answers()) {
      SentEntry entry = entries.get(answer.fileId());
      if (entry == null || entry.askedOn != from.number) {
        throw new ProtocolException("an answer for " + answer.fileId() + ", which was not due");
      }
      if (entry.stage == SentStage.ENDING) {
        ended(entry, answer);
      } else if (answer.kind() == Answer.AnswerKind.BASE) {
        based(from, entry, answer);
      } else {
        entry.askedOn = -1;
        answered(from, entry);
        answered(entry, answer);
      }
    }
  }

  private void answered(SendingConnection from, SentEntry entry) throws ProtocolException {
    if (entry.stage == SentStage.OFFERED) {
      offers.answered();
    } else if (entry.stage == SentStage.REBUILDING) {
      from.rebuilding--;
    } else {
      throw new ProtocolException("an answer for " + entry.fileId() + " before all its chunks");
    }
  }

  /// The receiver has another version of a file, and is to be told of its chunks.
  private void based(SendingConnection from, SentEntry entry, Answer answer)
      throws ProtocolException {
    boolean isCut = isOfSize(entry) && !delivery.terms().inOrder();
    require(entry.stage == SentStage.OFFERED && asked.cuts() && !asked.dryRun() && isCut, answer);
    offers.answered();
    from.cutting++;
    entry.stage = SentStage.CUTTING;
    entries.tell(new SenderEvent.Based(entry, from.number));
  }

  private void ended(SentEntry entry, Answer answer) throws ProtocolException {
    if (answer.kind() == Answer.AnswerKind.FAILED) {
      delivery.refused(entry, answer.exitCode(), answer.text());
      return;
    }
    require(answer.kind() == Answer.AnswerKind.MADE, answer);
    // A receiver that hears END of an entry that is over says MADE, of files too: it may not know
    // any more which it was. The END of a file is acknowledged as well, and that counts.
    if (entry.isDirectory()) {
      delivery.finish(entry);
    }
  }

  private void answered(SentEntry entry, Answer answer) throws ProtocolException {
    boolean isDryRun = asked.dryRun();
    switch (answer.kind()) {
      case ALL -> {
        require(entry.isDirectory() || entry.isFile() && !isDryRun, answer);
        delivery.begin(entry);
      }
      case NEW -> {
        require(entry.isDirectory(), answer);
        entry.isNew = true;
        if (isDryRun) {
          entries.tell(new SenderEvent.Planned(entry, answer.kind()));
        }
        delivery.begin(entry);
      }
      case CREATE, REPLACE -> {
        require(!entry.isDirectory() && isDryRun, answer);
        delivery.over(entry, new SenderEvent.Planned(entry, answer.kind()));
      }
      case CORRECT -> {
        require(isDryRun, answer);
        if (entry.isDirectory()) {
          entries.tell(new SenderEvent.Planned(entry, answer.kind()));
          delivery.begin(entry);
        } else {
          delivery.over(entry, new SenderEvent.Planned(entry, answer.kind()));
        }
      }
      case REST -> {
        require(isOfSize(entry) && !isDryRun && !answer.held().isEmpty(), answer);
        require(answer.held().getLast().span().end() <= entry.offered().size(), answer);
        if (entry.ending == null) {
          entries.hold(entry, answer.held());
        }
        if (entries.held() > Limits.HELD_OF_ALL_MAX) {
          throw new ProtocolException("more than " + Limits.HELD_OF_ALL_MAX + " spans claimed");
        }
        compare(entry, SentStage.CLAIMED, new SenderEvent.Claimed(entry, answer.held()));
      }
      case WHOLE -> {
        require(isOfSize(entry) && !isDryRun, answer);
        compare(entry, SentStage.SHOWN, new SenderEvent.Whole(entry));
      }
      case BASE -> throw new IllegalStateException("no answer");
      case MADE -> {
        require(!entry.isFile() && !entry.isDirectory() && !isDryRun, answer);
        delivery.finish(entry);
      }
      case DECLINED -> delivery.over(entry, new SenderEvent.Declined(entry, answer.text()));
      case FAILED -> delivery.refused(entry, answer.exitCode(), answer.text());
      case KEPT -> {
        boolean mayKeep = asked.keepExisting() != KeepExisting.NONE || isDryRun;
        require(!entry.isDirectory() && mayKeep, answer);
        delivery.over(entry, new SenderEvent.Kept(entry));
      }
    }
  }

  private static boolean isOfSize(SentEntry entry) {
    return entry.isFile() && !entry.isStream();
  }

  /// What the receiver has is compared, unless the source has failed meanwhile.
  private void compare(SentEntry entry, SentStage stage, SenderEvent event) {
    if (entry.ending != null) {
      delivery.goOn(entry, List.of());
      return;
    }
    entry.stage = stage;
    entries.tell(event);
  }

  private static void require(boolean fits, Answer answer) throws ProtocolException {
    if (!fits) {
      throw new ProtocolException(answer.kind() + " for " + answer.fileId() + ", which is another");
    }
  }

  private void verdicts(SendingConnection from, Verdicts verdicts) throws ProtocolException {
    for (Rejection rejection : verdicts.rejections()) {
      if (SentParts.reject(from, rejection)) {
        requireMayKeep(rejection instanceof Kept);
        // The receiver does not answer an early last word after it.
        entries.failed();
      } else if (rejection instanceof Refused refused) {
        refused(refused);
      } else if (rejection instanceof Again again) {
        again(from, again);
      } else if (rejection instanceof Wanted wanted) {
        wanted(from, wanted);
      } else {
        throw new ProtocolException(
            "file " + rejection.fileId() + " kept, which is in no part under way");
      }
    }
    long before = delivery.acknowledgedBytes();
    for (SentUnit unit : from.acknowledge(verdicts.units())) {
      requireMayKeep(unit);
      delivery.acknowledged(unit);
    }
    tellProgress(before);
  }

  private void requireMayKeep(SentUnit unit) throws ProtocolException {
    requireMayKeep(unit.smallFiles != null && unit.smallFiles.isAnyKept());
  }

  private void requireMayKeep(boolean keeps) throws ProtocolException {
    if (keeps && asked.keepExisting() == KeepExisting.NONE) {
      throw new ProtocolException("the receiver keeps what exists, which nobody asked for");
    }
  }

  private void tellProgress(long before) {
    if (delivery.acknowledgedBytes() > before) {
      entries.tell(new SenderEvent.Progress(delivery.acknowledgedBytes()));
    }
  }

  private void refused(Refused refused) throws ProtocolException {
    if (refused.fileId() >= entries.nextFileId()) {
      throw new ProtocolException("file " + refused.fileId() + " refused, which was never offered");
    }
    SentEntry entry = entries.get(refused.fileId());
    // Its answer, which went down with a connection, will be repeated, and tell the same.
    if (entry == null || entry.stage == SentStage.QUEUED || entry.isAnswerDue()) {
      return;
    }
    delivery.refused(entry, refused.exitCode(), refused.text());
  }

  private void wanted(SendingConnection from, Wanted wanted) throws ProtocolException {
    for (SentUnit unit : from.units()) {
      if (unit.shown != null && unit.shown.fileId() == wanted.fileId()) {
        unit.shown.isWanted = true;
        // The receiver does not answer an early last word after it.
        entries.failed();
        return;
      }
    }
    throw new ProtocolException("file " + wanted.fileId() + " wanted, which was not shown");
  }

  private void again(SendingConnection from, Again again) throws ProtocolException {
    for (SentUnit unit : from.units()) {
      if (isBlock(unit, again)) {
        delivery.blockAgain(unit);
        return;
      }
    }
    throw new ProtocolException("bytes of " + again.fileId() + " again that are not under way");
  }

  private static boolean isBlock(SentUnit unit, Again again) {
    return unit.blockOf != null
        && unit.blockOf.fileId() == again.fileId()
        && !unit.isDamaged
        && unit.unsent.span().equals(again.span());
  }

  /// @param ownLastWord what this end said before, or is about to; or null
  List<SenderEvent> done(Done done, Done ownLastWord, Collection<SendingConnection> connections)
      throws ProtocolException {
    List<SenderEvent> events = entries.collect();
    boolean isWell = done.isWell();
    boolean isEarly = ownLastWord != null && ownLastWord.isEarly();
    // After a failure the receiver does not answer an early word.
    boolean isAnswer = isEarly && isSame(done, ownLastWord) && !entries.isAnyFailed();
    boolean isDue = isEarly ? isAnswer || entries.isEmpty() : ownLastWord != null;
    if (isWell && !isDue) {
      throw new ProtocolException("the receiver's last word before all is over");
    }
    // A connection may bring it before another one brings the terms; it counts for nothing then.
    if (delivery.terms() != null && done.level().compareTo(delivery.level()) > 0) {
      throw new ProtocolException("proved to " + done.level() + ", promised " + delivery.level());
    }
    lastWord = done;
    if (!surplus.isEmpty()) {
      entries.tell(new SenderEvent.Surplus(List.copyOf(surplus)));
    }
    if (isAnswer) {
      for (SendingConnection each : connections) {
        for (SentUnit unit : each.units()) {
          requireMayKeep(unit);
        }
      }
      long before = delivery.acknowledgedBytes();
      delivery.allArrived(connections);
      tellProgress(before);
    }
    boolean isKnown = done.exitCode() == ExitCode.OK || entries.hasFailures();
    boolean isSame = ownLastWord != null && entries.isEmpty() && entries.agreesWith(done);
    if (isSame && isKnown) {
      entries.tell(new SenderEvent.Over());
    } else if (isWell && !isSame) {
      String text = "what arrived is not what was sent: the counts of both ends differ";
      entries.tell(new SenderEvent.GaveUp(ExitCode.INTEGRITY, text));
    } else {
      String why = done.text().isEmpty() ? "" : ": " + done.text();
      String what = isSame ? "all arrived, but the receiver failed" : "the receiver gave up";
      entries.tell(new SenderEvent.GaveUp(done.exitCode(), what + why));
    }
    return events;
  }

  private static boolean isSame(Done one, Done other) {
    return one.entries() == other.entries()
        && one.bytes() == other.bytes()
        && one.digest().equals(other.digest());
  }
}
