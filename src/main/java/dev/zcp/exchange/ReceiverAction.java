package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Data;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Show;
import dev.zcp.wire.Trailer;
import java.util.List;

/// What a receiver has to do about something that it heard.
public sealed interface ReceiverAction {

  /// The sender has given that connection up. Shut it down, and do nothing more on this one before
  /// its thread has stopped and [ReceivingEnd#down] was told.
  record Abandon(int connection) implements ReceiverAction {}

  /// Answer by [ReceivingEnd#accept] or [ReceivingEnd#giveUp].
  record Admit(Manifest manifest) implements ReceiverAction {}

  /// Answer for each, in any order and at any time, by [ReceivingEnd#answer].
  ///
  /// A directory is offered before what is in it, and must be made before this task is done.
  record Consider(List<Offered> entries) implements ReceiverAction {}

  /// Look what is there under the names of these files, keep what stays, and answer by
  /// [ReceivingEnd#wants].
  ///
  /// @param directories as in [TakePart]
  record Look(Part look, List<EntryPath> directories) implements ReceiverAction {}

  /// Take the raw bytes of the part, which follow. If it is wanted, write its files, and say by
  /// [ReceivingEnd#partDone] what became of them; or, if they are not what was sent, end the
  /// connection and say nothing.
  ///
  /// @param directories that of each run of files, in their order: [EntryPath#TOP] for the
  ///   receiver's own; null if it was not taken, and so its files cannot be
  /// @param wanted else it is over: its bytes are to be thrown away, and that is to be said
  record TakePart(long unit, Part part, List<EntryPath> directories, boolean wanted)
      implements ReceiverAction {}

  /// Compare what is there with this: [ReceivingEnd#published], [ReceivingEnd#failed], or
  /// [ReceivingEnd#differs] if it may be replaced; then [ReceivingEnd#unitDone].
  record Compare(long unit, Show shown) implements ReceiverAction {}

  /// Remember these chunks of a file that was answered by BASE. After the last, take what there is
  /// of them from other files, and answer by [ReceivingEnd#answer].
  record TakeChunks(Chunks chunks) implements ReceiverAction {}

  /// Take the raw bytes of this block, which follow.
  ///
  /// @param wanted whether they are to be kept; else they are thrown away
  record TakeBlock(Data head, boolean wanted) implements ReceiverAction {}

  /// The block that was taken has this trailer. Where it is wanted, say by [ReceivingEnd#blockDone]
  /// whether the bytes fit it, or [ReceivingEnd#failed]; then [ReceivingEnd#unitDone].
  ///
  /// @param wanted else the source failed meanwhile, or the file is over
  record CheckBlock(long unit, Trailer trailer, boolean wanted) implements ReceiverAction {}

  /// Make a hole in the file, then [ReceivingEnd#blockDone] and [ReceivingEnd#unitDone].
  record MakeHole(long unit, long fileId, Span span) implements ReceiverAction {}

  /// Publish these files, of which all bytes are there and fit: for each [ReceivingEnd#published]
  /// or [ReceivingEnd#failed], then [ReceivingEnd#unitDone].
  record Publish(long unit, List<Ending> endings) implements ReceiverAction {}

  /// Complete this directory, in which all is over: [ReceivingEnd#completed] or
  /// [ReceivingEnd#failed].
  record Complete(long fileId) implements ReceiverAction {}

  /// Throw away what there is of this entry, which is over: the sender could not read it, or gave
  /// it up, or it is not what was sent. What was verified of it may be kept for another time,
  /// unless the code is [ExitCode#INTEGRITY].
  record Drop(long fileId, ExitCode exitCode, String why) implements ReceiverAction {}

  /// The sender gave the session up, or what both ends have counted differs. Nothing more will
  /// come. Say [ReceivingEnd#sayGoodbye] or [ReceivingEnd#giveUp].
  record GaveUp(ExitCode exitCode, String text) implements ReceiverAction {}

  /// All is over, and well for this session as a protocol; files may have failed.
  ///
  /// @param exitCode of the sender
  /// @param text what it said
  /// @param lacksNames whether entries vanished there before they were offered
  record Over(ExitCode exitCode, String text, boolean lacksNames) implements ReceiverAction {}
}
