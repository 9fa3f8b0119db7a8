package dev.zcp.session.receive;

import dev.zcp.carrier.RateLimit;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.session.ReceiveRequest;
import java.util.function.Supplier;

/// What all sessions of a receiver share.
///
/// @param hands makes those of a session
/// @param rate over all of them
record Means(
    ReceiveRequest request,
    Engine engine,
    Grounds grounds,
    Supplier<Hands> hands,
    BatchBuffers buffers,
    RateLimit rate,
    Listener listener) {

  void note(String message) {
    listener.on(new Event.Noted(message));
  }
}
