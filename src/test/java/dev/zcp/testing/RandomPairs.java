package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Random pairs of trees: what `zcp sync --delete` makes of them beside `rsync -aHAXS --delete`.
///
/// Names, links and what they lead to are all below the test's directory: nothing else is written.
public final class RandomPairs {

  private static final int ENTRIES = 40;
  private static final int CHANGES = 25;
  private static final int HOLE_BYTES = 2 << 20;
  private static final int OWNERS = 3;
  private static final int FIRST_OWNER = 1000;
  private static final long LATER_S = 10;
  private static final long STEP_NS = 1_001;

  /// In the escapes of a URI, since names are any bytes.
  private static final String[] NAMES = {
    "a",
    "b",
    "c",
    "d",
    "e",
    "A",
    "-n",
    "a%20b",
    "new%0Aline",
    "x:y",
    "~",
    "*",
    "caf%C3%A9",
    "cafe%CC%81",
    "%FF",
    "%C3",
    "%ED%A0%80",
    "%01%7F%5C",
    "'%22$%60",
    "a%0A",
    "...",
    "n".repeat(255)
  };

  private static final int[] MODES = {0600, 0644, 0755, 0700, 0777, 0640, 04755, 02755, 01777};

  private final Path dir;
  private final Random random;
  private final String[] user;
  private final String label;
  private final Path source;
  private final Path before;

  /// Runs `zcp sync` with an option, `--delete`, and these operands.
  @FunctionalInterface
  public interface Sync {
    Cli.Result run(String option, Path source, Path target) throws Exception;
  }

  private RandomPairs(Path dir, long seed, String[] user) throws IOException {
    this.dir = dir;
    this.random = new Random(seed);
    this.user = user;
    this.label = "-Dzcp.seed=" + seed;
    this.source = Files.createDirectory(dir.resolve("source"));
    this.before = dir.resolve("before");
  }

  /// Requires that what zcp makes is the source, but where rsync makes something else of it in the
  /// same way. `-Dzcp.seeds=N` takes N pairs, and `-Dzcp.seed=N` the pair of that seed alone.
  ///
  /// @param place a directory of the test's own
  /// @param user words that make another user of whoever runs the command behind them: the targets
  ///   belong to nobody then. None if it is this one
  public static void check(Path place, int seeds, Sync zcp, String... user) throws Exception {
    Programs.assume("rsync", "cp", "mkfifo", "setfacl", "setfattr", "xargs");
    Long only = Long.getLong("zcp.seed");
    long first = only != null ? only : System.nanoTime();
    for (int i = 0; i < (only != null ? 1 : Integer.getInteger("zcp.seeds", seeds)); i++) {
      Path dir = Files.createDirectory(place.resolve("seed" + i));
      new RandomPairs(dir, first + i, user).check(zcp);
      removeAll(dir);
    }
  }

  private void check(Sync zcp) throws Exception {
    grow(source, ENTRIES);
    copy(source, before);
    change(source);
    change(before);
    grow(source, random.nextInt(5));
    grow(before, random.nextInt(5));
    separateTimes();
    if (user.length > 0) {
      giveToNobody();
    }
    Path ours = dir.resolve("ours");
    Path theirs = dir.resolve("theirs");
    copy(before, ours);
    copy(before, theirs);
    removeOtherKinds(theirs);
    TreeSnapshot old = TreeSnapshot.of(ours);
    Cli.Result plan = zcp.run("-n", source, ours);
    assertThat(plan.exitCode()).as(label + plan.err()).isZero();
    assertThat(old.differences(TreeSnapshot.of(ours))).as(label).isEmpty();
    Cli.Result result = zcp.run("-q", source, ours);
    assertThat(result.exitCode()).as(label + result.err()).isZero();
    List<String> rsync = new ArrayList<>(List.of(user));
    rsync.addAll(List.of("rsync", "-aHAXS", "--delete", source + "/", theirs + "/"));
    Programs.run(rsync.toArray(String[]::new));
    TreeSnapshot wanted = TreeSnapshot.of(source);
    List<String> differences = wanted.differences(TreeSnapshot.of(ours));
    differences.removeAll(wanted.differences(TreeSnapshot.of(theirs)));
    assertThat(differences).as(label).isEmpty();
    assertThat(zcp.run("-n", source, ours).out()).as(label).isEmpty();
  }

  /// What rsync would do itself, but it fails at a directory that has a default access control list
  /// in the source and is a file in the target: it asks the file for one.
  private void removeOtherKinds(Path target) throws IOException {
    for (Path each : all(target)) {
      Path other = source.resolve(target.relativize(each));
      boolean isThere = Files.exists(other, LinkOption.NOFOLLOW_LINKS);
      if (isThere && isDirectory(other) != isDirectory(each)) {
        removeAll(each);
      }
    }
  }

  /// Of several files that have the size and the time of one that has several names, each of the
  /// two keeps one, unread. So no other than the same has them.
  private void separateTimes() throws IOException {
    for (Path each : all(before)) {
      Path other = source.resolve(before.relativize(each));
      if (isFile(each)
          && isFile(other)
          && (int) Files.getAttribute(other, "unix:nlink") > 1
          && Files.mismatch(each, other) >= 0) {
        Instant time = Files.getLastModifiedTime(other).toInstant().plusSeconds(LATER_S);
        Files.setLastModifiedTime(each, FileTime.from(time));
      }
    }
  }

  /// Nobody can read all of the source then. A file whose owner it cannot keep gets no setuid,
  /// setgid or sticky bit of zcp, as of cp(1), so the source has none.
  private void giveToNobody() throws IOException {
    Programs.run("chmod", "a+rx", dir.toString());
    Programs.run("chown", "-hR", "65534:65534", before.toString());
    Programs.run("chmod", "-R", "a-st", source.toString());
    Programs.run(
        "sh",
        "-c",
        "find \"$1\" ! -type l ! -perm -o=r -exec chown -h 65534 {} + ; "
            + "find \"$1\" -type d ! -perm -o=x -exec chown -h 65534 {} +",
        "sh",
        source.toString());
  }

  private static void removeAll(Path path) throws IOException {
    Programs.runOn(path, "rm", "-rf", "--one-file-system");
  }

  /// Any of the names.
  private Path name() {
    String name = NAMES[random.nextInt(NAMES.length)];
    return Path.of(URI.create("file:///" + name)).getFileName();
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
      Path path = any(directories).resolve(name());
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        make(root, path);
      }
    }
  }

  private void make(Path root, Path path) throws Exception {
    switch (random.nextInt(10)) {
      case 0, 1 -> Files.createDirectory(path);
      case 2 -> Files.createSymbolicLink(path, name());
      case 3 -> {
        if (random.nextBoolean() && mayMakeDevices()) {
          Programs.runOn(path, "sh", "-c", "mknod \"$1\" c 1 3", "sh");
        } else {
          Programs.runOn(path, "mkfifo");
        }
      }
      case 4 -> {
        try (FileChannel file =
            FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          file.write(ByteBuffer.wrap(bytes()), HOLE_BYTES);
        }
      }
      case 5 -> {
        List<Path> files = all(root).stream().filter(RandomPairs::isFile).toList();
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

  /// Root may, but in some containers.
  private boolean mayMakeDevices() throws IOException {
    return user.length == 0
        && Programs.isRoot()
        && Programs.succeeds("sh", "-c", "mknod \"$1\" c 1 3 && rm \"$1\"", "sh", dir + "/device");
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
        Programs.runOn(path, "setfattr", "-n", "user.a" + value, "-v", value);
      }
      if (random.nextInt(6) == 0) {
        Programs.runOn(path, "setfacl", "-m", "u:" + (1 + random.nextInt(3)) + ":r");
      }
      // Two times within 100 ns are one for a file system that may be NTFS: see FileAge.
      long ns = random.nextInt(2) * STEP_NS;
      Instant time = Instant.ofEpochSecond(1_700_000_000 + random.nextInt(3), ns);
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
        case 0 -> removeAll(path);
        case 1 -> {
          removeAll(path);
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
      Programs.runOn(
          path, "sh", "-c", "cp -a \"$1\" \"${1%/*}/copy\"; mv -Tf \"${1%/*}/copy\" \"$1\"", "sh");
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
