package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zcp sync --delete` of random pairs of trees, beside `rsync -aHAXS --delete`: what zcp makes is
/// the source, but where rsync makes something else of it in the same way. `-Dzcp.seeds=N` takes N
/// pairs, and `-Dzcp.seed=N` the pair of that seed alone.
///
/// Names, links and what they lead to are all below the test's directory: nothing else is written.
class SyncLikeRsyncTest {

  private static final int SEEDS = 6;
  private static final int ENTRIES = 40;
  private static final int CHANGES = 25;
  private static final int HOLE_BYTES = 2 << 20;
  private static final int OWNERS = 3;
  private static final int FIRST_OWNER = 1000;

  private static final String[] NAMES = {
    "a", "b", "c", "d", "e", "A", "-n", "a b", "new\nline", "x:y", "~", "*"
  };

  private static final int[] MODES = {0600, 0644, 0755, 0700, 0777, 0640};

  @TempDir Path dir;

  private Random random;
  private Path source;
  private Path before;

  @BeforeEach
  void needPrograms() {
    Programs.assume("rsync", "cp", "mkfifo", "setfacl", "setfattr");
  }

  @Test
  void theTargetIsTheSourceUnlessRsyncMakesTheSameOfIt() throws Exception {
    Long only = Long.getLong("zcp.seed");
    long first = only != null ? only : System.nanoTime();
    for (int i = 0; i < (only != null ? 1 : Integer.getInteger("zcp.seeds", SEEDS)); i++) {
      long seed = first + i;
      dir = Files.createDirectory(dir.resolve("seed" + i));
      check(seed);
      Path done = dir;
      dir = dir.getParent();
      Programs.run("rm", "-rf", "--one-file-system", done.toString());
    }
  }

  private void check(long seed) throws Exception {
    random = new Random(seed);
    source = Files.createDirectory(dir.resolve("source"));
    before = dir.resolve("before");
    grow(source, ENTRIES);
    copy(source, before);
    change(source);
    change(before);
    grow(source, random.nextInt(5));
    grow(before, random.nextInt(5));
    Path ours = dir.resolve("ours");
    Path theirs = dir.resolve("theirs");
    copy(before, ours);
    copy(before, theirs);
    separateKinds(ours, theirs);
    String label = "-Dzcp.seed=" + seed;
    TreeSnapshot old = TreeSnapshot.of(ours);
    Cli.Result plan = sync("-n", ours);
    assertThat(plan.exitCode()).as(label + plan.err()).isZero();
    assertThat(old.differences(TreeSnapshot.of(ours))).as(label).isEmpty();
    Cli.Result result = sync("-q", ours);
    assertThat(result.exitCode()).as(label + result.err()).isZero();
    Programs.run("rsync", "-aHAXS", "--delete", source + "/", theirs + "/");
    TreeSnapshot wanted = TreeSnapshot.of(source);
    assertThat(wanted.differences(TreeSnapshot.of(theirs)))
        .as(label)
        .containsAll(wanted.differences(TreeSnapshot.of(ours)));
    assertThat(sync("-n", ours).out()).as(label).isEmpty();
  }

  private Cli.Result sync(String option, Path target) {
    return Cli.run("sync", option, "--delete", source.toString(), target.toString());
  }

  /// Neither makes a directory of what is none, or the other way round: zcp fails then, and rsync
  /// deletes first. So that is left out.
  private void separateKinds(Path... targets) throws IOException {
    for (Path target : targets) {
      for (Path each : all(target)) {
        Path other = source.resolve(target.relativize(each));
        boolean isThere = Files.exists(other, LinkOption.NOFOLLOW_LINKS);
        if (isThere && isDirectory(other) != isDirectory(each)) {
          Programs.run("rm", "-rf", "--one-file-system", each.toString());
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws Exception {
    Programs.run("cp", "-a", from.toString(), to.toString());
  }

  private static boolean isDirectory(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<Path> all(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      // Not in the order of the directories, which is another one each time.
      return new ArrayList<>(paths.filter(each -> !each.equals(root)).sorted().toList());
    }
  }

  private Path any(List<Path> paths) {
    return paths.get(random.nextInt(paths.size()));
  }

  private void grow(Path root, int entries) throws Exception {
    for (int i = 0; i < entries; i++) {
      List<Path> directories =
          new ArrayList<>(all(root).stream().filter(each -> isDirectory(each)).toList());
      directories.add(root);
      Path path = any(directories).resolve(NAMES[random.nextInt(NAMES.length)]);
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        make(root, path);
      }
    }
  }

  private void make(Path root, Path path) throws Exception {
    switch (random.nextInt(10)) {
      case 0, 1 -> Files.createDirectory(path);
      case 2 -> Files.createSymbolicLink(path, Path.of(NAMES[random.nextInt(NAMES.length)]));
      case 3 -> Programs.run("mkfifo", path.toString());
      case 4 -> {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
          file.seek(HOLE_BYTES);
          file.write(bytes());
        }
      }
      case 5 -> {
        List<Path> files = all(root).stream().filter(SyncLikeRsyncTest::isFile).toList();
        if (files.isEmpty()) {
          Files.write(path, bytes());
        } else {
          Files.createLink(path, any(files));
        }
      }
      default -> Files.write(path, bytes());
    }
    dress(path);
  }

  private static boolean isFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(3) == 0 ? random.nextInt(200_000) : random.nextInt(4)];
    random.nextBytes(bytes);
    return bytes;
  }

  /// Gives an entry other metadata. Few times, so that some entries have the same one.
  private void dress(Path path) throws Exception {
    if (random.nextInt(4) == 0 && Programs.isRoot()) {
      Files.setAttribute(
          path, "unix:uid", FIRST_OWNER + random.nextInt(OWNERS), LinkOption.NOFOLLOW_LINKS);
    }
    boolean isPlain = isFile(path) || isDirectory(path);
    if (isPlain) {
      int mode = MODES[random.nextInt(MODES.length)] | (isDirectory(path) ? 0700 : 0);
      Files.setAttribute(path, "unix:mode", mode);
      if (random.nextInt(5) == 0) {
        String value = Integer.toString(random.nextInt(3));
        Programs.succeeds("setfattr", "-n", "user.a" + value, "-v", value, path.toString());
      }
      if (random.nextInt(6) == 0) {
        Programs.succeeds("setfacl", "-m", "u:" + (1 + random.nextInt(3)) + ":r", path.toString());
      }
      Instant time = Instant.ofEpochSecond(1_700_000_000 + random.nextInt(3), random.nextInt(2));
      Files.setLastModifiedTime(path, FileTime.from(time));
    }
  }

  private void change(Path root) throws Exception {
    int changes = random.nextInt(CHANGES);
    for (int i = 0; i < changes; i++) {
      List<Path> paths = all(root);
      if (paths.isEmpty()) {
        return;
      }
      Path path = any(paths);
      switch (random.nextInt(7)) {
        case 0 -> Programs.run("rm", "-rf", "--one-file-system", path.toString());
        case 1 -> {
          Programs.run("rm", "-rf", "--one-file-system", path.toString());
          make(root, path);
        }
        case 2 -> {
          if (isFile(path)) {
            Files.write(path, bytes());
          }
        }
        case 3 -> {
          // Of the same size and time, which neither of the two reads.
          if (isFile(path) && Files.size(path) < HOLE_BYTES) {
            FileTime time = Files.getLastModifiedTime(path);
            byte[] other = new byte[(int) Files.size(path)];
            random.nextBytes(other);
            Files.write(path, other);
            Files.setLastModifiedTime(path, time);
          }
        }
        case 4 -> breakLink(path);
        case 5 -> move(path, any(paths));
        default -> dress(path);
      }
    }
  }

  private static void breakLink(Path path) throws Exception {
    if (isFile(path)) {
      Path copy = path.resolveSibling("copy");
      Programs.run("cp", "-a", path.toString(), copy.toString());
      Programs.run("mv", "-T", "-f", copy.toString(), path.toString());
    }
  }

  private static void move(Path path, Path to) throws IOException {
    if (!to.startsWith(path) && isDirectory(to)) {
      try {
        Files.move(path, to.resolve(path.getFileName()));
      } catch (FileAlreadyExistsException e) {
        // Then it stays where it is.
      }
    }
  }
}
