package dev.zcp.linux;

import java.io.IOException;
import java.nio.file.Path;

/// What proc(5) says of this process and Java does not.
public final class OwnProcess {

  /// In place of a user's number that cannot be known: nobody owns files by it.
  private static final int UNKNOWN = -1;

  /// The mask that is assumed if /proc does not tell: nobody but the owner may write.
  private static final int UMASK = 022;

  /// The limit that is assumed if /proc does not tell: POSIX lets nobody have fewer descriptors,
  /// but for experiments.
  private static final int DESCRIPTORS = 256;

  private static final int PAGE_BYTES = Libc.intCall(Native.find("getpagesize"), 0, 0, 0, 0, 0);

  private OwnProcess() {}

  /// What the kernel has counted of all threads so far. It counts a sendfile(2) or a
  /// copy_file_range(2) as a read and a write, and neither a splice(2) nor what a mapping reads.
  ///
  /// @param deviceReadBytes what had to be fetched from a device, since the page cache did not have
  ///   it
  public record InputOutput(long reads, long writes, long deviceReadBytes) {

    private static final InputOutput UNKNOWN = new InputOutput(-1, -1, -1);
  }

  /// All are -1 if the kernel does not tell.
  public static InputOutput inputOutput() {
    String text = ProcFile.text("/proc/self/io");
    try {
      return new InputOutput(
          ProcFile.number(text, "\nsyscr:"),
          ProcFile.number(text, "\nsyscw:"),
          ProcFile.number(text, "\nread_bytes:"));
    } catch (NumberFormatException e) {
      return InputOutput.UNKNOWN;
    }
  }

  /// How long a page of memory is, or minus the [error number][Errno]: getpagesize(2).
  public static int pageBytes() {
    return PAGE_BYTES;
  }

  /// What this machine is called; empty if /proc does not tell.
  public static String host() {
    return ProcFile.text("/proc/sys/kernel/hostname").strip();
  }

  /// The effective user id, or -1 if it cannot be known.
  public static int user() {
    try {
      return FileStatus.of(Path.of("/proc/self")).owner();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /// The file mode creation mask, 0 to 0777: umask(2). The system call can only ask for it by
  /// changing it.
  public static int umask() {
    String mask = ProcFile.word(ProcFile.text("/proc/self/status"), "\nUmask:");
    return mask == null ? UMASK : Integer.parseInt(mask, 8);
  }

  /// How many descriptors it may have: the soft RLIMIT_NOFILE of getrlimit(2). The JVM has raised
  /// it to the hard limit when it started.
  public static int descriptorsMax() {
    String limit = ProcFile.word(ProcFile.text("/proc/self/limits"), "\nMax open files");
    if (limit == null) {
      return DESCRIPTORS;
    }
    return "unlimited".equals(limit) ? Integer.MAX_VALUE : Integer.parseInt(limit);
  }
}
