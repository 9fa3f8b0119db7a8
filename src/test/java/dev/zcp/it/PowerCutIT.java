package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is left of a copy with `--fsync` when the power goes.
///
/// The copy goes to ext4 in an image, and the image is a file on XFS. A reflink of the image has,
/// in one moment, what ext4 had written to its disk by then, and nothing that was still in memory.
/// It is mounted, which replays the journal as after a power cut, and looked at.
///
/// ext4 is mounted so that it guesses no better than POSIX promises: `noauto_da_alloc`. Without
/// `--fsync` this rig finds files that were told of and are missing, or have their name and not
/// their bytes.
@Timeout(300)
class PowerCutIT {

  private static final int FOLDERS = 12;
  private static final int FILES_PER_FOLDER = 30;
  private static final int FILE_BYTES_MAX = 40_000;

  /// So that files are told of in many small batches, between which the power may go.
  private static final List<String> FEW_DESCRIPTORS = List.of("prlimit", "--nofile=160");

  private static final int CUTS = 5;

  private static final Pattern DONE =
      Pattern.compile("\\{\"event\":\"file\",\"name\":\"[^\"]*/source/([^\"]+)\".*");

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private Mounted host;
  private Path image;
  private Path disk;
  private Path source;

  @BeforeEach
  void prepare() throws IOException {
    Programs.assume("prlimit", "mkfs.ext4");
    host = Mounted.inFile(folder, "xfs", "2G", "-q", "-m", "reflink=1");
    image = host.path().resolve("disk.img");
    Programs.run("truncate", "-s", "300M", image.toString());
    Programs.run("mkfs.ext4", "-q", image.toString());
    disk = Files.createDirectory(folder.resolve("disk"));
    Programs.run("mount", "-o", "loop,noauto_da_alloc,commit=1", image.toString(), disk.toString());
    source = Files.createDirectory(folder.resolve("source"));
    for (int i = 0; i < FOLDERS; i++) {
      Path each = Files.createDirectory(source.resolve("folder-" + i));
      for (int k = 0; k < FILES_PER_FOLDER; k++) {
        byte[] content = new byte[1 + random.nextInt(FILE_BYTES_MAX)];
        random.nextBytes(content);
        Files.write(each.resolve("file-" + k), content);
      }
    }
  }

  @AfterEach
  void unmount() throws IOException {
    if (disk != null) {
      Programs.run("umount", disk.toString());
    }
    if (host != null) {
      host.close();
    }
  }

  @Test
  void whatWasToldOfIsThereAfterThePowerWent() throws Exception {
    for (int cut = 0; cut < CUTS; cut++) {
      Path target = disk.resolve("target-" + cut);
      int wait = 1 + random.nextInt(FOLDERS * FILES_PER_FOLDER / 2);
      try (BuiltZcp zcp = start(target)) {
        Path out = zcp.out();
        zcp.await(wait + " files", () -> done(out).size() >= wait);
        List<String> told = done(out);
        Path snapshot = cutPower();
        BuiltZcp.Ended ended = zcp.end();
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        look(snapshot, left -> requireThere(left.resolve(target.getFileName()), told));
      }
    }
  }

  @Test
  void allOfATreeIsThereOnceTheCommandHasEnded() throws Exception {
    Path target = disk.resolve("target");
    BuiltZcp.Ended ended;
    try (BuiltZcp zcp = start(target)) {
      ended = zcp.end();
    }
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    look(
        cutPower(),
        left -> {
          String copy = left.resolve("target").toString();
          BuiltZcp.Ended compared =
              BuiltZcp.run(folder, "copy", "-a", "--verify-only", source.toString(), copy);
          assertThat(compared.exitCode()).as(compared.err()).isZero();
        });
  }

  @Test
  void oneFileIsThereOnceTheCommandHasEnded() throws Exception {
    Path file = source.resolve("folder-0/file-0");
    Path target = disk.resolve("alone");
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, "copy", "--fsync", file.toString(), target.toString());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    look(cutPower(), left -> assertThat(left.resolve("alone")).hasSameBinaryContentAs(file));
  }

  private BuiltZcp start(Path target) throws IOException {
    return BuiltZcp.start(
        folder,
        FEW_DESCRIPTORS,
        "copy",
        "-a",
        "--fsync",
        "--json",
        source.toString(),
        target.toString());
  }

  /// The names of files, below the source, that were told to be done.
  private static List<String> done(Path out) throws IOException {
    List<String> names = new ArrayList<>();
    String text = Files.readString(out);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : whole.lines().toList()) {
      Matcher matcher = DONE.matcher(line);
      if (matcher.matches()) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }

  private Path cutPower() throws IOException {
    Path snapshot = host.path().resolve("snapshot.img");
    Files.deleteIfExists(snapshot);
    Programs.run("cp", "--reflink=always", image.toString(), snapshot.toString());
    return snapshot;
  }

  private void look(Path snapshot, Look look) throws Exception {
    Path place = Files.createDirectories(folder.resolve("snapshot"));
    Programs.run("mount", "-o", "loop", snapshot.toString(), place.toString());
    try {
      look.at(place);
    } finally {
      Programs.run("umount", place.toString());
    }
  }

  /// Each file that was told of is whole; and so is each that has its name, told of or not.
  private void requireThere(Path target, List<String> told) throws IOException {
    for (String name : told) {
      assertThat(target.resolve(name))
          .as("seed %d, of %d told of", seed, told.size())
          .hasSameBinaryContentAs(source.resolve(name));
    }
    try (Stream<Path> all = Files.walk(target)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        if (Files.isRegularFile(each) && !each.getFileName().toString().endsWith(".part")) {
          assertThat(each)
              .as("seed %d", seed)
              .hasSameBinaryContentAs(source.resolve(target.relativize(each)));
        }
      }
    }
  }

  @FunctionalInterface
  private interface Look {
    void at(Path root) throws Exception;
  }
}
