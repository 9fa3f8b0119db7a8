package dev.zcp.it;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// Moments at which to stop a copy, anywhere between its first look at the target and its end.
///
/// What goes before, the start of the program, changes nothing that could be found half done.
///
/// @param spanNs how long the copy is at work where nobody stops it
record RandomMoments(Random random, long spanNs) {

  private static final int RUNS = 3;

  /// Some moments come after the end, so that the end itself is among them.
  private static final double BEYOND = 1.1;

  /// Starts a copy anew.
  @FunctionalInterface
  interface Start {
    BuiltZcp start() throws Exception;
  }

  /// Measures runs that nobody stops. The longest counts: a machine under load is no faster later.
  static RandomMoments measure(Random random, Path target, Start start) throws Exception {
    long spanNs = 0;
    for (int i = 0; i < RUNS; i++) {
      try (BuiltZcp zcp = start.start()) {
        awaitWork(zcp, target);
        long begunNs = System.nanoTime();
        BuiltZcp.Ended ended = zcp.end();
        spanNs = Math.max(spanNs, System.nanoTime() - begunNs);
        if (ended.exitCode() != 0) {
          throw new IllegalStateException("a copy that nobody stopped failed: " + ended);
        }
      }
    }
    return new RandomMoments(random, spanNs);
  }

  /// Waits for the next moment of a copy that has just been started; returns at once where it has
  /// ended.
  void await(BuiltZcp zcp, Path target) throws Exception {
    awaitWork(zcp, target);
    long waitNs = (long) (random.nextDouble() * BEYOND * spanNs);
    long begunNs = System.nanoTime();
    while (zcp.isAlive() && System.nanoTime() - begunNs < waitNs) {
      LockSupport.parkNanos(Math.min(100_000, waitNs));
    }
  }

  private static void awaitWork(BuiltZcp zcp, Path target) throws Exception {
    while (zcp.isAlive() && !zcp.hasOpenBelow(target)) {
      LockSupport.parkNanos(100_000);
    }
  }
}
