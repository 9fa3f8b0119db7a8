package dev.zcp.bench;

/// What one thread used between two moments: getrusage(2) with RUSAGE_THREAD, and its system calls.
///
/// The two times together are how long the thread ran, to the moment. How that divides is known by
/// samples only: each tick of the kernel's clock finds the thread in one mode or the other.
///
/// @param userNs time in user mode, to the microsecond
/// @param systemNs time in the kernel, to the microsecond
/// @param voluntarySwitches context switches because it waited
/// @param involuntarySwitches context switches because its time was up
/// @param minorFaults page faults that needed no device
/// @param majorFaults page faults that did
/// @param systemCalls how many, as far as [CallCount.Kind] says they were counted; [#UNKNOWN] if
///   nobody could
public record Usage(
    long userNs,
    long systemNs,
    long voluntarySwitches,
    long involuntarySwitches,
    long minorFaults,
    long majorFaults,
    long systemCalls) {

  public static final long UNKNOWN = -1;

  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, UNKNOWN);

  /// What was used since `earlier`.
  public Usage since(Usage earlier) {
    return new Usage(
        userNs - earlier.userNs,
        systemNs - earlier.systemNs,
        voluntarySwitches - earlier.voluntarySwitches,
        involuntarySwitches - earlier.involuntarySwitches,
        minorFaults - earlier.minorFaults,
        majorFaults - earlier.majorFaults,
        systemCalls == UNKNOWN ? UNKNOWN : systemCalls - earlier.systemCalls);
  }

  public long contextSwitches() {
    return voluntarySwitches + involuntarySwitches;
  }
}
