package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Frame;

/// What a sender does next on one of its connections. Whoever was given a turn carries it out
/// before it asks for the next one on that connection.
public sealed interface SenderAction {

  record Say(Frame frame) implements SenderAction {}

  /// Ask the receiver what it wants of this part: say its files as a
  /// [look][dev.zcp.wire.Part#isLook], of the number that [SendingEnd#looking] gives. If it has
  /// none, it is over.
  record Look(SentPart part) implements SenderAction {}

  /// Read the files of which the receiver [wants][SentPart#want] the bytes, or what these are, and
  /// send all as one part, of which [SendingEnd#saying] is to be told before its first byte goes
  /// out. If there is nothing to send, the part is over.
  record SendPart(SentPart part) implements SenderAction {}

  /// Offer the files of this part one by one: the receiver takes none in parts.
  record GiveBack(SentPart part) implements SenderAction {}

  /// Send this block: its [dev.zcp.wire.Data], its bytes, its [dev.zcp.wire.Trailer], and tell
  /// [SendingEnd#saying] of the trailer before its first byte goes out.
  ///
  /// @param isAgain whether it was sent before, and was lost or damaged
  record SendBlock(SentEntry entry, Span span, boolean isAgain) implements SenderAction {}

  /// Send the stream, block after block until it ends, each as a [SendBlock] is sent, as long as
  /// [SendingEnd#mayStream]; then [SendingEnd#end] it.
  record SendStream(SentEntry entry) implements SenderAction {}

  /// Nothing now: ask again when something was heard, offered or ended.
  record Wait() implements SenderAction {}

  /// Nothing ever again on this connection: the session is over, or this connection is lost.
  record Leave() implements SenderAction {}
}
