package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// zcp in a changed root that is no mount point, so that no line of the table of mounts has it.
class ChrootIT {

  /// Everything of this root but /tmp, in which the new root is; and zcp, which may be there.
  private static final String SCRIPT =
      """
      set -e
      for each in /*; do
        if [ -L $each ]; then
          cp -P $each root
        elif [ -d $each ] && [ $each != /tmp ]; then
          mkdir root$each
          mount --rbind $each root$each
        fi
      done
      home=${1%/bin/zcp}
      mkdir -p root/tmp/here "root$home"
      mount --bind "$home" "root$home"
      exec chroot root sh -c 'cd /tmp/here; HOME=/tmp/here; "$@"' sh "$@"
      """;

  @TempDir Path folder;

  @BeforeEach
  void assume() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may change the root");
    Programs.assume("unshare");
    assumeTrue(folder.startsWith("/tmp"), "the new root would be in itself");
    Files.createDirectory(folder.resolve("root"));
  }

  @Test
  void benchMeasures() throws Exception {
    assertThat(inside("bench", "read", "--size=64K", "--cache=warm")).contains("fastest");
  }

  @Test
  void aRouteIsTunedAndKept() throws Exception {
    inside("bench", "--tune", "--size=8M", "--runs=7", ".", ".");
    assertThat(folder.resolve("root/tmp/here/.config/zcp/profile.json"))
        .content()
        .contains("\"point\" : \"/\"");
  }

  /// What zcp says, which must succeed.
  private String inside(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("unshare", "-m", "sh", "-c", SCRIPT, "sh", ZcpProcess.built() + "/zcp"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
