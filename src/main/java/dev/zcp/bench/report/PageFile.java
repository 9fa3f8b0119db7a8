package dev.zcp.bench.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/// Writes a file under another name first, so that its own name is absent, old or complete.
final class PageFile {

  private PageFile() {}

  static void write(String text, Path file) throws Failure {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // A device or a FIFO has nothing old to keep, and must not be replaced by a file.
        Files.write(file, bytes, StandardOpenOption.WRITE);
        return;
      }
      // What a symbolic link points to is replaced, not the link.
      replace(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), bytes);
    } catch (IOException e) {
      throw Failure.of(ExitCode.DESTINATION, Printable.of(file.toString()), reason(e)).because(e);
    }
  }

  private static void replace(Path file, byte[] bytes) throws IOException {
    // Not a temporary file of Java's: that is its owner's alone, and this is to be as any new file.
    String name = ".zcp-" + Long.toHexString(new SecureRandom().nextLong()) + ".part";
    Path partial = file.resolveSibling(name);
    try {
      Files.write(partial, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "the page cannot be written: no such directory (the figures are above)";
    }
    String cause = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
    return "the page cannot be written: " + Printable.ofPhrase(cause) + " (the figures are above)";
  }
}
