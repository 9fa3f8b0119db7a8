package dev.zcp.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A system call as `strace -f -y -s 0` tells of it.
///
/// @param arguments as they are written there; structures are not kept in one piece
/// @param result what it returned; -1 where it failed, or where it never returned
/// @param error the name of its error number, or empty
record SystemCall(String name, List<String> arguments, long result, String error) {

  private static final Pattern LINE = Pattern.compile("(?<thread>\\d+) +(?<text>.*)");
  private static final Pattern RESUMED = Pattern.compile("<\\.\\.\\. \\w+ resumed>(?<rest>.*)");
  private static final String UNFINISHED = " <unfinished ...>";

  private static final Pattern CALL =
      Pattern.compile(
          "(?<name>\\w+)\\((?<arguments>.*)\\) += (?<result>0x[0-9a-f]+|-?\\d+|\\?)(?<rest>.*)");

  private static final Pattern ERROR = Pattern.compile("^ (E[A-Z0-9]+).*");
  private static final Pattern FILE = Pattern.compile("\\d+<(?<file>.*)>(\\(deleted\\))?");

  /// The calls of all threads, in the order in which they returned.
  static List<SystemCall> parse(List<String> lines) {
    List<SystemCall> calls = new ArrayList<>();
    Map<String, String> unfinished = new HashMap<>();
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("not a line of strace -f: " + line);
      }
      String thread = matcher.group("thread");
      String text = matcher.group("text");
      if (text.endsWith(UNFINISHED)) {
        unfinished.put(thread, text.substring(0, text.length() - UNFINISHED.length()));
        continue;
      }
      Matcher resumed = RESUMED.matcher(text);
      if (resumed.matches()) {
        text = unfinished.remove(thread) + resumed.group("rest");
      }
      Matcher call = CALL.matcher(text);
      if (call.matches()) {
        calls.add(of(call));
      }
      // Else it tells of a signal or of an end.
    }
    return calls;
  }

  private static SystemCall of(Matcher call) {
    Matcher error = ERROR.matcher(call.group("rest"));
    return new SystemCall(
        call.group("name"),
        List.of(call.group("arguments").split(", ")),
        result(call.group("result")),
        error.matches() ? error.group(1) : "");
  }

  private static long result(String text) {
    if (text.equals("?")) {
      return -1;
    }
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseLong(text);
  }

  /// What the descriptor in the place `argument` leads to: a path, `socket:[1]`, `pipe:[1]`; empty
  /// where there is none.
  String file(int argument) {
    if (argument >= arguments.size()) {
      return "";
    }
    Matcher matcher = FILE.matcher(arguments.get(argument));
    return matcher.matches() ? matcher.group("file") : "";
  }
}
