package dev.zcp.tree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The process's file mode creation mask: umask(2). Java cannot ask for it, and the system call can
/// only ask by changing it; Linux shows it in `/proc/self/status` since 4.7.
public final class Umask {

  /// What is assumed where /proc does not tell: nobody but the owner may write.
  private static final int USUAL = 022;

  private static final String FIELD = "\nUmask:";

  private Umask() {}

  /// The mask, 0 to 0777.
  public static int ofProcess() {
    try {
      String status =
          new String(Files.readAllBytes(Path.of("/proc/self/status")), StandardCharsets.ISO_8859_1);
      int at = status.indexOf(FIELD);
      if (at < 0) {
        return USUAL;
      }
      int end = status.indexOf('\n', at + 1);
      return Integer.parseInt(status.substring(at + FIELD.length(), end).strip(), 8);
    } catch (IOException | NumberFormatException e) {
      return USUAL;
    }
  }
}
