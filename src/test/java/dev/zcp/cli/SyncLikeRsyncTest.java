package dev.zcp.cli;

import dev.zcp.testing.Cli;
import dev.zcp.testing.RandomPairs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zcp sync --delete` beside `rsync -aHAXS --delete`, on one machine.
class SyncLikeRsyncTest {

  private static final int SEEDS = 6;

  @TempDir Path dir;

  @Test
  void theTargetIsTheSourceUnlessRsyncMakesTheSameOfIt() throws Exception {
    RandomPairs.check(
        dir,
        SEEDS,
        (option, source, target) ->
            Cli.run("sync", option, "--delete", source.toString(), target.toString()));
  }
}
