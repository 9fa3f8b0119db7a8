package dev.zcp.bench;

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

/// Counts the system calls of one thread, which opened it and alone reads it.
///
/// A reading is a clock_gettime(2) and a getrusage(2), made by the caller just before, and a
/// [#countBesideReadings]: an implementation must leave the calls of all readings out.
interface SystemCalls extends Closeable {

  /// How many calls there were since it was opened, but for those of readings; [Usage#UNKNOWN] if
  /// nobody counts.
  long countBesideReadings();

  CallCount.Kind kind();

  /// Why not all calls are counted, and what would help: a phrase a user can read; empty if all
  /// are.
  String note();

  @Override
  void close();

  /// The best count of the calling thread that can be had here.
  static SystemCalls best() {
    SystemCalls all = Tracepoint.open(Tracepoint.TRACEFS);
    if (all.kind() != CallCount.Kind.NONE) {
      return all;
    }
    SystemCalls some = ReadsAndWrites.open(all.note());
    return some.kind() != CallCount.Kind.NONE
        ? some
        : new Uncounted(all.note() + "; " + some.note());
  }

  /// Nobody counts.
  ///
  /// @param note why
  record Uncounted(String note) implements SystemCalls {

    @Override
    public long countBesideReadings() {
      return Usage.UNKNOWN;
    }

    @Override
    public CallCount.Kind kind() {
      return CallCount.Kind.NONE;
    }

    @Override
    public void close() {}
  }

  /// All system calls, counted by the kernel where it enters them: the tracepoint
  /// `raw_syscalls:sys_enter` as a perf event, see perf_event_open(2).
  ///
  /// The count is had by read(2), which is a call too and stands in the number that it gives: a
  /// reading puts exactly three calls into the count.
  final class Tracepoint implements SystemCalls {

    /// Where tracefs is mounted, of old below debugfs.
    static final List<Path> TRACEFS =
        List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));

    private static final String EVENT = "events/raw_syscalls/sys_enter/id";

    /// clock_gettime(2), getrusage(2), and the read(2) of the count.
    private static final long CALLS_OF_A_READING = 3;

    private final int descriptor;
    private final ByteBuffer count =
        ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    private long readings;
    private boolean closed;

    private Tracepoint(int descriptor) {
      this.descriptor = descriptor;
    }

    static SystemCalls open(List<Path> mounts) {
      String reason = "tracefs is not mounted (mount -t tracefs nodev " + TRACEFS.getFirst() + ")";
      for (Path mount : mounts) {
        try {
          long id = Long.parseLong(Files.readString(mount.resolve(EVENT)).strip());
          int descriptor = Instruments.countTracepoint(id);
          if (descriptor < 0) {
            String why = Errno.sentence(-descriptor);
            return new Uncounted("perf_event_open(2) does not count here: " + why);
          }
          return new Tracepoint(descriptor);
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
      return new Uncounted(reason);
    }

    @Override
    public long countBesideReadings() {
      readings++;
      int result = Libc.read(descriptor, count.clear());
      if (result != Long.BYTES) {
        throw new AssertionError("a perf event gave " + result + " bytes for a count");
      }
      return count.getLong(0) - readings * CALLS_OF_A_READING;
    }

    @Override
    public CallCount.Kind kind() {
      return CallCount.Kind.TRACEPOINT;
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        Libc.close(descriptor);
      }
    }
  }

  /// Reads and writes, from `/proc/thread-self/io`: `syscr` and `syscw` of proc(5).
  ///
  /// The kernel counts a sendfile(2) and a copy_file_range(2) as one of each, and no splice(2), no
  /// fault of a mapping and nothing else. A reading of the file is a read too, which shows in the
  /// next one; what that comes to is measured on opening, by two readings in a row.
  final class ReadsAndWrites implements SystemCalls {

    private static final String FILE = "/proc/thread-self/io";

    /// Seven lines of a name and a number.
    private static final int TEXT_BYTES_MAX = 512;

    /// No channel: an interrupt would close it.
    private final RandomAccessFile file;

    private final String note;
    private final byte[] text = new byte[TEXT_BYTES_MAX];
    private final long callsOfAReading;
    private long readings;

    private ReadsAndWrites(RandomAccessFile file, String note) throws IOException {
      this.file = file;
      this.note = note;
      long first = read();
      callsOfAReading = read() - first;
    }

    /// @param note why it comes to this
    static SystemCalls open(String note) {
      RandomAccessFile file = null;
      try {
        // Opened by the thread that is to be counted: the link leads on to its number for good.
        file = new RandomAccessFile(FILE, "r");
        return new ReadsAndWrites(file, note);
      } catch (IOException e) {
        close(file);
        return new Uncounted(FILE + " cannot be read: " + e.getMessage());
      }
    }

    @Override
    public long countBesideReadings() {
      try {
        return read() - readings++ * callsOfAReading;
      } catch (IOException e) {
        throw new AssertionError("a file of /proc that was open cannot be read", e);
      }
    }

    @Override
    public CallCount.Kind kind() {
      return CallCount.Kind.READS_AND_WRITES;
    }

    @Override
    public String note() {
      return note;
    }

    @Override
    public void close() {
      close(file);
    }

    private static void close(RandomAccessFile file) {
      if (file != null) {
        try {
          file.close();
        } catch (IOException e) {
          // Nothing was written, so nothing is lost.
        }
      }
    }

    private long read() throws IOException {
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
}
