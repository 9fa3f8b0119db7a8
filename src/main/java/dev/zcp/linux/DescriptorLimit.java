package dev.zcp.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// How many descriptors this process may have: RLIMIT_NOFILE of getrlimit(2), as proc(5) shows it.
public final class DescriptorLimit {

  /// What is assumed where /proc does not tell: POSIX lets nobody have fewer, but for experiments.
  private static final int USUAL = 256;

  private static final String FIELD = "\nMax open files";

  private DescriptorLimit() {}

  /// The soft limit. The JVM has raised it to the hard limit when it started.
  public static int ofProcess() {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc/self/limits"));
      String limits = new String(bytes, StandardCharsets.ISO_8859_1);
      int at = limits.indexOf(FIELD);
      if (at < 0) {
        return USUAL;
      }
      int start = at + FIELD.length();
      while (limits.charAt(start) == ' ') {
        start++;
      }
      String soft = limits.substring(start, limits.indexOf(' ', start));
      return "unlimited".equals(soft) ? Integer.MAX_VALUE : Integer.parseInt(soft);
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return USUAL;
    }
  }
}
