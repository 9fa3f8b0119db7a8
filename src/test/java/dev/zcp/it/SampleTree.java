package dev.zcp.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A tree that is big enough to be stopped in the middle of its copy: directories below each other,
/// many small files, a few large ones, links of both kinds.
final class SampleTree {

  private static final int DIRECTORIES = 30;
  private static final int SMALL_FILES = 500;
  private static final int LARGE_FILES = 4;
  private static final int SYMLINKS = 20;
  private static final int HARD_LINKS = 20;

  private static final int SMALL_BYTES_MAX = 16 << 10;
  private static final int LARGE_BYTES_MIN = 2 << 20;
  private static final int LARGE_BYTES_MAX = 6 << 20;

  private final Random random;
  private final List<Path> directories = new ArrayList<>();

  private SampleTree(Random random) {
    this.random = random;
  }

  /// Makes the tree, and with it its root.
  static void grow(Path root, Random random) throws IOException {
    new SampleTree(random).grow(Files.createDirectory(root));
  }

  private void grow(Path root) throws IOException {
    directories.add(root);
    for (int i = 0; i < DIRECTORIES; i++) {
      directories.add(Files.createDirectory(place("d" + i)));
    }
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < SMALL_FILES; i++) {
      files.add(write(place("f" + i), random.nextInt(SMALL_BYTES_MAX)));
    }
    for (int i = 0; i < LARGE_FILES; i++) {
      files.add(write(place("large" + i), random.nextInt(LARGE_BYTES_MIN, LARGE_BYTES_MAX)));
    }
    for (int i = 0; i < SYMLINKS; i++) {
      Files.createSymbolicLink(place("s" + i), Path.of("to-" + random.nextInt()));
    }
    for (int i = 0; i < HARD_LINKS; i++) {
      Files.createLink(place("h" + i), files.get(random.nextInt(files.size())));
    }
  }

  private Path place(String name) {
    return directories.get(random.nextInt(directories.size())).resolve(name);
  }

  private Path write(Path file, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    return Files.write(file, content);
  }
}
