package dev.zcp.session;

/// How long to wait before the next attempt to connect, and how many there are. Progress makes them
/// all good again.
final class Backoff {

  static final long FIRST_NS = 100_000_000;
  static final long LONGEST_NS = 5_000_000_000L;

  private final int retries;
  private int used;
  private long nextNs = FIRST_NS;
  private long seen;

  /// @param retries how many attempts there are without progress between
  Backoff(int retries) {
    this.retries = retries;
  }

  /// Looks how far the session is: if it has got on since the last attempt, all attempts are there
  /// again.
  ///
  /// @param progress anything that grows with the session
  void look(long progress) {
    if (progress > seen) {
      seen = progress;
      used = 0;
      nextNs = FIRST_NS;
    }
  }

  /// Takes an attempt.
  ///
  /// @return how long to wait before it, or -1 if there is none left
  long take() {
    if (used == retries) {
      return -1;
    }
    used++;
    long waitNs = nextNs;
    nextNs = Math.min(LONGEST_NS, 2 * nextNs);
    return waitNs;
  }
}
