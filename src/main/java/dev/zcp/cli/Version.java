package dev.zcp.cli;

import dev.zcp.wire.Hello;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The version of this program. A constant costs nothing at start-up, unlike a resource or the
/// jar's manifest; a test compares it with `pom.xml`.
public final class Version {

  public static final String NUMBER = "0.1.0";

  /// The first line of what `--version` prints.
  public static final String LINE = "zcp " + NUMBER;

  private Version() {}

  static String text() {
    return LINE
        + "\ncommit "
        + commit()
        + "\nprotocol zcp/"
        + Hello.VERSION
        + "\nprocessor "
        + System.getProperty("os.arch")
        + "\nruntime "
        + System.getProperty("java.vendor.version")
        + "\n";
  }

  /// The commit that the distribution was built from. `build/Dist.java` leaves it beside the jar.
  private static String commit() {
    try {
      return Files.readString(Path.of(System.getProperty("zcp.home"), "lib/commit")).strip();
    } catch (IOException | RuntimeException e) {
      return "unknown";
    }
  }
}
