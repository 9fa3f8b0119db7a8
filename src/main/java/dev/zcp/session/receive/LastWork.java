package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.exchange.ReceivingEnd;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Done;
import dev.zcp.wire.Limits;
import dev.zcp.wire.SurplusNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// What went wrong in a session first, what is left to do when all its entries are over, and what
/// this end then tells the sender. Any thread may call it.
final class LastWork {

  private final ReceivingEnd end;
  private final Insight insight;

  /// What would be deleted; belongs to the worker that deletes, then to who says goodbye.
  private final List<Bytes> surplus = new ArrayList<>();

  private long surplusBytes;

  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicLong deletions = new AtomicLong();
  private volatile ExitCode firstFailure = ExitCode.OK;

  /// The sender's last word; null before.
  private volatile ReceiverAction.Over saidLast;

  /// What could not be done of what was left, the first of it; null if all could.
  private volatile Failure undone;

  LastWork(ReceivingEnd end, Insight insight) {
    this.end = end;
    this.insight = insight;
  }

  /// Something did not go well: the first of such decides what this end tells the other. That
  /// something vanished counts less than anything else.
  synchronized void note(ExitCode outcome) {
    if (mayDelete(firstFailure)) {
      firstFailure = outcome;
    }
  }

  /// All is over. If the sender says so again, that is the word that is answered.
  void heard(ReceiverAction.Over over) {
    saidLast = over;
  }

  /// Whether what is left is to be done by the one who asks: the first.
  boolean begin() {
    return begun.compareAndSet(false, true);
  }

  /// Deletes and forces, as far as the session's user asked for it. May take long.
  void run(Place place, RawPath directory) {
    boolean isWell =
        mayDelete(firstFailure) && mayDelete(saidLast.exitCode()) && !saidLast.lacksNames();
    if (place.deletes() && !isWell) {
      insight.note("--delete: nothing is deleted, since something failed");
    }
    try {
      if (place.deletes() && isWell) {
        place.deleteSurplus();
      }
    } catch (Failure failure) {
      insight.failed(failure);
      undone(failure);
    }
    try {
      place.durability().finish(directory);
    } catch (Failure failure) {
      insight.failed(failure);
      undone(failure);
    }
  }

  /// What vanished is not in the source: all else was read.
  private static boolean mayDelete(ExitCode outcome) {
    return outcome == ExitCode.OK || outcome == ExitCode.VANISHED;
  }

  void deleted(Object name) {
    deletions.incrementAndGet();
    insight.deleted(name);
  }

  /// Of what is more, the other end hears the number.
  void wouldDelete(byte[] path) {
    deletions.incrementAndGet();
    long bytes = surplusBytes + path.length + SurplusNames.HEAD_BYTES;
    if (path.length <= Limits.PATH_BYTES_MAX && bytes <= Limits.SURPLUS_BYTES_MAX) {
      surplus.add(Bytes.of(path));
      surplusBytes = bytes;
    }
  }

  /// An entry that should have been deleted was not.
  void failed(Object name, Failure failure) {
    insight.begin(name, -1, Stage.RECEIVE).failed(failure);
    undone(failure);
  }

  private synchronized void undone(Failure failure) {
    note(failure.exitCode());
    if (undone == null) {
      undone = failure;
    }
  }

  /// @param place null if there is none
  void sayGoodbye(Place place) {
    ExitCode own = firstFailure;
    ExitCode said = saidLast.exitCode();
    ExitCode code = mayDelete(own) && said != ExitCode.OK ? said : own;
    Failure why = undone;
    List<Loss> lost = place == null ? List.of() : place.notKept();
    long losses = 0;
    boolean isUsual = !lost.isEmpty();
    List<String> inWords = new ArrayList<>();
    for (Loss loss : lost) {
      Event.Lost told = loss.told();
      losses += told.entries();
      isUsual &= told.isUsual();
      inWords.add(told.sentence());
    }
    boolean losesOwners = place != null && place.losesOwners();
    long corrections = place == null ? 0 : place.corrections();
    insight.corrected(corrections);
    end.sayGoodbye(
        code,
        new Done.Tally(losses, losesOwners, isUsual, deletions.get(), corrections),
        why != null ? why.getMessage() : code == ExitCode.OK ? String.join("; ", inWords) : "",
        surplus);
  }

  /// Tells the user what the sender could not do. Only if no file tells, which another thread may
  /// have dropped after the last word was heard. That a file vanished tells nothing of the others.
  void tellWhatTheSenderCouldNot(String peer) {
    ReceiverAction.Over over = saidLast;
    ExitCode own = firstFailure;
    boolean isTold = over == null || over.exitCode() == ExitCode.OK || over.exitCode() == own;
    if (!isTold && mayDelete(own)) {
      String why = over.text().isEmpty() ? "" : ": " + Printable.of(over.text());
      insight.failed(
          Failure.of(over.exitCode(), peer, "the sender could not send everything" + why));
    }
  }
}
