package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.Quietly;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Instruments;
import dev.zcp.linux.Libc;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// Counts the system calls of one thread, which opened it and alone uses it.
///
/// @param note why it is not all that are counted
record SystemCalls(
    CallCount.CountedBy kind, String note, SystemCalls.Reading reading, Closeable opened)
    implements Closeable {

  /// Where tracefs is mounted, of old below debugfs.
  static final List<Path> TRACEFS =
      List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));

  private static final String EVENT = "events/raw_syscalls/sys_enter/id";
  private static final String FILE = "/proc/thread-self/io";

  /// Seven lines of a name and a number.
  private static final int TEXT_BYTES_MAX = 512;

  /// Either count is had by one read(2), which is itself among those that are counted.
  private static final long CALLS_OF_A_READING = 1;

  @FunctionalInterface
  interface Reading {
    long calls() throws IOException;
  }

  /// All calls if the kernel's tracepoint may be used, else reads and writes, else none.
  ///
  /// While the tracepoint counts, every system call of every process takes a little longer: on one
  /// machine 190 ns and not 155 for a close(2) in vain.
  static SystemCalls best() {
    SystemCalls all = ofTracepoint(TRACEFS);
    if (all.kind != CallCount.CountedBy.NONE) {
      return all;
    }
    SystemCalls some = ofReadsAndWrites(all.note);
    return some.kind != CallCount.CountedBy.NONE ? some : none(all.note + "; " + some.note);
  }

  /// Those that the kernel counts where it enters them: the tracepoint `raw_syscalls:sys_enter` as
  /// a perf event, see perf_event_open(2).
  ///
  /// @param mounts where tracefs may be
  static SystemCalls ofTracepoint(List<Path> mounts) {
    String reason = "tracefs is not mounted (mount -t tracefs nodev " + TRACEFS.getFirst() + ")";
    for (Path mount : mounts) {
      try {
        long id = Long.parseLong(Files.readString(mount.resolve(EVENT)).strip());
        int descriptor = Instruments.countTracepoint(id);
        if (descriptor < 0) {
          return none("perf_event_open(2) does not count here: " + Errno.sentence(-descriptor));
        }
        ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        return new SystemCalls(
            CallCount.CountedBy.TRACEPOINT,
            "",
            () -> eventCount(descriptor, count.clear()),
            () -> Libc.close(descriptor));
      } catch (NoSuchFileException e) {
        if (Files.exists(mount.resolve("events"))) {
          reason = "this kernel has no tracepoint raw_syscalls:sys_enter";
        }
      } catch (AccessDeniedException e) {
        reason = "tracefs cannot be read by this user, only by root";
      } catch (IOException | NumberFormatException e) {
        reason = "tracefs cannot be read: " + e.getMessage();
      }
    }
    return none(reason);
  }

  /// `syscr` and `syscw` of proc(5). The kernel counts a sendfile(2) and a copy_file_range(2) as
  /// one of each, and no splice(2), no fault of a mapping and nothing else.
  ///
  /// @param note why it comes to this
  static SystemCalls ofReadsAndWrites(String note) {
    try {
      // Opened by the thread that is to be counted: the link leads on to its number for good. No
      // channel: an interrupt would close it.
      RandomAccessFile file = new RandomAccessFile(FILE, "r");
      byte[] text = new byte[TEXT_BYTES_MAX];
      return new SystemCalls(
          CallCount.CountedBy.READS_AND_WRITES, note, () -> readsAndWrites(file, text), file);
    } catch (IOException e) {
      return none(FILE + " cannot be read: " + e.getMessage());
    }
  }

  private static SystemCalls none(String note) {
    return new SystemCalls(CallCount.CountedBy.NONE, note, () -> 0, () -> {});
  }

  /// Does `work` and counts the calls of this thread meanwhile.
  ///
  /// @throws Exception if the work does
  CallCount count(BenchThread.TimedWork work) throws Exception {
    long before = reading.calls();
    work.run();
    long calls = reading.calls() - before - CALLS_OF_A_READING;
    return new CallCount(kind == CallCount.CountedBy.NONE ? Usage.UNKNOWN : calls, kind, note);
  }

  @Override
  public void close() {
    Quietly.close(opened);
  }

  private static long eventCount(int descriptor, ByteBuffer count) {
    int result = Libc.read(descriptor, count);
    if (result != Long.BYTES) {
      throw new AssertionError("a perf event gave " + result + " bytes for a count");
    }
    return count.getLong(0);
  }

  private static long readsAndWrites(RandomAccessFile file, byte[] text) throws IOException {
    file.seek(0);
    int bytes = file.read(text);
    String content = new String(text, 0, Math.max(bytes, 0), StandardCharsets.US_ASCII);
    return figure(content, "syscr: ") + figure(content, "syscw: ");
  }

  private static long figure(String content, String name) throws IOException {
    int start = content.indexOf(name) + name.length();
    int end = content.indexOf('\n', start);
    if (start < name.length() || end < 0) {
      throw new IOException("without " + name.strip());
    }
    return Long.parseLong(content.substring(start, end));
  }
}
