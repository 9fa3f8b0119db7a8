package dev.zcp.bench.count;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// What strace(1) wrote of one thread: a line for each call, `pread64(5, ""..., 4096, 0) = 4096`,
/// and others for signals and the thread's end.
final class Trace {

  private final Map<String, Long> calls = new HashMap<>();

  private Trace() {}

  /// Counts the calls after the last line that begins with `begin`, up to the next that begins with
  /// `end`.
  static StraceCount between(String begin, String end, BufferedReader lines) throws IOException {
    Trace trace = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (trace != null && line.startsWith(end)) {
        return new StraceCount.Counted(trace.calls);
      } else if (line.startsWith(begin)) {
        trace = new Trace();
      } else if (trace != null) {
        trace.add(line);
      }
    }
    return new StraceCount.Unavailable("strace ended before the work did");
  }

  private void add(String line) {
    String name = nameOf(line);
    if (!name.isEmpty()) {
      calls.merge(name, 1L, Long::sum);
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
}
