package dev.zcp.cli;

import dev.zcp.ssh.OwnBuild;
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
        + build().commit()
        + "\nprotocol zcp/"
        + Hello.VERSION
        + "\nprocessor "
        + System.getProperty("os.arch")
        + "\nruntime "
        // Debian's has no name of its vendor.
        + System.getProperty("java.vendor.version", System.getProperty("java.runtime.version"))
        + "\n";
  }

  /// The build that runs. `build/Dist.java` leaves the commit that it was made from beside the jar.
  static OwnBuild build() {
    String home = System.getProperty("zcp.home");
    if (home == null) {
      return new OwnBuild(null, NUMBER, OwnBuild.UNKNOWN);
    }
    Path place = Path.of(home);
    try {
      String commit = Files.readString(place.resolve("lib/commit")).strip();
      return new OwnBuild(place, NUMBER, commit);
    } catch (IOException e) {
      return new OwnBuild(place, NUMBER, OwnBuild.UNKNOWN);
    }
  }
}
