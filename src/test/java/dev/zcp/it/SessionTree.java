package dev.zcp.it;

import dev.zcp.secure.Key;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.stream.Stream;

/// A tree to send, small enough to be sent a hundred times: files that go in blocks, and many that
/// go in parts. And the place that it is sent to, with the key for both ends.
record SessionTree(Path source, Path inbox, Path keyFile) {

  private static final int[] LARGE_BYTES = {5 << 20, 3 << 20, 1 << 20};
  private static final int SMALL_FILES = 120;
  private static final int SMALL_BYTES_MAX = 6 << 10;
  private static final int DIRECTORIES = 6;

  static SessionTree grow(Path folder, Random random) throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    for (int i = 0; i < LARGE_BYTES.length; i++) {
      write(source.resolve("large" + i), LARGE_BYTES[i], random);
    }
    for (int i = 0; i < DIRECTORIES; i++) {
      Files.createDirectory(source.resolve("d" + i));
    }
    for (int i = 0; i < SMALL_FILES; i++) {
      Path directory = source.resolve("d" + random.nextInt(DIRECTORIES));
      write(directory.resolve("small" + i), random.nextInt(SMALL_BYTES_MAX), random);
    }
    Path keyFile =
        Files.createFile(
            folder.resolve("key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(keyFile, Key.random().text() + "\n");
    return new SessionTree(source, Files.createDirectory(folder.resolve("inbox")), keyFile);
  }

  private static void write(Path file, int bytes, Random random) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    Files.write(file, content);
  }

  /// What arrived, as far as it has its name.
  TreeContent arrived() throws IOException {
    return TreeContent.of(inbox);
  }

  /// Takes away what arrived. The directory stays: a receiver holds it open.
  void clear() throws IOException {
    Programs.run("find", inbox.toString(), "-mindepth", "1", "-delete");
  }

  /// The bytes of the files that arrived.
  long arrivedBytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(inbox)) {
      for (Path file : files.toList()) {
        boolean hidden = file.getFileName().toString().startsWith(".zcp-");
        bytes += !hidden && Files.isRegularFile(file) ? Files.size(file) : 0;
      }
    }
    return bytes;
  }
}
