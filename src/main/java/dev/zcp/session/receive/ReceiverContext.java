package dev.zcp.session.receive;

import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Insight;
import dev.zcp.session.ReceiveRequest;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// What all sessions of a receiver share.
///
/// @param sessions how many have begun
/// @param workers makes those of a session
/// @param allowance for all of them together
/// @param rate over all of them
record ReceiverContext(
    ReceiveRequest request,
    Engine engine,
    AtomicInteger sessions,
    PlaceFactory places,
    Supplier<ReceivingWorkers> workers,
    PartBuffers buffers,
    Allowance allowance,
    RateLimit rate,
    Listener listener) {

  /// Of another session.
  Insight insight(String peer) {
    SessionName name = new SessionName(sessions.incrementAndGet(), peer);
    return new Insight("receive", engine.asked(), listener, name);
  }

  void note(String message) {
    listener.on(new Event.Noted(message));
  }

  /// Where sessions get their places.
  @FunctionalInterface
  interface PlaceFactory {

    /// The place of one more session.
    ///
    /// @throws Failure if there is none
    Place begin(ReceivingSession session) throws Failure;
  }
}
