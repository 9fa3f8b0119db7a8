package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody changes the names of a tree while it is copied. What stays where it is arrives, and
/// nothing outside of the two trees is read or written.
class ChangingTreeIT {

  private static final int ROUNDS = 25;
  private static final int FILES = 60;
  private static final int DIRECTORIES = 8;

  /// How long a name stays what it is: long enough to be opened, and so short that it changes many
  /// times within one copy.
  private static final int STAY_NS_MAX = 300_000;

  private static final String SECRET = "secret";

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private Path source;
  private Path target;
  private Path outside;
  private int swaps;

  @BeforeEach
  void makeFolders() throws IOException {
    System.out.println("ChangingTreeIT: seed " + seed);
    folder = folder.toRealPath();
    source = Files.createDirectory(folder.resolve("source"));
    target = folder.resolve("target");
    outside = Files.createDirectory(folder.resolve("outside"));
    for (int i = 0; i < DIRECTORIES; i++) {
      Path directory = Files.createDirectory(source.resolve("d" + i));
      for (int j = 0; j < FILES; j++) {
        Files.writeString(directory.resolve("f" + j), "content of " + i + " " + j);
      }
    }
  }

  @Test
  void aFileThatVanishesHoldsBackNoOther() throws Exception {
    TreeContent steady = TreeContent.of(source);
    int failed = 0;
    for (int i = 0; i < ROUNDS; i++) {
      BuiltZcp.Ended ended = copyWhile(this::makeAndRemove);
      assertThat(ended.exitCode()).as("%s, seed %d", ended, seed).isIn(0, 1, 3, 11);
      failed += ended.exitCode() == 0 ? 0 : 1;
      TreeContent found = TreeContent.of(target);
      assertThat(found.partials()).isEmpty();
      found.entries().keySet().removeIf(name -> name.contains("fleeting"));
      found.assertSameAs(steady);
      Programs.run("rm", "-rf", target.toString());
    }
    System.out.printf("ChangingTreeIT: %d of %d copies met a file that was gone%n", failed, ROUNDS);
  }

  @Test
  void aDirectoryThatGoesOnceItIsOpenHasVanished() throws Exception {
    Path gone = source.resolve("d3");
    String removal =
        "ls -l 2>/dev/null /proc/$PPID/fd | grep -q '" + gone + "$' && rm -rf '" + gone + "'";
    List<String> before =
        FaultyCalls.make(folder, source, target)
            .with(new FaultyCalls.Fault("getdents64", 0, 1, "run", true, removal));
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, before, "copy", "-a", "-q", source + "/.", target.toString());
    assertThat(ended.err()).isEqualTo("zcp: " + gone + ": vanished before it was copied\n");
    assertThat(ended.exitCode()).isEqualTo(11);
    TreeContent found = TreeContent.of(target);
    found.entries().remove("d3");
    found.assertSameAs(TreeContent.of(source));
  }

  @Test
  void nothingIsReadByALinkThatTakesThePlaceOfADirectory() throws Exception {
    for (int j = 0; j < FILES; j++) {
      Files.writeString(outside.resolve("f" + j), SECRET);
    }
    for (int i = 0; i < ROUNDS; i++) {
      copyWhile(() -> swap(source.resolve("d" + random.nextInt(DIRECTORIES))));
      try (Stream<Path> files = Files.walk(target)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          if (Files.isRegularFile(file) && !Files.isSymbolicLink(file)) {
            assertThat(Files.readString(file)).as("%s, seed %d", file, seed).isNotEqualTo(SECRET);
          }
        }
      }
      Programs.run("rm", "-rf", target.toString());
    }
    assertThat(swaps).isGreaterThan(ROUNDS);
  }

  @Test
  void nothingIsWrittenByALinkThatTakesThePlaceOfADirectory() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      for (int j = 0; j < DIRECTORIES; j++) {
        Files.createDirectories(target.resolve("d" + j));
      }
      copyWhile(() -> swap(target.resolve("d" + random.nextInt(DIRECTORIES))));
      assertThat(outside).as("seed %d", seed).isEmptyDirectory();
      Programs.run("rm", "-rf", target.toString());
    }
    assertThat(swaps).isGreaterThan(ROUNDS);
  }

  /// What is done again and again until the copy has ended.
  @FunctionalInterface
  private interface Disturbance {
    void once() throws IOException;
  }

  private BuiltZcp.Ended copyWhile(Disturbance disturbance) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<IOException> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!over.get()) {
                      disturbance.once();
                    }
                  } catch (IOException e) {
                    failure.set(e);
                  }
                });
    try {
      return BuiltZcp.run(folder, "copy", "-a", "-q", source + "/.", target.toString());
    } finally {
      over.set(true);
      thread.join();
      assertThat(failure.get()).as("seed %d", seed).isNull();
    }
  }

  private void makeAndRemove() throws IOException {
    Path file = source.resolve("d" + random.nextInt(DIRECTORIES)).resolve("fleeting");
    Files.writeString(file, "here");
    stay();
    Files.delete(file);
  }

  /// Puts a link to the outside where a directory is, and after a while the directory again, unless
  /// the copy has made one there meanwhile.
  private void swap(Path directory) throws IOException {
    Path away = folder.resolve("away");
    try {
      Files.move(directory, away);
      Files.createSymbolicLink(directory, outside);
      swaps++;
      stay();
      Files.delete(directory);
      Files.move(away, directory);
    } catch (FileSystemException e) {
      Programs.run("rm", "-rf", away.toString());
    }
    stay();
  }

  private void stay() {
    LockSupport.parkNanos(random.nextInt(STAY_NS_MAX));
  }
}
