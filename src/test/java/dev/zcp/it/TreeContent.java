package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/// What is in a tree: for each name below its root, the kind of entry and what it holds.
///
/// @param entries by their paths from the root
/// @param partials the partial files and their journals, which are no entries
record TreeContent(Map<String, String> entries, List<String> partials) {

  private static final String PARTIAL = "\\.zcp-[0-9a-zA-Z]+\\.(part|journal)";

  private static final int TOLD_MAX = 5;
  private static final int PIECE_BYTES = 1 << 20;

  /// How many bytes the partial files have that are right in this directory, if it is there.
  static long partialBytes(Path directory) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> partials = Files.newDirectoryStream(directory, ".zcp-*.part")) {
      for (Path partial : partials) {
        bytes += Files.size(partial);
      }
    } catch (NoSuchFileException e) {
      // The directory is not there yet, or the file has got its name meanwhile.
      return 0;
    }
    return bytes;
  }

  /// Kinds and contents.
  static TreeContent of(Path root) throws IOException {
    return read(root, false);
  }

  /// Kinds and contents, and modes, times and counts of links beside them.
  static TreeContent withMetadata(Path root) throws IOException {
    return read(root, true);
  }

  private static TreeContent read(Path root, boolean metadata) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    List<String> partials = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            entries.put(name(path), "directory" + more(path));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            if (path.getFileName().toString().matches(PARTIAL)) {
              partials.add(name(path));
            } else {
              entries.put(name(path), content(path, attributes) + more(path));
            }
            return FileVisitResult.CONTINUE;
          }

          /// Somebody may be at work there still.
          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (!path.getFileName().toString().matches(PARTIAL)) {
              throw e;
            }
            return FileVisitResult.CONTINUE;
          }

          private String name(Path path) {
            return root.relativize(path).toString();
          }

          private String more(Path path) throws IOException {
            return metadata ? " " + metadataOf(path) : "";
          }
        });
    return new TreeContent(entries, partials);
  }

  private static String content(Path path, BasicFileAttributes attributes) throws IOException {
    if (attributes.isSymbolicLink()) {
      return "link to " + Files.readSymbolicLink(path);
    }
    if (!attributes.isRegularFile()) {
      return "special";
    }
    CRC32C digest = new CRC32C();
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream bytes = Files.newInputStream(path)) {
      for (int count = bytes.read(piece); count > 0; count = bytes.read(piece)) {
        digest.update(piece, 0, count);
      }
    }
    String sum = HexFormat.of().toHexDigits((int) digest.getValue());
    return "file of " + attributes.size() + ", " + sum;
  }

  private static String metadataOf(Path path) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(
            path, "unix:mode,uid,gid,lastModifiedTime,nlink", LinkOption.NOFOLLOW_LINKS);
    return new TreeMap<>(found).toString();
  }

  /// Asserts that here and there are the same names with the same. Tells only of what differs.
  void assertSameAs(TreeContent other) {
    Set<String> names = new TreeSet<>(entries.keySet());
    names.addAll(other.entries.keySet());
    List<String> different = new ArrayList<>();
    for (String name : names) {
      String here = entries.get(name);
      String there = other.entries.get(name);
      if (!Objects.equals(here, there)) {
        different.add(name + " is a " + here + ", not a " + there);
      }
    }
    assertFew(different, "names that differ");
  }

  private static void assertFew(List<String> wrong, String what) {
    assertThat(wrong.subList(0, Math.min(TOLD_MAX, wrong.size())))
        .as("%s: %d", what, wrong.size())
        .isEmpty();
  }

  /// Asserts that each name here has what one of `versions` has there.
  void assertEachIsWholeIn(TreeContent... versions) {
    List<String> wrong = new ArrayList<>();
    entries.forEach(
        (name, found) -> {
          boolean known = false;
          for (TreeContent version : versions) {
            known |= found.equals(version.entries.get(name));
          }
          if (!known) {
            wrong.add(name + " is a " + found);
          }
        });
    assertFew(wrong, "names that are neither old nor complete");
  }
}
