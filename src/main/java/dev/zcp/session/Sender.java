package dev.zcp.session;

import dev.zcp.engine.Strategies;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.io.StandardStreams;

/// `zcp send`: files of this machine to a receiver.
public final class Sender {

  private Sender() {}

  public static Result send(
      SendRequest request, Strategies strategies, StandardStreams streams, Listener listener) {
    throw new IllegalStateException("skeleton");
  }
}
