package dev.zcp.core;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Closes and deletes what is given up: that it cannot be done is of no interest any more.
public final class Quietly {

  private Quietly() {}

  /// @param closeable may be null
  public static void close(Closeable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (IOException e) {
      // Nothing is lost with it, and why it is given up is told elsewhere.
    }
  }

  /// @param directory has no directories in it; it may be gone
  public static void deleteFlat(Path directory) {
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(directory)) {
      for (Path each : listing) {
        Files.deleteIfExists(each);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // As above. What somebody puts there meanwhile keeps it.
    }
  }
}
