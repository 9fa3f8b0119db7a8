package dev.zcp.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.profile.Mounts.Mount;
import dev.zcp.testing.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountsTest {

  private static final String TABLE =
      """
      25 24 0:23 / /dev/shm rw,relatime - tmpfs hidden rw,size=24683688k
      27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
      28 27 8:1 /sub /data rw,noatime shared:12 master:3 - btrfs /dev/sda1 rw,subvol=/sub
      30 25 0:27 / /dev/shm rw,relatime - tmpfs top rw,size=24683688k
      31 27 0:28 / /mnt/a\\040disk rw - fuse.x host:/a\\134b rw
      a line of a kernel to come
      """;

  private final Mounts mounts = Mounts.parse(TABLE);

  @Test
  void aFileIsHeldByTheMountClosestToIt() {
    assertThat(mounts.holding("/data/file").mount())
        .isEqualTo(new Mount("btrfs", "/dev/sda1", "/data"));
    assertThat(mounts.holding("/data").mount()).isEqualTo(new Mount("btrfs", "/dev/sda1", "/data"));
    assertThat(mounts.holding("/database/file").mount())
        .isEqualTo(new Mount("ext4", "/dev/vda", "/"));
  }

  @Test
  void ofTwoMountsAtOnePointTheLaterIsOnTop() {
    assertThat(mounts.holding("/dev/shm/x").mount().source()).isEqualTo("top");
  }

  @Test
  void namesAreComparedInTheTablesOwnEscapes() {
    String path = Mounts.escaped("/mnt/a disk/file".getBytes(StandardCharsets.US_ASCII));
    assertThat(path).isEqualTo("/mnt/a\\040disk/file");
    assertThat(mounts.holding(path).mount())
        .isEqualTo(new Mount("fuse.x", "host:/a\\134b", "/mnt/a\\040disk"));
  }

  @Test
  void bytesThatTheTableShowsAsTheyAreAreEscapedAlike() {
    Mounts latin = Mounts.parse("1 1 8:1 / /gr\u00fc\u00df rw - ext4 /dev/sdb rw\n");
    String path = Mounts.escaped("/gr\u00fc\u00df/x".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(path).isEqualTo("/gr\\374\\337/x");
    assertThat(latin.holding(path).mount().point()).isEqualTo("/gr\\374\\337");
  }

  @Test
  void optionsOfTheMountAndOfTheFileSystemAreToldOnce(@TempDir Path dir) throws Exception {
    String table = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n";
    assertThat(Mounts.parse(table).describe(dir))
        .isEqualTo("ext4 on /dev/vda (rw,relatime,discard)");
    assertThat(Mounts.parse("").describe(dir)).isEmpty();
  }

  @Test
  void withoutAMountNothingIsKnown() {
    assertThat(Mounts.parse("").holding("/x")).isNull();
  }

  @Test
  void whatNoMountHoldsIsOnAChangedRoot(@TempDir Path dir) throws Exception {
    Mounts inside = Mounts.parse("27 1 0:5 / /nowhere rw - proc proc rw\n");
    assertThat(inside.of(dir)).isEqualTo(new Mount("unknown", "unknown", "/"));
    assertThat(inside.describe(dir)).isEmpty();
  }

  /// findmnt(8) reads the same table.
  @Test
  void thisMachineIsSeenAsFindmntSeesIt(@TempDir Path dir) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    for (Path each : List.of(file, Path.of("/dev/shm"), Path.of("/proc/self/maps"))) {
      String said = Programs.run("findmnt", "-rno", "FSTYPE,TARGET", "-T", each.toString());
      Mount mount = Mounts.read().between(each, dir).from();
      assertThat(said.lines().toList()).contains(mount.type() + " " + mount.point());
    }
  }
}
