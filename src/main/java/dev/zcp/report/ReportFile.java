package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Writes a file that tells of a run, so that it is absent, old or complete at any time.
public final class ReportFile {

  /// path_resolution(7)
  private static final int LINKS_MAX = 40;

  private ReportFile() {}

  /// Writes the content under another name first, and renames it. The other name is hidden and ends
  /// in `.part`. What a symbolic link leads to is replaced, not the link. A device or a FIFO is
  /// written to as it is.
  ///
  /// @param what the file is, as a phrase such as `the page`
  /// @throws Failure DESTINATION if it cannot be written
  public static void write(byte[] content, Path file, String what) throws Failure {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.write(file, content, StandardOpenOption.WRITE);
      } else {
        replace(followed(file.toAbsolutePath()), content);
      }
    } catch (IOException e) {
      throw Failure.of(
              ExitCode.DESTINATION,
              Printable.of(file.toString()),
              what + " cannot be written: " + cause(e))
          .because(e);
    }
  }

  private static String cause(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such directory";
    }
    return e instanceof AccessDeniedException
        ? "permission denied"
        : Printable.ofPhrase(String.valueOf(e.getMessage()));
  }

  /// What a name leads to, be there something or not. A link that leads to itself stands for
  /// itself.
  private static Path followed(Path name) throws IOException {
    Path file = name;
    for (int links = 0; links < LINKS_MAX && Files.isSymbolicLink(file); links++) {
      file = file.resolveSibling(Files.readSymbolicLink(file));
    }
    return file;
  }

  private static void replace(Path file, byte[] content) throws IOException {
    // Not a temporary file of Java's: that is its owner's alone, and this is to be as any new file.
    String name =
        ".zcp-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + ".part";
    Path partial = file.resolveSibling(name);
    try {
      Files.write(partial, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
