package dev.zcp.bench.tune;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.Signals;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// A hidden directory that holds all files of the trials in one place, and is gone when they are
/// over or a signal ends the process. Since whatever trials make is in it, nothing can appear once
/// it is gone.
final class TrialDirectory implements Closeable {

  /// A trial that is under way may put a file in while the directory is emptied.
  private static final int REMOVALS_MAX = 100;

  private static final long REMOVAL_PAUSE_MS = 10;

  /// How long the JVM may take to end once its hooks are through.
  private static final long END_MS_MAX = 1_000;

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private final RawPath path;
  private final Thread hook;

  private TrialDirectory(RawPath path) {
    this.path = path;
    this.hook = new Thread(() -> remove(path.toPath()), "zcp-tune-remove");
  }

  /// A new one in `parent`.
  ///
  /// @throws Failure DESTINATION where none can be made there
  static TrialDirectory in(RawPath parent) throws Failure {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    RawPath path = parent.resolve((".zcp-tune-" + random).getBytes(StandardCharsets.US_ASCII));
    TrialDirectory directory = new TrialDirectory(path);
    Signals.addHook(directory.hook);
    try {
      Files.createDirectory(path.toPath(), PRIVATE);
      return directory;
    } catch (IOException e) {
      directory.close();
      throw Failure.of(ExitCode.DESTINATION, parent.toString(), "no trial can be made there")
          .with(Reasons.of(e))
          .because(e);
    }
  }

  /// A file of this name in it.
  RawPath file(String name) {
    return path.resolve(name.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // A signal is ending the process, and its exit code tells that. This thread must not overtake
      // it with another code, for a failure that is the end's own doing.
      awaitEnd();
      return;
    }
    remove(path.toPath());
  }

  private static void remove(Path directory) {
    for (int tries = 0; tries < REMOVALS_MAX; tries++) {
      try {
        empty(directory);
        Files.delete(directory);
        return;
      } catch (NoSuchFileException e) {
        return;
      } catch (IOException e) {
        pause(REMOVAL_PAUSE_MS);
      }
    }
  }

  private static void empty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        Files.deleteIfExists(entry);
      }
    }
  }

  private void awaitEnd() {
    try {
      hook.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    pause(END_MS_MAX);
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
