import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What `find`, `rm` and `touch` do to whole folders.
final class Tree {

  private Tree() {}

  /// The regular files at and below `root`, sorted.
  static List<Path> filesBelow(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static void delete(Path root) throws IOException {
    if (Files.notExists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (Path path : deepestFirst(root)) {
      Files.delete(path);
    }
  }

  static void setTimes(Path root, Instant time) throws IOException {
    for (Path path : deepestFirst(root)) {
      Files.setLastModifiedTime(path, FileTime.from(time));
    }
  }

  private static List<Path> deepestFirst(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
