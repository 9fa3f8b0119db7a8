package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Status;
import java.util.List;
import java.util.TreeMap;

/// How entries come to be over, and who is told.
final class Outcomes {

  private final ReceivedEntries entries;
  private final TreeMap<Integer, ReceivingConnection> connections;

  Outcomes(ReceivedEntries entries, TreeMap<Integer, ReceivingConnection> connections) {
    this.entries = entries;
    this.connections = connections;
  }

  void fail(ReceivedEntry entry, ExitCode exitCode, String text) {
    Answer why = Answer.failed(entry.id(), exitCode, text);
    ReceivingConnection publisher = entry.stage().isPublishing() ? entry.worker() : null;
    boolean isTold = entry.tellAskers(why);
    entries.fail(entry, why);
    if (publisher != null) {
      tellAgain(publisher, why);
      isTold = true;
    }
    if (!isTold && !connections.isEmpty()) {
      tellAgain(connections.firstEntry().getValue(), why);
    }
  }

  /// The entry failed, and what there is of it is thrown away.
  void drop(ReceivedEntry entry, ExitCode exitCode, String text, List<ReceiverAction> actions) {
    fail(entry, exitCode, text);
    actions.add(new ReceiverAction.Drop(entry.id(), exitCode, text));
  }

  /// The same, since the source came to this.
  void drop(ReceivedEntry entry, Status status, List<ReceiverAction> actions) {
    ExitCode exitCode = status == Status.DAMAGED ? ExitCode.INTEGRITY : ExitCode.SOURCE;
    drop(entry, exitCode, why(status), actions);
  }

  private static String why(Status status) {
    return switch (status) {
      case SHORT -> "the source is shorter than it was";
      case CHANGED -> "the source changed while it was read";
      case DAMAGED -> "arrived damaged too often";
      case OK, FAILED, DIFFERS -> "the sender could not read it";
    };
  }

  /// The piece that was being published did not arrive as it was sent.
  void release(ReceivedEntry entry) {
    entry.worker().reject(new Rejection.Again(entry.id(), new Span(0, entry.offered.size())));
    entry.go(EntryEvent.DAMAGE);
  }

  /// Answers on `connection` the end of an entry that is over: it may be a directory, and the
  /// sender waits for the answer.
  void tellEnd(ReceivingConnection connection, long fileId) {
    Answer why = entries.failure(fileId);
    if (why == null) {
      connection.say(Answer.of(fileId, Answer.AnswerKind.MADE));
    } else {
      tellAgain(connection, why);
    }
  }

  /// Tells on `connection` why an entry failed; nothing of others.
  void tellAgain(ReceivingConnection connection, long fileId) {
    Answer why = entries.failure(fileId);
    if (why != null) {
      tellAgain(connection, why);
    }
  }

  private static void tellAgain(ReceivingConnection connection, Answer why) {
    // What was declined has no bytes and no end, so a sender that keeps to the rules is not told.
    ExitCode exitCode = why.exitCode() == ExitCode.OK ? ExitCode.DESTINATION : why.exitCode();
    connection.reject(new Rejection.Refused(why.fileId(), exitCode, why.text()));
  }
}
