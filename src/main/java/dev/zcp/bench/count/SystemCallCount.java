package dev.zcp.bench.count;

/// How system calls were counted, and so which.
public enum SystemCallCount {
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

  SystemCallCount(String phrase) {
    this.phrase = phrase;
  }

  public String phrase() {
    return phrase;
  }
}
