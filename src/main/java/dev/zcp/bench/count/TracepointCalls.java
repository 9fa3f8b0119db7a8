package dev.zcp.bench.count;

import dev.zcp.linux.Errno;
import dev.zcp.linux.Instruments;
import dev.zcp.linux.Libc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// All system calls of a thread, counted by the kernel where it enters them: the tracepoint
/// `raw_syscalls:sys_enter` as a perf event, see perf_event_open(2).
///
/// The count is had by read(2), which is a call too and stands in the number that it gives: a
/// reading puts exactly three calls into the count.
final class TracepointCalls implements SystemCalls {

  /// Where tracefs is mounted, of old below debugfs.
  private static final List<Path> TRACEFS =
      List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));

  private static final String EVENT = "events/raw_syscalls/sys_enter/id";

  /// clock_gettime(2), getrusage(2), and the read(2) of the count.
  private static final long CALLS_OF_A_READING = 3;

  private final int descriptor;
  private final ByteBuffer count =
      ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
  private long readings;
  private boolean closed;

  private TracepointCalls(int descriptor) {
    this.descriptor = descriptor;
  }

  static SystemCalls open() {
    return open(TRACEFS);
  }

  static SystemCalls open(List<Path> mounts) {
    String reason = "tracefs is not mounted (mount -t tracefs nodev " + TRACEFS.getFirst() + ")";
    for (Path mount : mounts) {
      try {
        long id = Long.parseLong(Files.readString(mount.resolve(EVENT)).strip());
        return open(id);
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

  private static SystemCalls open(long id) {
    int descriptor = Instruments.countTracepoint(id);
    if (descriptor < 0) {
      String why = Errno.sentence(-descriptor);
      return new Uncounted("perf_event_open(2) does not count here: " + why);
    }
    return new TracepointCalls(descriptor);
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
  public SystemCallCount kind() {
    return SystemCallCount.TRACEPOINT;
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
