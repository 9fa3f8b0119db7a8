package dev.zcp.session.receive;

import dev.zcp.carrier.RateLimit;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Event.Listener;
import dev.zcp.session.ReceiveRequest;

/// What all sessions of a receiver share.
///
/// @param rate over all of them
record Means(
    ReceiveRequest request,
    Engine engine,
    Grounds grounds,
    Hands hands,
    BatchBuffers buffers,
    RateLimit rate,
    Listener listener) {}
