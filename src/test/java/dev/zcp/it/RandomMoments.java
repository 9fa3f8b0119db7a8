package dev.zcp.it;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// Moments at which to stop a copy, anywhere between its first look at the target and its end.
///
/// What goes before, the start of the program, changes nothing that could be found half done.
final class RandomMoments {

  private static final int RUNS = 3;

  /// Some moments come after the end, so that the end itself is among them.
  private static final double BEYOND = 1.1;

  /// Starts a copy anew.
  @FunctionalInterface
  interface Start {
    BuiltZcp start() throws Exception;
  }

  private final Random random;

  /// How long a copy works if nobody stops it. Each copy that ends before its moment corrects this,
  /// since the machine may have been busier, or less busy, when it was measured.
  private long spanNs;

  private RandomMoments(Random random, long spanNs) {
    this.random = random;
    this.spanNs = spanNs;
  }

  /// Measures runs that nobody stops, and takes the longest.
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

  /// Waits for the next moment of a copy that has just been started. Returns as soon as the copy
  /// has ended.
  void await(BuiltZcp zcp, Path target) throws Exception {
    awaitWork(zcp, target);
    long waitNs = (long) (random.nextDouble() * BEYOND * spanNs);
    long begunNs = System.nanoTime();
    while (zcp.isAlive() && System.nanoTime() - begunNs < waitNs) {
      LockSupport.parkNanos(Math.min(100_000, waitNs));
    }
    if (!zcp.isAlive()) {
      spanNs = (spanNs + System.nanoTime() - begunNs) / 2;
    }
  }

  private static void awaitWork(BuiltZcp zcp, Path target) throws Exception {
    while (zcp.isAlive() && !zcp.hasOpenBelow(target)) {
      LockSupport.parkNanos(100_000);
    }
  }
}
