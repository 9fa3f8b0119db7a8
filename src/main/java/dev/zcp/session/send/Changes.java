package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;

/// What is said of sources that somebody writes to while they are sent.
final class Changes {

  /// If the user wants to have it all the same.
  static final String ACCEPTED =
      "was written to while it was read; what was sent is no single state of it";

  private Changes() {}

  static Failure failure(Outgoing outgoing) {
    return of(outgoing, "changed while it was read");
  }

  static Failure ended(Outgoing outgoing, long atBytes) {
    return of(outgoing, "ended while it was read, at " + atBytes + " bytes");
  }

  private static Failure of(Outgoing outgoing, String what) {
    return Failure.of(ExitCode.SOURCE, outgoing.label().toString(), what)
        .with("nothing was published, run the same command again");
  }
}
