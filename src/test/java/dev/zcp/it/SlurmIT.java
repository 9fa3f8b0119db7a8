package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.FreePort;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `examples/slurm` under a real Slurm: a controller and two nodes, all on this machine.
class SlurmIT {

  private static final int SHARDS = 6;
  private static final int FILES = 12_000;
  private static final long WAIT_S_MAX = 300;

  /// Not `@TempDir`, whose directory only its owner may enter.
  private Path folder;

  private final List<Process> daemons = new ArrayList<>();

  @BeforeEach
  void startSlurm() throws Exception {
    Programs.assume("munged", "slurmctld", "slurmd", "sbatch", "sinfo");
    assumeTrue(Programs.isRoot(), "Slurm's node daemon needs root");
    folder = Files.createTempDirectory("zcp-slurm").toRealPath();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path munge = Files.createDirectory(folder.resolve("munge"));
    Path key = Files.write(munge.resolve("key"), new byte[1024]);
    for (Path each : List.of(munge, key)) {
      Files.setPosixFilePermissions(
          each, PosixFilePermissions.fromString(each == key ? "rw-------" : "rwx------"));
    }
    start(
        "munged",
        "--foreground",
        "--force",
        "--key-file=" + key,
        "--socket=" + munge.resolve("socket"),
        "--pid-file=" + munge.resolve("pid"),
        "--seed-file=" + munge.resolve("seed"));
    await("munged", () -> Files.exists(munge.resolve("socket")));
    Files.createDirectory(folder.resolve("state"));
    configure(munge);
    start("slurmctld", "-D", "-f", configuration());
    for (String node : List.of("n1", "n2")) {
      start("slurmd", "-D", "-N", node, "-f", configuration());
    }
    await("two idle nodes", () -> slurm("sinfo", "-h", "-N", "-o", "%T").equals("idle\nidle\n"));
  }

  private void configure(Path munge) throws IOException {
    String host = InetAddress.getLocalHost().getHostName();
    Files.writeString(
        folder.resolve("slurm.conf"),
        """
        ClusterName=zcp
        SlurmctldHost=%1$s(127.0.0.1)
        SlurmctldPort=%2$d
        SlurmUser=root
        SlurmdUser=root
        AuthType=auth/munge
        AuthInfo=socket=%3$s/socket
        CredType=cred/munge
        StateSaveLocation=%4$s/state
        SlurmdSpoolDir=%4$s/spool-%%n
        SlurmctldPidFile=%4$s/slurmctld.pid
        SlurmdPidFile=%4$s/%%n.pid
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        MpiDefault=none
        ReturnToService=2
        NodeName=n1 NodeHostname=%1$s NodeAddr=127.0.0.1 Port=%5$d CPUs=%7$d
        NodeName=n2 NodeHostname=%1$s NodeAddr=127.0.0.1 Port=%6$d CPUs=%7$d
        PartitionName=all Nodes=n1,n2 Default=YES State=UP
        """
            .formatted(
                host,
                FreePort.find(),
                munge,
                folder,
                FreePort.find(),
                FreePort.find(),
                Runtime.getRuntime().availableProcessors()));
  }

  @AfterEach
  void stopSlurm() throws Exception {
    for (Process each : daemons.reversed()) {
      each.descendants().forEach(ProcessHandle::destroyForcibly);
      each.destroyForcibly().waitFor();
    }
    if (folder != null) {
      Programs.run("rm", "-rf", folder.toString());
    }
  }

  @Test
  void theExampleCopiesATreeAlthoughTwoShardsAreKilledInTheMiddle() throws Exception {
    Path source = makeSource();
    Path target = folder.resolve("target");
    Path plan = folder.resolve("plan");
    makeKillingZcp();
    run(
        Path.of("examples/slurm/submit.sh").toAbsolutePath().toString(),
        source.toString(),
        target.toString(),
        Integer.toString(SHARDS),
        plan.toString());
    await("the end of all jobs", () -> slurm("squeue", "-h").isEmpty());
    assertThat(folder.resolve("killed")).content().hasLineCount(2).doesNotContain("missed");
    assertThat(BuiltZcp.run(folder, "plan", "--status", plan.toString()))
        .returns(0, BuiltZcp.Ended::exitCode)
        .extracting(BuiltZcp.Ended::out)
        .asString()
        .contains("shards:   6 done, 0 failed, 0 missing", "finished: yes");
    Path cp = folder.resolve("cp");
    Programs.run("cp", "-a", source.toString(), cp.toString());
    assertThat(TreeSnapshot.of(cp).differences(TreeSnapshot.of(target))).isEmpty();
  }

  private Path makeSource() throws IOException {
    Path source = folder.resolve("source");
    for (int i = 0; i < FILES; i++) {
      Path file = source.resolve("d" + i / 100 + "/" + i);
      if (i % 100 == 0) {
        Files.createDirectories(file.getParent());
      }
      Files.writeString(file, "content of " + i);
    }
    Files.createLink(source.resolve("second name"), source.resolve("d0/7"));
    Files.createDirectory(source.resolve("empty"));
    Files.setPosixFilePermissions(
        source.resolve("d3"), PosixFilePermissions.fromString("r-xr-x---"));
    return source;
  }

  /// A `zcp` for the jobs that kills the first copies of the shards 1 and 4 by SIGKILL, when the
  /// first of their files is there.
  private void makeKillingZcp() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path zcp =
        Files.writeString(
            bin.resolve("zcp"),
            """
            #!/bin/sh
            case "$3" in
              --shard=*/1 | --shard=*/4)
                list=${3#--shard=}
                if mkdir "%1$s/tried-${list##*/}" 2>/dev/null; then
                  first=$4/$(tr '\\0' '\\n' < "$list" | head -n 1)
                  %2$s "$@" &
                  while [ ! -e "$first" ] && kill -0 $! 2>/dev/null; do :; done
                  kill -KILL $! && echo "$list" >> "%1$s/killed" || echo missed >> "%1$s/killed"
                  wait $!
                  exit $?
                fi ;;
            esac
            exec %2$s "$@"
            """
                .formatted(folder, BuiltZcp.LAUNCHER));
    Files.setPosixFilePermissions(zcp, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void start(String... command) throws IOException {
    daemons.add(
        builder(command)
            .redirectOutput(folder.resolve(command[0] + daemons.size() + ".log").toFile())
            .start());
  }

  private String run(String... command) throws Exception {
    Process process = builder(command).directory(folder.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /// The answer of one of Slurm's programs; of a controller that does not answer yet, its message.
  private String slurm(String... command) throws IOException {
    return new String(builder(command).start().getInputStream().readAllBytes());
  }

  private ProcessBuilder builder(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    BuiltZcp.forgetSettings(builder.environment());
    builder.environment().put("SLURM_CONF", configuration());
    builder.environment().put("PATH", folder.resolve("bin") + ":/usr/bin:/bin:/usr/sbin:/sbin");
    return builder;
  }

  private String configuration() {
    return folder.resolve("slurm.conf").toString();
  }

  private void await(String what, BuiltZcp.Condition condition) throws Exception {
    long startedNs = System.nanoTime();
    while (!condition.holds()) {
      assertThat(System.nanoTime() - startedNs)
          .as("waited for " + what + " in " + folder)
          .isLessThan(TimeUnit.SECONDS.toNanos(WAIT_S_MAX));
      Thread.sleep(100);
    }
  }
}
