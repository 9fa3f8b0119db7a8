package dev.zcp.session;

import dev.zcp.engine.Strategies;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.io.StandardStreams;

/// `zcp receive`: files from senders into one directory.
public final class Receiver {

  private Receiver() {}

  public static Result receive(
      ReceiveRequest request, Strategies strategies, StandardStreams streams, Listener listener) {
    throw new IllegalStateException("skeleton");
  }
}
