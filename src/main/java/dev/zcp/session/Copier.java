package dev.zcp.session;

import dev.zcp.engine.Strategies;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.io.StandardStreams;

/// `zcp copy`: files of this machine to a file, a directory or a stream of this machine.
public final class Copier {

  private Copier() {}

  public static Result copy(
      CopyRequest request, Strategies strategies, StandardStreams streams, Listener listener) {
    throw new IllegalStateException("skeleton");
  }
}
