package dev.zcp.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// An sshd of the test's own on loopback, with keys made for the run. Its clients are those that
/// know its configuration: `ssh -F` [#config] knows it as the host `box`.
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
    int port = freePort();
    Path serverConfig =
        Files.writeString(
            keys.resolve("sshd_config"),
            """
            Port %d
            ListenAddress 127.0.0.1
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
                    port, keys.resolve("host"), keys.resolve("user.pub"), String.join("\n", more)));
    Path config =
        Files.writeString(
            keys.resolve("config"),
            """
            Host box
              HostName 127.0.0.1
            Host *
              Port %d
              IdentityFile %s
              IdentitiesOnly yes
              IdentityAgent none
              UserKnownHostsFile %s
              StrictHostKeyChecking accept-new
              LogLevel ERROR
            """
                .formatted(port, keys.resolve("user"), keys.resolve("known")));
    Process process =
        new ProcessBuilder(PROGRAM.toString(), "-D", "-e", "-f", serverConfig.toString())
            .redirectErrorStream(true)
            .redirectOutput(keys.resolve("log").toFile())
            .start();
    Sshd sshd = new Sshd(process, config);
    boolean listens = sshd.awaitPort(port);
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean awaitPort(int port) throws InterruptedException {
    long startedNs = System.nanoTime();
    while (process.isAlive() && System.nanoTime() - startedNs < START_S_MAX * 1_000_000_000L) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
        return true;
      } catch (IOException e) {
        Thread.sleep(20);
      }
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
