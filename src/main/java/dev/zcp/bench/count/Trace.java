package dev.zcp.bench.count;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// What strace(1) wrote of one thread: a line for each call, `pread64(5, ""..., 4096, 0) = 4096`,
/// and others for signals and the thread's end.
final class Trace {

  private static final Set<String> READING =
      Set.of("read", "pread64", "readv", "preadv", "preadv2", "recvfrom", "recvmsg");

  private static final Set<String> WRITING =
      Set.of("write", "pwrite64", "writev", "pwritev", "pwritev2", "sendto", "sendmsg");

  private static final String RESULT = " = ";

  private final Map<String, Long> calls = new HashMap<>();
  private long readBytes;
  private long writtenBytes;

  private Trace() {}

  /// Counts the calls after the last line that begins with `begin`, up to the next that begins with
  /// `end`.
  static StraceCount between(String begin, String end, BufferedReader lines) throws IOException {
    Trace trace = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(begin)) {
        trace = new Trace();
      } else if (trace != null && line.startsWith(end)) {
        return new StraceCount.Counted(trace.calls, trace.readBytes, trace.writtenBytes);
      } else if (trace != null) {
        trace.add(line);
      }
    }
    return new StraceCount.Unavailable("strace ended before the work did");
  }

  private void add(String line) {
    String name = nameOf(line);
    if (name.isEmpty()) {
      return;
    }
    calls.merge(name, 1L, Long::sum);
    if (READING.contains(name)) {
      readBytes += resultOf(line);
    } else if (WRITING.contains(name)) {
      writtenBytes += resultOf(line);
    }
  }

  /// What stands before the bracket; empty for a line of another kind.
  private static String nameOf(String line) {
    int length = 0;
    while (length < line.length() && isOfName(line.charAt(length))) {
      length++;
    }
    return length < line.length() && line.charAt(length) == '(' ? line.substring(0, length) : "";
  }

  private static boolean isOfName(char c) {
    return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_';
  }

  /// The bytes that a call moved: 0 for one that failed or was interrupted.
  private static long resultOf(String line) {
    int at = line.lastIndexOf(RESULT);
    long result = 0;
    for (int i = at + RESULT.length(); at >= 0 && i < line.length(); i++) {
      char c = line.charAt(i);
      if (c < '0' || c > '9') {
        break;
      }
      result = result * 10 + (c - '0');
    }
    return result;
  }
}
