package dev.zcp.core;

/// What a finished `zcp` tells the shell. The numbers are a promise: scripts act on them.
public enum ExitCode {
  OK(0, "all done", ""),
  SOME_FAILED(1, "some of several files failed; each is named", "after looking"),
  USAGE(2, "usage", "no"),
  SOURCE(3, "source: missing, unreadable, changed while read, I/O error", "maybe"),
  DESTINATION(4, "destination: no space, quota, read-only, permission, I/O error", "after mending"),
  NETWORK(5, "network: refused, reset, stalled, peer gone; resumable", "yes"),
  AUTHENTICATION(6, "authentication", "no"),
  INTEGRITY(7, "integrity: bytes differ after retries", "yes"),
  PROTOCOL(8, "protocol or version", "no"),
  EXISTS(9, "destination exists, or is in use", "no"),
  STRATEGY(10, "the strategy asked for cannot be used here", "no"),
  VANISHED(
      11, "entries of the source vanished while it was read; all else is done", "after looking"),
  INTERNAL(70, "internal error", "report it");

  /// Asked for with each answer of a peer, and `values()` makes a new array each time.
  private static final ExitCode[] ALL = values();

  private final int number;
  private final String sentence;
  private final String retry;

  ExitCode(int number, String sentence, String retry) {
    this.number = number;
    this.sentence = sentence;
    this.retry = retry;
  }

  public int number() {
    return number;
  }

  /// What it means, in the words of the manual.
  public String sentence() {
    return sentence;
  }

  /// Whether the same command is worth another try; empty if the question does not arise.
  public String retry() {
    return retry;
  }

  /// The code that a peer means by this number. It may send any: one that there is not is
  /// [#PROTOCOL], and so is the peer's own internal error, which is none of this process.
  public static ExitCode ofNumber(int number) {
    for (ExitCode code : ALL) {
      if (code.number == number && code != INTERNAL) {
        return code;
      }
    }
    return PROTOCOL;
  }
}
