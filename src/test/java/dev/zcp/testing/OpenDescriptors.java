package dev.zcp.testing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The descriptors of this process, as `/proc/self/fd` lists them.
public final class OpenDescriptors {

  private OpenDescriptors() {}

  /// What each descriptor of this process leads to, but for the JDK's own files, in order of the
  /// text.
  public static List<String> targets() throws IOException {
    List<String> targets = new ArrayList<>();
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path entry : listing) {
        // The listing's own descriptor is gone by the time it is asked for.
        if (Files.isSymbolicLink(entry)) {
          targets.add(Files.readSymbolicLink(entry).toString());
        }
      }
    }
    targets.removeIf(target -> target.startsWith("/proc/") || target.contains(".jar"));
    targets.sort(null);
    return targets;
  }
}
