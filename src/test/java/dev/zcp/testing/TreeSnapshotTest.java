package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A difference of every kind is planted, and found.
class TreeSnapshotTest {

  @TempDir Path dir;

  @BeforeEach
  void makeTwoTrees() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may make what is compared here");
    Programs.assume("setfattr", "setfacl");
    for (String tree : new String[] {"one", "two"}) {
      sh(
          "mkdir -p "
              + tree
              + "/d; cd "
              + tree
              + "; echo content > d/file; echo content > d/other; ln d/file d/hard;"
              + " truncate -s 4M hole; ln -s there link; mkfifo fifo; mknod device c 1 3;"
              + " setfattr -n user.a -v 1 d/file; setfacl -m u:1:r d/file;"
              + " touch -h -d @1.5 hole link fifo device d/* d .; touch -a -d @9999999999 hole");
    }
  }

  @Test
  void equalTreesHaveNoDifference() throws IOException {
    assertThat(differences()).isEmpty();
    assertThat(TreeSnapshot.of(dir.resolve("one")).size()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource({
    "chmod 4644 fifo,                                    ./fifo: mode: 644 | 4644",
    "chown 5 device,                                     ./device: owner: 0 | 5",
    "chgrp -h 5 link,                                    ./link: group: 0 | 5",
    "touch -d @1.500000001 d,  ./d: modified: 1970-01-01T00:00:01.5Z |"
        + " 1970-01-01T00:00:01.500000001Z",
    "touch -a -d @9999999998 hole, ./hole: accessed: 2286-11-20T17:46:39Z | 2286-11-20T17:46:38Z",
    "ln -sfn where link; touch -h -d @1.5 link .,        ./link: target: there | where",
    "rm device; mknod device c 1 5; touch -d @1.5 device ., ./device: device: 103 | 105",
    "rm device; mknod device b 1 3; touch -d @1.5 device ., ./device: type: 20000 | 60000",
    "truncate -s 5M hole; touch -m -d @1.5 hole,         ./hole: bytes: 4194304 | 5242880",
    "echo Content > d/other; touch -d @1.5 d/other,      ./d/other: content: ",
    "fallocate -l 4M hole; touch -m -d @1.5 hole, ./hole: allocated bytes: 0 | 4194304",
    "rm d/hard; cp -p d/file d/hard; touch -d @1.5 d,    './d/hard: names: [./d/file, ./d/hard] |'",
    "ln fifo ../third,                                   ./fifo: links: 1 | 2",
    "setfattr -n user.a -v 2 d/file,        ./d/file: attribute user.a: 31 | 32",
    "setfattr -n trusted.b d,               './d: attribute trusted.b: null | '",
    "setfacl -m u:1:rw d/file,     './d/file: attribute system.posix_acl_access: '",
    "rm d/other; touch -d @1.5 d,                        ./d/other: missing",
    "mkdir more; touch -d @1.5 .,                        ./more: added",
  })
  void aPlantedDifferenceIsFound(String plant, String line) throws IOException {
    sh("cd two; " + plant);
    assertThat(differences()).anyMatch(difference -> difference.startsWith(line));
  }

  private List<String> differences() throws IOException {
    return TreeSnapshot.of(dir.resolve("one")).differences(TreeSnapshot.of(dir.resolve("two")));
  }

  private void sh(String script) throws IOException {
    Programs.run("sh", "-ec", "cd \"$1\"; " + script, "sh", dir.toString());
  }
}
