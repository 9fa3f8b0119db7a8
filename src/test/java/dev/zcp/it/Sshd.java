package dev.zcp.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.FreePort;
import dev.zcp.testing.Programs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// An sshd of the test's own on loopback, with keys made for the run. Its clients are those that
/// know its configuration: `ssh -F` [#config] knows it as the host `box`, and 127.0.0.2 as `far`.
final class Sshd implements Closeable {

  private static final Path PROGRAM = Path.of("/usr/sbin/sshd");
  private static final long START_S_MAX = 20;

  private final Process process;
  private final Path config;

  private Sshd(Process process, Path config) {
    this.process = process;
    this.config = config;
  }

  /// Starts it. Without one that can be started, the test is skipped.
  ///
  /// @param place a directory of the test's own
  /// @param more lines of sshd_config(5)
  static Sshd start(Path place, String... more) throws Exception {
    return start(place, List.of(), "127.0.0.1", FreePort.find(), more);
  }

  /// As [#start(Path, String...)], at this address.
  ///
  /// @param before words that come before it: a program that runs it
  static Sshd start(Path place, List<String> before, String address, int port, String... more)
      throws Exception {
    Programs.assume("ssh", "ssh-keygen");
    assumeTrue(Files.isExecutable(PROGRAM), "no sshd is installed");
    if (Programs.isRoot()) {
      // Where Debian's sshd has its unprivileged part; a system that runs one has made it.
      Files.createDirectories(Path.of("/run/sshd"));
    }
    Path keys = Files.createDirectory(place.resolve("ssh"));
    for (String key : List.of("host", "user")) {
      Programs.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "" + keys.resolve(key));
    }
    Path serverConfig =
        Files.writeString(
            keys.resolve("sshd_config"),
            """
            Port %d
            ListenAddress %s
            HostKey %s
            AuthorizedKeysFile %s
            PidFile none
            StrictModes no
            UsePAM no
            PermitRootLogin yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            Subsystem sftp internal-sftp
            %s
            """
                .formatted(
                    port,
                    address,
                    keys.resolve("host"),
                    keys.resolve("user.pub"),
                    String.join("\n", more)));
    Path config =
        Files.writeString(
            keys.resolve("config"),
            """
            Host box
              HostName %s
            Host far
              HostName 127.0.0.2
            Host *
              Port %d
              IdentityFile %s
              IdentitiesOnly yes
              IdentityAgent none
              UserKnownHostsFile %s
              StrictHostKeyChecking accept-new
              LogLevel ERROR
            """
                .formatted(address, port, keys.resolve("user"), keys.resolve("known")));
    List<String> words = new ArrayList<>(before);
    words.addAll(List.of(PROGRAM.toString(), "-D", "-e", "-f", serverConfig.toString()));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(keys.resolve("log").toFile())
            .start();
    Sshd sshd = new Sshd(process, config);
    long addresses = 1 + Stream.of(more).filter(line -> line.startsWith("ListenAddress")).count();
    boolean listens = sshd.awaitPort(keys, addresses);
    if (!listens) {
      sshd.close();
    }
    assumeTrue(listens, () -> "sshd does not start here: " + log(keys));
    return sshd;
  }

  /// What `--ssh` takes.
  String ssh() {
    return "ssh -F " + config;
  }

  /// The processes that it has started, and theirs.
  Stream<ProcessHandle> descendants() {
    return process.descendants();
  }

  /// The configuration of its clients.
  Path config() {
    return config;
  }

  private static String log(Path keys) {
    try {
      return Files.readString(keys.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean awaitPort(Path keys, long addresses) throws InterruptedException {
    long startedNs = System.nanoTime();
    while (process.isAlive() && System.nanoTime() - startedNs < START_S_MAX * 1_000_000_000L) {
      if (log(keys).lines().filter(line -> line.contains("listening on")).count() == addresses) {
        return true;
      }
      Thread.sleep(20);
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(START_S_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
