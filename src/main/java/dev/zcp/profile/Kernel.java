package dev.zcp.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The running kernel.
public final class Kernel {

  private static final Path RELEASE = Path.of("/proc/sys/kernel/osrelease");

  private Kernel() {}

  /// As `uname -r` prints it.
  ///
  /// @throws IOException if the system does not tell
  public static String release() throws IOException {
    return Files.readString(RELEASE).strip();
  }
}
