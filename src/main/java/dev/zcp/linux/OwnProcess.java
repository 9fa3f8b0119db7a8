package dev.zcp.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

  private OwnProcess() {}

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
    String mask = field("/proc/self/status", "\nUmask:");
    return mask == null ? UMASK : Integer.parseInt(mask, 8);
  }

  /// How many descriptors it may have: the soft RLIMIT_NOFILE of getrlimit(2). The JVM has raised
  /// it to the hard limit when it started.
  public static int descriptorsMax() {
    String limit = field("/proc/self/limits", "\nMax open files");
    if (limit == null) {
      return DESCRIPTORS;
    }
    return "unlimited".equals(limit) ? Integer.MAX_VALUE : Integer.parseInt(limit);
  }

  /// The first word after `name` in a file, or null if there is none.
  private static String field(String file, String name) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of(file));
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      int at = text.indexOf(name);
      if (at < 0) {
        return null;
      }
      int start = at + name.length();
      while (text.charAt(start) <= ' ') {
        start++;
      }
      int end = start;
      while (text.charAt(end) > ' ') {
        end++;
      }
      return text.substring(start, end);
    } catch (IOException | IndexOutOfBoundsException e) {
      return null;
    }
  }
}
