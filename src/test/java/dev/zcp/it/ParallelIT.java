package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// `examples/parallel`: the shards of a plan on several hosts by GNU parallel.
class ParallelIT extends SshSetup {

  @Test
  void theExampleCopiesATreeByShardsOnTwoHosts() throws Exception {
    Programs.assume("parallel");
    sshd = Sshd.start(folder);
    Path source = from.resolve("a tree");
    SampleTree.grow(source, new Random(7));
    Files.createDirectories(source.resolve("empty"));
    Path copy = to.resolve("the copy");
    Path plan = folder.resolve("a plan");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of("examples/parallel/copy.sh").toAbsolutePath().toString(),
            source.toString(),
            copy.toString(),
            "5",
            plan.toString(),
            sshd.ssh() + " box,:");
    BuiltZcp.forgetSettings(builder.environment());
    builder.environment().put("ZCP", BuiltZcp.LAUNCHER.toString());
    builder.environment().put("HOME", folder.toString());
    Path log = folder.resolve("copy.log");
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
    Path cp = folder.resolve("cp");
    Programs.run("cp", "-a", source.toString(), cp.toString());
    assertThat(TreeSnapshot.of(cp).differences(TreeSnapshot.of(copy))).isEmpty();
    BuiltZcp.Ended status = BuiltZcp.run(folder, "plan", "--status", plan.toString());
    assertThat(status.out()).contains("shards:   5 done, 0 failed", "finished: yes");
  }
}
