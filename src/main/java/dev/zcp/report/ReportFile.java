package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.WholeFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Writes a file that tells of a run, so that it is absent, old or complete at any time.
public final class ReportFile {

  private ReportFile() {}

  /// What a symbolic link leads to is replaced, not the link. A device or a FIFO is written to as
  /// it is.
  ///
  /// @param what the file is, as a phrase such as `the page`
  /// @throws Failure DESTINATION if it cannot be written
  public static void write(byte[] content, Path file, String what) throws Failure {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.write(file, content, StandardOpenOption.WRITE);
      } else {
        WholeFile.write(WholeFile.followed(file), content, false);
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
}
