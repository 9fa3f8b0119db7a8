package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Guard;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The directory of a benchmark's files: `.zcp-bench-XXXXXXXX`, which nobody else may enter. It is
/// gone when the benchmark is, also by SIGINT, SIGTERM and SIGHUP, which run shutdown hooks.
final class Workspace implements Closeable {

  /// What must stay free beside the files: as much again as they take, but no more than this.
  private static final long MARGIN_BYTES_MAX = 64L << 20;

  private static final String PREFIX = ".zcp-bench-";
  private static final int BUFFER_BYTES = 1 << 20;

  /// A contender may make a file while its directory is emptied, but not again and again.
  private static final int REMOVALS_MAX = 100;

  private static final long REMOVAL_PAUSE_MS = 10;

  private final RawPath parent;
  private final Contender.BenchFile directory;
  private final Content.Generated content;
  private final Map<Long, BenchSource> sources = new LinkedHashMap<>();

  /// Turns true once, when the process is being ended.
  private volatile boolean abandoned;

  private int targets;
  private Guard guard;

  private Workspace(RawPath parent, Contender.BenchFile directory, Content.Generated content) {
    this.parent = parent;
    this.directory = directory;
    this.content = content;
  }

  /// @param content of the files that will be made in it
  /// @throws Failure DESTINATION if it cannot be made
  static Workspace open(RawPath parent, Content.Generated content) throws Failure {
    String suffix = HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    Path directory = parent.toPath().resolve(PREFIX + suffix);
    try {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Contender.BenchFile place =
          new Contender.BenchFile(directory, FileStatus.of(directory).device());
      Workspace workspace = new Workspace(parent, place, content);
      workspace.guard = Guard.install(workspace::abandon);
      return workspace;
    } catch (IOException e) {
      throw Reasons.destination(parent, e);
    }
  }

  Path directory() {
    return directory.path();
  }

  Content.Generated content() {
    return content;
  }

  Contender.BenchFile newTarget() {
    targets++;
    return new Contender.BenchFile(directory().resolve("target-" + targets), directory.device());
  }

  /// Sees to it that there is space for files of `sizes`, of which some may be there already, and
  /// `bytesBeside`; others are removed if that is needed.
  ///
  /// @throws Failure DESTINATION if there is not
  void reserve(Set<Long> sizes, long bytesBeside) throws Failure {
    long neededBytes = bytesBeside;
    for (long size : sizes) {
      neededBytes = sources.containsKey(size) ? neededBytes : Math.addExact(neededBytes, size);
    }
    neededBytes = Math.addExact(neededBytes, Math.min(neededBytes, MARGIN_BYTES_MAX));
    try {
      for (BenchSource other : sources.values().toArray(BenchSource[]::new)) {
        if (usableBytes() < neededBytes && !sizes.contains(other.bytes())) {
          Files.delete(other.path());
          sources.remove(other.bytes());
        }
      }
      long usableBytes = usableBytes();
      if (usableBytes < neededBytes) {
        String what = "no space for the files of the benchmark";
        String sizesToldOf = new ByteSize(neededBytes) + " needed, " + new ByteSize(usableBytes);
        throw Failure.of(ExitCode.DESTINATION, parent, what)
            .with(sizesToldOf + " free; choose a smaller size or another directory");
      }
    } catch (IOException e) {
      throw Reasons.destination(parent, e);
    }
  }

  /// A file of this size, made now unless there is one. It is on the device when this returns:
  /// otherwise it would be written while others are measured, and could not be evicted.
  ///
  /// @throws Failure DESTINATION if it cannot be made
  BenchSource source(long bytes) throws Failure {
    BenchSource known = sources.get(bytes);
    if (known != null) {
      return known;
    }
    Path path = directory().resolve("source-" + bytes);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      write(channel, bytes);
      channel.force(true);
    } catch (IOException e) {
      // Half a file would keep the space that the next one needs.
      remove(path);
      throw Reasons.destination(parent, e);
    }
    BenchSource made =
        new BenchSource(new Contender.BenchFile(path, directory.device()), content, bytes, null);
    sources.put(bytes, made);
    return made;
  }

  /// Also drops what of it was not written yet, which would be written while others are measured.
  static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It goes with its directory.
    }
  }

  @Override
  public void close() {
    guard.close();
    Quietly.deleteFlat(directory());
  }

  private void write(FileChannel channel, long bytes) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (long at = 0; at < bytes; at += BUFFER_BYTES) {
      if (abandoned) {
        throw new IOException("given up");
      }
      int count = (int) Math.min(BUFFER_BYTES, bytes - at);
      content.put(at, ByteBuffer.wrap(buffer, 0, count));
      // Of a hole at the end the last byte is written: Java's channels do not truncate upward.
      int first = !content.isHole(at) ? 0 : at + count == bytes ? count - 1 : count;
      ByteBuffer rest = ByteBuffer.wrap(buffer, first, count - first);
      while (rest.hasRemaining()) {
        channel.write(rest, at + rest.position());
      }
    }
  }

  /// Asked by a descriptor: Java looks for the mount, which a changed root may not have.
  private long usableBytes() throws IOException {
    try (OpenDirectory open = OpenDirectory.open(RawPath.of(directory()))) {
      return open.room().bytes();
    }
  }

  private void abandon() {
    abandoned = true;
    for (int i = 0; i < REMOVALS_MAX && Files.exists(directory()); i++) {
      // If somebody still writes here, another try is worth while.
      Quietly.deleteFlat(directory());
      try {
        Thread.sleep(i == 0 ? 0 : REMOVAL_PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
