package dev.zcp.linux;

import java.util.concurrent.locks.LockSupport;

/// Waits for a stream that somebody else made non-blocking: O_NONBLOCK belongs to the open file,
/// which processes share (open(2)), so a terminal or a pipe may come with it. Clearing it would
/// surprise the others, and Java has no poll(2) for such a stream.
final class Readiness {

  private static final long PAUSE_NS = 1_000_000;

  private Readiness() {}

  /// A little while, as often as the stream gives or takes nothing: a blocking one waits as long.
  static void await() {
    LockSupport.parkNanos(PAUSE_NS);
  }
}
