package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A target that has no room for a tree: a copy that can know it does nothing. Else it ends with
/// the code for targets, says why once, of the first file and of no other, leaves no partial file,
/// and what was there is there still.
class FullTreeIT {

  private static final String SMALL_TMPFS = "mount -t tmpfs -o size=16m none \"$1\"";
  private static final String FEW_INODES = "mount -t tmpfs -o nr_inodes=60 none \"$1\"";
  private static final String SMALL_EXT4 =
      "truncate -s 16M \"$1.img\" && mkfs.ext4 -q \"$1.img\" && mount -o loop \"$1.img\" \"$1\"";
  private static final String FEW_INODES_ON_EXT4 =
      "truncate -s 64M \"$1.img\" && mkfs.ext4 -q -N 64 \"$1.img\""
          + " && mount -o loop \"$1.img\" \"$1\"";

  private static final int FILES = 100;
  private static final int MANY_FILES = 3000;

  /// Six times what a small target holds, or next to nothing.
  private static final int LARGE_BYTES = 1 << 20;

  private static final int SMALL_BYTES = 100;

  private static final int SMALL_TMPFS_BYTES = 16 << 20;
  private static final int SENT_BYTES = 8 << 20;

  @TempDir Path folder;

  private Path source;
  private Path disk;

  @BeforeEach
  void makeFolders() throws IOException {
    folder = folder.toRealPath();
    assumeTrue(Programs.isRoot(), "only root may mount");
    source = Files.createDirectory(folder.resolve("source"));
    disk = Files.createDirectory(folder.resolve("disk"));
  }

  @AfterEach
  void unmount() throws IOException {
    if (disk != null && Programs.succeeds("mountpoint", "-q", disk.toString())) {
      Programs.run("umount", disk.toString());
    }
  }

  @ParameterizedTest(name = "{1} bytes")
  @CsvSource({
    "'" + SMALL_TMPFS + "'," + LARGE_BYTES,
    "'" + SMALL_EXT4 + "'," + LARGE_BYTES,
    "'" + FEW_INODES + "'," + SMALL_BYTES,
    "'" + FEW_INODES_ON_EXT4 + "'," + SMALL_BYTES
  })
  void aFullTargetIsToldOnceAndKeepsWhatItHas(String mount, int fileBytes) throws Exception {
    assumeTrue(Programs.succeeds("sh", "-c", mount, "sh", disk.toString()), "cannot be mounted");
    for (int i = 0; i < FILES; i++) {
      Path directory = Files.createDirectories(source.resolve("d" + i % 5));
      Files.write(directory.resolve("f" + i), bytes(fileBytes, i));
    }
    Path old = Files.createDirectories(disk.resolve("target/d0")).resolve("f0");
    Files.writeString(old, "old");
    Path other = Files.writeString(disk.resolve("other"), "other");

    String from = source + "/.";
    String to = disk.resolve("target").toString();
    BuiltZcp.Ended refused = BuiltZcp.run(folder, "copy", "-a", "-q", from, to);
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(refused.err()).containsPattern("no (space|inodes) left .* needed, .* free");
    assertThat(old).hasContent("old");

    // What may be there already is not counted.
    BuiltZcp.Ended ended = BuiltZcp.run(folder, "copy", "-a", "-q", "--skip-same", from, to);

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    List<String> told = ended.err().lines().toList();
    assertThat(told).hasSize(2);
    // It may be a directory that there is no inode for: of a file it is told what it needs.
    assertThat(told.getFirst()).containsPattern("no space left on device( \\(|$)");
    assertThat(told.getLast()).contains("the copy ended early").contains(" were not copied");
    TreeContent found = TreeContent.of(disk.resolve("target"));
    assertThat(found.partials()).isEmpty();
    if (!found.entries().get("d0/f0").equals(TreeContent.of(source).entries().get("d0/f0"))) {
      assertThat(old).hasContent("old");
    }
    found.entries().remove("d0/f0");
    found.assertEachIsWholeIn(TreeContent.of(source));
    assertThat(other).hasContent("other");
  }

  @Test
  void whatMayFitIsNotRefused() throws Exception {
    assumeTrue(
        Programs.succeeds("sh", "-c", SMALL_TMPFS, "sh", disk.toString()), "cannot be mounted");
    Files.write(Files.createDirectory(source.resolve("large")).resolve("f"), new byte[24 << 20]);
    Path sparse = disk.resolve("sparse");
    BuiltZcp.Ended holes =
        BuiltZcp.run(
            folder, "copy", "-aTq", "--sparse=always", source.toString(), sparse.toString());
    assertThat(holes.exitCode()).as(holes.err()).isZero();
    Path mount = Files.createDirectories(disk.resolve("target/large"));
    assumeTrue(
        Programs.succeeds("mount", "-t", "tmpfs", "none", mount.toString()), "cannot be mounted");
    try {
      BuiltZcp.Ended mounted =
          BuiltZcp.run(
              folder, "copy", "-aTq", source.toString(), disk.resolve("target").toString());
      assertThat(mounted.exitCode()).as(mounted.err()).isZero();
      assertThat(mount.resolve("f")).hasSize(24 << 20);
    } finally {
      Programs.run("umount", mount.toString());
    }
  }

  /// Else the sender would send what nobody can write, and both ends would tell of each file.
  @ParameterizedTest
  @ValueSource(ints = {SMALL_BYTES, LARGE_BYTES})
  void aTargetThatBecomesFullEndsASession(int fileBytes) throws Exception {
    assumeTrue(
        Programs.succeeds("sh", "-c", SMALL_TMPFS, "sh", disk.toString()), "cannot be mounted");
    int files = Math.min(MANY_FILES, SENT_BYTES / fileBytes);
    for (int i = 0; i < files; i++) {
      Files.write(source.resolve("f" + i), bytes(fileBytes, i));
    }
    try (BuiltZcp receiver =
            BuiltZcp.start(folder, "receive", "--once", "--listen=127.0.0.1:0", disk.toString());
        BuiltZcp sender =
            BuiltZcp.start(
                folder,
                "send",
                "-aq",
                "--limit-rate=2M",
                receiver.firstLine(),
                source.toString())) {
      sender.await("the directory", () -> Files.isDirectory(disk.resolve("source")));
      fill();
      BuiltZcp.Ended sent = sender.end();
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(4);
      assertThat(sent.err().lines()).hasSize(1);
      assertThat(sent.err()).contains("the receiver gave up").contains("no space left on device");
      BuiltZcp.Ended received = receiver.end();
      assertThat(received.exitCode()).as(received.err()).isEqualTo(4);
      assertThat(received.err().lines().filter(line -> line.contains("no space")).distinct())
          .as(received.err())
          .hasSize(1);
    }
    TreeContent.of(disk.resolve("source")).assertEachIsWholeIn(TreeContent.of(source));
  }

  /// What is mounted in the target may take nothing, and the rest of the target may.
  @Test
  void aReadOnlyMountInATargetEndsNoSession() throws Exception {
    Path mount = Files.createDirectories(disk.resolve("source/mounted"));
    assumeTrue(
        Programs.succeeds("mount", "-t", "tmpfs", "-o", "ro", "none", mount.toString()),
        "cannot be mounted");
    try (BuiltZcp receiver =
        BuiltZcp.start(folder, "receive", "--once", "--listen=127.0.0.1:0", disk.toString())) {
      for (String directory : List.of("mounted", "other")) {
        Path each = Files.createDirectory(source.resolve(directory));
        for (int i = 0; i < FILES; i++) {
          Files.write(each.resolve("f" + i), bytes(SMALL_BYTES, i));
        }
      }
      BuiltZcp.Ended sent =
          BuiltZcp.run(folder, "send", "-aq", receiver.firstLine(), source.toString());
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(1);
      assertThat(sent.err().lines())
          .hasSize(FILES)
          .allMatch(line -> line.endsWith("refused there: read-only file system"));
      try (Stream<Path> arrived = Files.list(disk.resolve("source/other"))) {
        assertThat(arrived).hasSize(FILES);
      }
    } finally {
      Programs.run("umount", mount.toString());
    }
  }

  private void fill() throws IOException {
    try (OutputStream filler = Files.newOutputStream(disk.resolve("filler"))) {
      byte[] more = new byte[SMALL_TMPFS_BYTES + 1];
      assertThatThrownBy(() -> filler.write(more)).hasMessageContaining("No space left");
    }
  }

  private static byte[] bytes(int count, int seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
