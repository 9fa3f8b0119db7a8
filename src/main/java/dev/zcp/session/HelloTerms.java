package dev.zcp.session;

import dev.zcp.wire.RoomThere;
import java.util.function.Supplier;

/// What an end says of itself in its [hello][dev.zcp.wire.Hello].
///
/// @param discards of a receiver, whether it throws away what it takes; of a sender, whether it
///   goes on only with such a receiver
/// @param room of a receiver, asked for each connection, by any thread; of a sender unsaid
public record HelloTerms(boolean discards, Supplier<RoomThere> room) {

  /// What a sender says.
  public static HelloTerms ofSender(boolean mustDiscard) {
    return new HelloTerms(mustDiscard, () -> RoomThere.UNSAID);
  }
}
