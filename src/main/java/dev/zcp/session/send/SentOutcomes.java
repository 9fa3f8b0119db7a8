package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Printable;
import dev.zcp.core.Span;
import dev.zcp.exchange.SenderEvent;
import dev.zcp.exchange.SentEntry;
import dev.zcp.exchange.SentPart;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight;
import dev.zcp.session.Kinds;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.wire.Answer.AnswerKind;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Held;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Status;
import dev.zcp.wire.Wants.Want;
import java.util.List;

/// What becomes of the entries of a session, as its receiver's words tell: looks at sources again
/// once all of them has arrived, and tells the report and the walk of each that is over.
///
/// Any thread may call it.
final class SentOutcomes {

  private static final String ACCEPTED =
      "changed while it was read: what was sent mixes old and new content";

  private final SendingSession session;
  private final Insight insight;
  private final Policy policy;
  private final Sending sending;
  private final HeldComparison comparison;

  /// Whether all directories are there, since the shards of a plan have made them.
  private final boolean finishesPlan;

  private volatile long surplusTold;

  SentOutcomes(SendingSession session, Insight insight, SendRequest request) {
    this.session = session;
    this.insight = insight;
    this.policy = request.policy();
    this.sending = request.sending();
    this.comparison = new HeldComparison(session, sending.resumeVerify());
    this.finishesPlan = request.selection().isFor(ListUse.FINISH);
  }

  void take(List<SenderEvent> heard) {
    heard.forEach(this::take);
  }

  // A chain and no switch over the patterns, whose first use costs every process 3 ms.
  private void take(SenderEvent events) {
    if (events instanceof SenderEvent.Done(SentEntry entry, long bytesResumed)) {
      done((Outgoing) entry, bytesResumed);
    } else if (events instanceof SenderEvent.Progress(long bytes)) {
      insight.ofSession().acknowledged(session.acknowledged(bytes));
    } else if (events instanceof SenderEvent.AllArrived(SentEntry entry)) {
      allArrived((Outgoing) entry);
    } else if (events instanceof SenderEvent.Failed(SentEntry entry, ExitCode code, String text)) {
      failed((Outgoing) entry, code, text);
    } else if (events instanceof SenderEvent.Spoilt(SentEntry entry, ExitCode code, String text)) {
      spoilt((Outgoing) entry, code, text);
    } else if (events instanceof SenderEvent.GivenUp(SentEntry entry)) {
      failed((Outgoing) entry, ExitCode.SOURCE, "given up");
    } else if (events instanceof SenderEvent.Declined(SentEntry entry, String text)) {
      declined((Outgoing) entry, text);
    } else if (events instanceof SenderEvent.Kept(SentEntry entry)) {
      kept((Outgoing) entry);
    } else if (events instanceof SenderEvent.Planned(SentEntry entry, AnswerKind answer)) {
      planned((Outgoing) entry, answer);
    } else if (events instanceof SenderEvent.Surplus(List<Bytes> paths)) {
      surplus(paths);
    } else if (events instanceof SenderEvent.Claimed(SentEntry entry, List<Held> held)) {
      comparison.check((Outgoing) entry, held);
    } else if (events instanceof SenderEvent.Whole(SentEntry entry)) {
      comparison.show((Outgoing) entry);
    } else if (events instanceof SenderEvent.Based(SentEntry entry, int connection)) {
      comparison.cut((Outgoing) entry, connection);
    } else if (events instanceof SenderEvent.PartOver(SentPart part)) {
      over((OutgoingPart) part);
    } else if (events instanceof SenderEvent.Damaged(SentEntry _, Span span)) {
      insight.ofSession().resent(span.length());
    } else {
      session.ofTheWhole(events);
    }
  }

  private void allArrived(Outgoing outgoing) {
    outgoing.needNoBytes();
    if (outgoing.isUnchanged() || accepts(outgoing.label())) {
      session.end(outgoing, Status.OK);
      outgoing.sent();
    } else {
      outgoing.change(outgoing.changed());
      session.end(outgoing, Status.CHANGED);
    }
  }

  /// Whether a source that changed is to go on as if it had not; the user is told then.
  boolean accepts(Object label) {
    if (policy.onChange() != OnChange.ACCEPT) {
      return false;
    }
    insight.note(label + ": " + ACCEPTED);
    return true;
  }

  /// Whether a source that changed is not to be read once more.
  boolean failsIfChanged() {
    return policy.onChange() == OnChange.FAIL;
  }

  private void done(Outgoing outgoing, long bytesResumed) {
    if (outgoing.failure() != null && outgoing.isUnderWay) {
      over(outgoing, outgoing.failure());
      return;
    }
    if (finishesPlan && outgoing.isNew()) {
      session.fail(
          Failure.of(ExitCode.DESTINATION, outgoing.label().toString(), "had no directory there")
              .with("name the TARGET that the shards were copied to"));
      return;
    }
    if (!session.remove(outgoing)) {
      return;
    }
    if (outgoing.isFile()) {
      if (bytesResumed > 0 && outgoing.sums() != null) {
        insight.ofSession().reused(bytesResumed);
      } else if (bytesResumed > 0 && bytesResumed == outgoing.size()) {
        insight.ofSession().alreadyThere(bytesResumed);
      } else if (bytesResumed > 0) {
        insight.ofSession().resumed(bytesResumed);
      }
      if (insight.tellsDurable() && outgoing.size() >= 0) {
        insight.durable(outgoing.size() - bytesResumed);
      }
      Agreement agreement = session.agreement();
      agreement.believed(outgoing.bytesBelieved());
      boolean isProved = outgoing.bytesBelieved() == 0;
      outgoing.log().done(isProved ? agreement.level() : Level.NONE);
    } else if (isMade(outgoing) && !sending.dryRun()) {
      insight.made(Kinds.made(outgoing.kind()));
    }
    book(outgoing, null);
  }

  /// A receiver that has former copies does not tell whether it has made a directory.
  private boolean isMade(Outgoing outgoing) {
    boolean isMade =
        !outgoing.isDirectory() || outgoing.isNew() || !policy.formerCopies().isEmpty();
    return isMade && !outgoing.path().isTop();
  }

  /// The files of a part are over.
  private void over(OutgoingPart part) {
    Level reached = session.agreement().level();
    long nowNs = System.nanoTime();
    long[] elapsedNs = new long[part.count];
    long bytes = 0;
    int taken = 0;
    OutgoingPart wanted = null;
    for (int i = 0; i < part.count; i++) {
      Rejection rejection = part.rejection(i);
      if (rejection instanceof Rejection.Wanted) {
        wanted = wanted == null ? new OutgoingPart(part.visitor) : wanted;
        wanted.add(part.entries[i], part.statuses[i], part.runs[i].directory());
        part.leaveLog(i);
        continue;
      }
      if (rejection instanceof Rejection.Refused(_, ExitCode exitCode, String text)) {
        if (!part.runs[i].isVain()) {
          refused(part, i, refusal(part.entries[i], exitCode, text));
        }
      } else if (rejection != null || part.want(i) == Want.NOTHING) {
        part.leaveLog(i);
        kept(part, i);
        continue;
      } else {
        if (part.want(i) == Want.DIGEST) {
          insight.ofSession().alreadyThere(part.sizes[i]);
        } else {
          bytes += part.sizes[i];
        }
        if (part.logs == null) {
          elapsedNs[taken++] = nowNs - part.beganNs[i];
        } else {
          part.logs[i].done(reached);
        }
      }
      part.visitor.over(part.entries[i], part.statuses[i], rejection == null, part.fileId(i));
    }
    insight.smallDone(elapsedNs, taken, reached);
    if (insight.tellsDurable()) {
      insight.durable(bytes);
    }
    if (wanted != null) {
      wanted.wantAll();
      session.queueNext(wanted);
    }
    part.sent();
    session.partOver(part);
  }

  /// What has the name of a file of a part stays, and the file is over.
  void kept(OutgoingPart part, int index) {
    insight.kept(part.entries[index], whyKept());
    boolean isThere = policy.existing() != Existing.KEEP;
    part.visitor.over(part.entries[index], part.statuses[index], isThere, part.fileId(index));
  }

  private void refused(OutgoingPart part, int index, Failure why) {
    session.end().note(why.exitCode(), why.getMessage());
    part.log(index, insight).failed(why);
  }

  private void declined(Outgoing outgoing, String text) {
    if (!session.remove(outgoing)) {
      return;
    }
    if (outgoing.kind() == EntryKind.SOCKET) {
      insight.skipped(outgoing.label().toString(), "is a socket, and is not sent");
    } else if (!outgoing.isBelowRefused()) {
      insight.declined(Kinds.label(outgoing.kind()), outgoing.label(), Printable.of(text));
    }
    outgoing.over(false);
  }

  private void kept(Outgoing outgoing) {
    if (!session.remove(outgoing)) {
      return;
    }
    if (!sending.dryRun()) {
      insight.kept(outgoing.label(), whyKept());
    } else if (insight.hearsEachFile()) {
      tellPlan(outgoing, Planned.KEEP);
    } else {
      insight.plannedToKeep();
    }
    outgoing.over(policy.existing() != Existing.KEEP);
  }

  /// A dry run says what would become of an entry. A directory goes on.
  private void planned(Outgoing outgoing, AnswerKind answer) {
    boolean isOver = !outgoing.isDirectory();
    if (isOver && !session.remove(outgoing)) {
      return;
    }
    tellPlan(outgoing, Kinds.planned(answer, outgoing.kind()));
    if (isOver) {
      outgoing.over(true);
    }
  }

  private void tellPlan(Outgoing outgoing, Planned plan) {
    boolean isReplaced = plan == Planned.REPLACE;
    boolean isMoved = outgoing.isFile() && (plan == Planned.COPY || isReplaced);
    String name = outgoing.label().toString();
    String place = there(outgoing.path().isTop() ? "" : outgoing.path().toString());
    long bytes = isMoved && !outgoing.isStream() ? outgoing.size() : -1;
    if (isReplaced) {
      insight.plannedToReplace(Kinds.planned(outgoing.kind()), name, place, bytes);
    } else {
      insight.planned(plan, name, place, bytes);
    }
  }

  private String there(String path) {
    String prefix = sending.there();
    boolean isDirectoryItself = path.isEmpty() && prefix.length() > 1 && prefix.endsWith("/");
    return isDirectoryItself ? prefix.substring(0, prefix.length() - 1) : prefix + path;
  }

  private void surplus(List<Bytes> paths) {
    for (Bytes path : paths) {
      String name = there(Printable.of(path.bytes()));
      insight.planned(Planned.DELETE, name, name, -1);
    }
    surplusTold = paths.size();
  }

  /// How many entries would be deleted there whose names were told.
  long surplusTold() {
    return surplusTold;
  }

  private String whyKept() {
    return switch (policy.existing()) {
      case KEEP -> "exists there and is kept";
      case OLDER -> "is not newer than the file there";
      case REPLACE, REFUSE, ASK, ASK_IF_OLDER ->
          "has the size and the modification time of the file there";
    };
  }

  private void failed(Outgoing outgoing, ExitCode exitCode, String text) {
    if (outgoing.isUnderWay && goesAgain(outgoing, exitCode)) {
      session.removeToOfferAnew(outgoing);
    } else if (outgoing.isUnderWay) {
      fail(outgoing, exitCode, text);
    }
  }

  private void spoilt(Outgoing outgoing, ExitCode exitCode, String text) {
    // What goes again does so once the receiver has let go of it, or it would be in its own way.
    if (outgoing.isUnderWay && !goesAgain(outgoing, exitCode)) {
      fail(outgoing, exitCode, text);
    }
  }

  /// Whether what failed is to be offered once more, since its source has changed.
  private boolean goesAgain(Outgoing outgoing, ExitCode exitCode) {
    if (outgoing.failure() == null && exitCode == ExitCode.INTEGRITY && !outgoing.isUnchanged()) {
      // Digests that differ over a source that was written to meanwhile are the writer's doing.
      outgoing.change(outgoing.changed());
    }
    return outgoing.hasChanged()
        && policy.onChange() != OnChange.FAIL
        && !outgoing.isSecondTry
        && outgoing.mayComeAnew();
  }

  private void fail(Outgoing outgoing, ExitCode exitCode, String text) {
    Failure own = outgoing.failure();
    over(outgoing, own != null ? own : refusal(outgoing.label(), exitCode, text));
  }

  /// What was under way, or was to be offered anew, has failed.
  void over(Outgoing outgoing, Failure cause) {
    // The last word may come as soon as nothing is under way.
    if (!outgoing.isBelowRefused()) {
      session.end().note(cause.exitCode(), cause.getMessage());
    }
    session.remove(outgoing);
    book(outgoing, cause);
  }

  static Failure refusal(Object label, ExitCode exitCode, String text) {
    boolean isOfTheWay = exitCode == ExitCode.INTEGRITY || exitCode == ExitCode.NETWORK;
    String why = isOfTheWay ? "" : "refused there: ";
    return Failure.of(exitCode, label.toString(), why + Printable.of(text)).ofPeer();
  }

  /// An entry is over, and need not be known of any more.
  ///
  /// @param cause null if all is well
  private void book(Outgoing outgoing, Failure cause) {
    if (cause != null && !outgoing.isBelowRefused()) {
      outgoing.log().failed(cause);
    }
    outgoing.over(cause == null);
  }
}
