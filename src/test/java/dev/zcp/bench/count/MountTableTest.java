package dev.zcp.bench.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MountTableTest {

  private static final MountTable TABLE =
      MountTable.parse(
          """
          27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
          30 27 0:27 / /data rw,noatime shared:5 master:1 - xfs /dev/sdb1 rw,attr2
          31 27 0:28 / /data/in\\040memory rw - tmpfs none rw,size=4k
          32 27 0:29 / /data rw,relatime - nfs4 host:/export rw,vers=4.2
          a line of another form
          33 27 0:30 / /cut short -
          """);

  @Test
  void thePathsOwnMountIsTheDeepestAndOfTwoAtOnePlaceTheLater() {
    assertThat(TABLE.mounts()).hasSize(4);
    assertThat(TABLE.holding("/").type()).isEqualTo("ext4");
    assertThat(TABLE.holding("/database").type()).isEqualTo("ext4");
    assertThat(TABLE.holding("/data").type()).isEqualTo("nfs4");
    assertThat(TABLE.holding("/data/x/y").type()).isEqualTo("nfs4");
    assertThat(TABLE.holding("/data/in memory/x").type()).isEqualTo("tmpfs");
    assertThat(MountTable.parse("").holding("/")).isNull();
  }

  @Test
  void optionsOfTheMountAndOfTheFileSystemAreToldOnce() {
    MountTable.Mount mount = TABLE.holding("/data/x");
    assertThat(mount.source()).isEqualTo("host:/export");
    assertThat(mount.options()).isEqualTo("rw,relatime,vers=4.2");
  }

  @Test
  void memoryIsMountedAsTmpfsHere() {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(memory), "there is no " + memory);
    String mountinfo = MachineReader.read(memory).fileSystem();
    assertThat(mountinfo).matches("tmpfs on \\S+ \\(rw.*\\)");
    assertThat(MachineReader.read(Path.of("/nowhere/at/all")).fileSystem()).isEmpty();
  }
}
