package dev.zcp.bench;

/// How many system calls one run made.
///
/// @param calls how many, or [Usage#UNKNOWN]
/// @param kind which of them that are
/// @param note why not all were counted, or not as asked for, as a phrase; empty if they were
public record CallCount(long calls, Kind kind, String note) {

  /// Nobody counted.
  public static final CallCount NONE = new CallCount(Usage.UNKNOWN, Kind.NONE, "");

  /// How system calls were counted, and so which.
  public enum Kind {
    /// All of them, by the kernel's tracepoint `raw_syscalls:sys_enter`.
    TRACEPOINT("all, by tracepoint"),
    /// All of them, by strace, in a run of its own.
    STRACE("all, by strace"),
    /// read(2), write(2) and their relatives, from `/proc/thread-self/io`: sendfile(2) and
    /// copy_file_range(2) count twice, as a read and a write; splice(2) and mapping do not show.
    READS_AND_WRITES("reads and writes only, from /proc"),
    /// None.
    NONE("not counted");

    private final String phrase;

    Kind(String phrase) {
      this.phrase = phrase;
    }

    String phrase() {
      return phrase;
    }

    /// Whether every call is in the count.
    boolean isComplete() {
      return this == TRACEPOINT || this == STRACE;
    }
  }
}
