package dev.zcp.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/// Sets a mode that forbids reading, and a time, in a process without the rights of root.
final class MetadataProbe {

  static final FileTime TIME = FileTime.fromMillis(1_000);

  private MetadataProbe() {}

  public static void main(String[] paths) throws IOException {
    new Metadata(0200, TIME, Metadata.OWN, Metadata.OWN).apply(Path.of(paths[0]));
  }
}
