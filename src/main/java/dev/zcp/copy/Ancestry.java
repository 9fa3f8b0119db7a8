package dev.zcp.copy;

import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A directory and all those that it is in, up to the root: whichever way one came there.
final class Ancestry {

  private final List<FileStatus> directories;

  private Ancestry(List<FileStatus> directories) {
    this.directories = directories;
  }

  static Ancestry of(OpenDirectory directory) throws IOException {
    List<FileStatus> directories = new ArrayList<>();
    directories.add(directory.status());
    OpenDirectory above = directory.above();
    // The root is in itself.
    while (!above.status().isSameFile(directories.getLast())) {
      directories.add(above.status());
      try (OpenDirectory below = above) {
        above = below.above();
      }
    }
    above.close();
    return new Ancestry(directories);
  }

  boolean has(FileStatus directory) {
    for (FileStatus each : directories) {
      if (each.isSameFile(directory)) {
        return true;
      }
    }
    return false;
  }
}
