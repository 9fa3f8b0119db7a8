package dev.zcp.it;

import dev.zcp.testing.Cli;
import dev.zcp.testing.RandomPairs;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `zcp sync --delete` between machines beside `rsync -aHAXS --delete`. The other machine is this
/// one, by a real sshd.
@Timeout(1800)
class SyncLikeRsyncIT extends SshSetup {

  private static final int SEEDS = 1;

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void theTargetIsTheSourceUnlessRsyncMakesTheSameOfIt(Way way) throws Exception {
    sshd = Sshd.start(folder);
    RandomPairs.check(
        folder,
        SEEDS,
        (option, source, target) -> {
          BuiltZcp.Ended ended =
              zcp("sync", option, "--delete", way.source(source), way.target(target));
          return new Cli.Result(ended.exitCode(), ended.out(), ended.err());
        });
  }
}
