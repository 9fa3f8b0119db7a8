package dev.zcp.bench.count;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the kernel tells in files of /proc and /sys.
final class KernelFile {

  private KernelFile() {}

  /// All of it, each byte a character; empty where it cannot be read, since older kernels and
  /// containers lack some.
  static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
