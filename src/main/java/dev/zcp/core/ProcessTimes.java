package dev.zcp.core;

/// What a process took of the processors while it worked, and what kept it from working, in
/// nanoseconds.
///
/// @param usedNs processor time of all its threads; [#UNKNOWN_NS] if that is not known
/// @param starvedNs how long it stood still because no processor was free for it
/// @param stoppedNs how long it stood still otherwise: a collection of garbage, or a signal
public record ProcessTimes(long usedNs, long starvedNs, long stoppedNs) {

  public static final long UNKNOWN_NS = -1;

  public static final ProcessTimes UNKNOWN = new ProcessTimes(UNKNOWN_NS, 0, 0);

  /// @throws IllegalArgumentException if a time is negative
  public ProcessTimes {
    if (usedNs < UNKNOWN_NS || starvedNs < 0 || stoppedNs < 0) {
      throw new IllegalArgumentException("a negative time of a process");
    }
  }
}
