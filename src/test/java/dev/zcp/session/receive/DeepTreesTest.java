package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A tree far deeper than any path that the kernel takes.
class DeepTreesTest {

  private static final int LEVELS = 9_000;
  private static final byte[] NAME = {'d'};
  private static final byte[] FILE = {'f'};

  @TempDir Path home;

  /// It took 18 s for 4,000 levels and failed at 8,000, since each level kept its whole path.
  @Test
  @Timeout(300)
  void aTreeOfNineThousandLevelsArrives() throws Exception {
    Path tree = Files.createDirectory(home.resolve("tree"));
    Path inbox = home.resolve("inbox");
    try {
      make(tree);
      try (Reception reception = Reception.open(inbox, "--once", "--stall-timeout=10s")) {
        Cli.Result sent =
            Cli.run(
                Map.of("ZCP_KEY", reception.key().text()),
                "send",
                "-q",
                "-r",
                reception.address(),
                tree.toString());
        assertThat(sent).isEqualTo(new Cli.Result(0, "", ""));
        assertThat(reception.receiver().end().exitCode()).isZero();
      }
      assertThat(depth(inbox.resolve("tree"))).isEqualTo(LEVELS);
    } finally {
      // Java's own way of deleting needs a path.
      Programs.run("rm", "-rf", tree.toString(), inbox.toString());
    }
  }

  private static void make(Path top) throws IOException {
    OpenDirectory directory = OpenDirectory.open(RawPath.of(top));
    for (int level = 0; level < LEVELS; level++) {
      directory.makeDirectory(NAME, 0700);
      directory = descend(directory);
    }
    directory.create(FILE, 0600).close();
    directory.close();
  }

  /// How many directories are in one another, with a file in the last.
  private static int depth(Path top) throws IOException {
    OpenDirectory directory = OpenDirectory.open(RawPath.of(top));
    int depth = 0;
    while (directory.statusOf(NAME) != null) {
      directory = descend(directory);
      depth++;
    }
    boolean hasFile = directory.statusOf(FILE) != null;
    directory.close();
    return hasFile ? depth : -1;
  }

  private static OpenDirectory descend(OpenDirectory directory) throws IOException {
    try (directory) {
      return directory.directory(NAME, false);
    }
  }
}
