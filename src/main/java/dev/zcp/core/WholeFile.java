package dev.zcp.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Replaces a file as a whole: at any time it is absent, old or complete.
public final class WholeFile {

  /// path_resolution(7)
  private static final int LINKS_MAX = 40;

  private WholeFile() {}

  /// Writes the content under another name first, and renames it. A symbolic link is replaced:
  /// [#followed] tells what it leads to.
  ///
  /// @param durable whether the bytes must reach the device before the name does. To wait for that
  ///   can take long: some file systems write out everything that is not on the device yet
  /// @param mode that of any new file if there is none
  public static void write(Path file, byte[] content, boolean durable, FileAttribute<?>... mode)
      throws IOException {
    Path partial = partialBeside(file);
    try {
      Set<StandardOpenOption> isNew =
          Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (FileChannel channel = FileChannel.open(partial, isNew, mode)) {
        for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
          channel.write(rest);
        }
        if (durable) {
          channel.force(true);
        }
      }
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  /// A hidden name that nothing has. It need not be unpredictable: what is there is not opened.
  public static Path partialBeside(Path file) {
    String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return file.resolveSibling(".zcp-" + random + ".part");
  }

  /// What a name leads to through symbolic links, be there something or not.
  ///
  /// @throws FileSystemLoopException if the links lead nowhere
  public static Path followed(Path name) throws IOException {
    Path file = name.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(file); links++) {
      if (links == LINKS_MAX) {
        throw new FileSystemLoopException("too many levels of symbolic links");
      }
      file = file.resolveSibling(Files.readSymbolicLink(file));
    }
    return file;
  }
}
