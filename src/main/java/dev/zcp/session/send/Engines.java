package dev.zcp.session.send;

import dev.zcp.engine.Engine;
import dev.zcp.profile.RouteTunings;
import java.net.InetAddress;

/// The engine for each file: by what the user's profile knows of the way to the receiver, if the
/// file is long enough. Any thread may call it.
final class Engines {

  private final Engine engine;
  private final RouteTunings tunings;
  private final InetAddress receiver;

  /// Null until a file was long enough.
  private Engine tuned;

  Engines(Engine engine, RouteTunings tunings, InetAddress receiver) {
    this.engine = engine;
    this.tunings = tunings;
    this.receiver = receiver;
  }

  Engine untuned() {
    return engine;
  }

  synchronized Engine of(long bytes) {
    if (bytes < RouteTunings.FILE_BYTES_MIN) {
      return engine;
    }
    if (tuned == null) {
      tuned = engine.tunedBy(tunings.ofSend(receiver, bytes));
    }
    return tuned;
  }
}
