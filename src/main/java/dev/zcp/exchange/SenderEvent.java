package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Held;
import java.util.List;

/// What a sender learns from its receiver, and in some cases has to do about it.
public sealed interface SenderEvent {

  /// The receiver takes what comes, on these terms.
  record Accepted(Accept terms) implements SenderEvent {}

  /// The receiver holds these bytes of the file from before. To be answered by
  /// [SendingEnd#claimed]; nothing of the file is sent until then.
  record Claimed(SentEntry entry, List<Held> held) implements SenderEvent {}

  /// The receiver has a whole file there, of the same size and time. To be answered by
  /// [SendingEnd#shown]; nothing of the file is sent until then.
  record Whole(SentEntry entry) implements SenderEvent {}

  /// The receiver has another version of the file. It is to be told of its chunks by
  /// [SendingEnd#chunks], of the last in any case; nothing of the file is sent until then.
  ///
  /// @param connection that it was told on
  record Based(SentEntry entry, int connection) implements SenderEvent {}

  /// Every byte of the file was acknowledged. The source is to be looked at again and closed; then
  /// [SendingEnd#end].
  record AllArrived(SentEntry entry) implements SenderEvent {}

  /// These bytes arrived damaged and will be sent again.
  record Damaged(SentEntry entry, Span span) implements SenderEvent {}

  /// The entry is over, and well: for a file, the receiver has all of it, proved.
  ///
  /// @param bytesResumed of a file, how many of its bytes the receiver had from before
  record Done(SentEntry entry, long bytesResumed) implements SenderEvent {}

  /// The entry is over: its receiver does not take such.
  record Declined(SentEntry entry, String text) implements SenderEvent {}

  /// The entry is over: what exists there stays, as the [manifest][dev.zcp.wire.Manifest] asks.
  record Kept(SentEntry entry) implements SenderEvent {}

  /// In a dry run: what would become of the entry, which is over; a directory goes on.
  ///
  /// @param plan CREATE, REPLACE or CORRECT; of a directory NEW or CORRECT
  record Planned(SentEntry entry, Answer.AnswerKind plan) implements SenderEvent {}

  /// In a dry run: what would be deleted there. Comes before the end.
  record Surplus(List<Bytes> paths) implements SenderEvent {}

  /// The entry is over, and failed there. To be [noted][SendingEnd#note], unless it is offered
  /// anew.
  record Failed(SentEntry entry, ExitCode exitCode, String text) implements SenderEvent {}

  /// The entry failed on the way: by damage that three times did not mend, or a stream by the loss
  /// of its connection. To be [noted][SendingEnd#note], unless it is offered anew; for which it is
  /// too early, since the receiver does not know yet. [GivenUp] follows once it does.
  record Spoilt(SentEntry entry, ExitCode exitCode, String text) implements SenderEvent {}

  /// The entry is over, after this end gave it up: the receiver has let go of it, so it may be
  /// offered anew, by another id.
  record GivenUp(SentEntry entry) implements SenderEvent {}

  /// The files of the part are over: [SentPart#rejection] tells which are not well.
  record PartOver(SentPart part) implements SenderEvent {}

  /// So many raw bytes were acknowledged in this session, all in all.
  record Progress(long bytes) implements SenderEvent {}

  /// The receiver gave the session up, or what both ends have counted differs: the text says which.
  record GaveUp(ExitCode exitCode, String text) implements SenderEvent {}

  /// The receiver has said its last word, and everything fits.
  record Over() implements SenderEvent {}
}
