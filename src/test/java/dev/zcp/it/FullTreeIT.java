package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /// Six times what a small target holds, or next to nothing.
  private static final int LARGE_BYTES = 1 << 20;

  private static final int SMALL_BYTES = 100;

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

  private static byte[] bytes(int count, int seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
