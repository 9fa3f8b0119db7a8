package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The built zcp on two machines, of which the second is reached by ssh: what goes past ssh.
@Timeout(300)
class DirectIT extends SshSetup {

  private static final int SSH_PORT = 2222;

  /// The least that is worth a connection of its own.
  private static final int DIRECT_BYTES = 64 << 20;

  private static final int MANY_BYTES = 300 << 20;
  private static final int FEW_BYTES = 1 << 10;

  /// The library that has TLS.
  private static final String TLS = "libconscrypt";

  private static final Pattern BYTES_DIRECT = Pattern.compile("\"bytesDirect\":([0-9]+)");

  private TwoHosts hosts;

  @BeforeEach
  void start() throws Exception {
    hosts = TwoHosts.connect();
    sshd = Sshd.start(folder, hosts.onSecond(), TwoHosts.ADDRESS, SSH_PORT);
  }

  @AfterEach
  void stop() throws Exception {
    if (hosts != null) {
      hosts.close();
    }
  }

  private Path file(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(from.resolve("file"), content);
  }

  private BuiltZcp start(String command, String... arguments) throws Exception {
    return BuiltZcp.start(folder, hosts.onFirst(), words(command, arguments));
  }

  private String[] operands(boolean push) {
    Path file = from.resolve("file");
    return push ? new String[] {file.toString(), box(to)} : new String[] {box(file), to.toString()};
  }

  /// Copies the file there, or from there.
  private BuiltZcp copy(boolean push, String... options) throws Exception {
    return start("copy", with(options, operands(push)));
  }

  private BuiltZcp.Ended completes(BuiltZcp zcp) throws Exception {
    BuiltZcp.Ended ended = zcp.end();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(Files.mismatch(from.resolve("file"), to.resolve("file"))).isEqualTo(-1);
    return ended;
  }

  private static long bytesDirect(BuiltZcp.Ended ended) {
    Matcher matcher = BYTES_DIRECT.matcher(ended.out());
    assertThat(matcher.find()).as(ended.out()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /// Waits for a connection past ssh, and for bytes after it.
  private void awaitBytesDirect(BuiltZcp zcp) throws Exception {
    zcp.await(
        "a direct connection", () -> Files.readString(zcp.out()).contains("\"encrypted\":true"));
    long before = partialBytes();
    zcp.await("some more of the file", () -> partialBytes() > before + DIRECT_BYTES / 8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyBytesGoPastSsh(boolean push) throws Exception {
    file(MANY_BYTES);
    try (BuiltZcp zcp = copy(push, "-q", "--json")) {
      BuiltZcp.Ended ended = completes(zcp);
      assertThat(bytesDirect(ended)).isBetween(1L, (long) MANY_BYTES);
      assertThat(ended.out()).contains("\"encrypted\":true").doesNotContain("\"connections\":1,");
      assertThat(ended.err()).isEmpty();
    }
  }

  /// It was killed a second later if the last word had come on a direct connection.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sshEndsByItself(boolean push) throws Exception {
    file(MANY_BYTES);
    Path status = folder.resolve("status");
    Path ssh = folder.resolve("ssh-and-tell");
    Files.writeString(ssh, "#!/bin/sh\n" + sshd.ssh() + " \"$@\"\necho $? > " + status + "\n");
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    String[] options = {"--ssh=" + ssh, "--remote-command=" + BuiltZcp.LAUNCHER, "-q", "--json"};
    List<String> words = new ArrayList<>(List.of("copy"));
    words.addAll(List.of(with(options, operands(push))));
    String[] command = words.toArray(String[]::new);
    try (BuiltZcp zcp = BuiltZcp.start(folder, hosts.onFirst(), command)) {
      assertThat(bytesDirect(completes(zcp))).isPositive();
    }
    assertThat(status).content().isEqualTo("0\n");
  }

  /// Neither end loads TLS, or opens a connection.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fewBytesDoNot(boolean push) throws Exception {
    Trace.assumePossible();
    file(FEW_BYTES);
    Path here = folder.resolve("here");
    Path there = folder.resolve("there");
    List<String> words = new ArrayList<>(hosts.onFirst());
    words.addAll(calls(here));
    String remote = String.join(" ", calls(there)) + " " + BuiltZcp.LAUNCHER;
    String[] command = through(remote, "copy", with(new String[] {"--json"}, operands(push)));
    BuiltZcp.Ended ended = BuiltZcp.run(folder, words, command);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(bytesDirect(ended)).isZero();
    assertThat(ended.out()).contains("\"connections\":1,");
    assertThat(Files.readString(there)).contains("peer.aot", "listen(").doesNotContain(TLS);
    assertThat(Files.readString(here)).contains("peer.aot").doesNotContain(TLS);
  }

  private static List<String> calls(Path log) {
    return List.of("strace", "-f", "-e", "trace=openat,listen", "-o", log.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPortThatDoesNotAnswerIsDoneWithout(boolean push) throws Exception {
    file(DIRECT_BYTES);
    hosts.silenceFreePorts();
    // Twice as long as an attempt to connect may take.
    try (BuiltZcp zcp = copy(push, "-v", "--limit-rate=8M")) {
      BuiltZcp.Ended ended = completes(zcp);
      assertThat(ended.err())
          .containsOnlyOnce("box: no direct connection: ")
          .doesNotContain("direct: ");
    }
    Files.delete(to.resolve("file"));
    try (BuiltZcp zcp = copy(push, "-q", "--json", "--limit-rate=13M")) {
      BuiltZcp.Ended ended = completes(zcp);
      assertThat(bytesDirect(ended)).isZero();
      assertThat(ended.err()).isEmpty();
      assertThat(ended.out()).doesNotContain("\"event\":\"note\"");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void directConnectionsThatDieAreDoneWithout(boolean push) throws Exception {
    file(DIRECT_BYTES);
    try (BuiltZcp zcp = copy(push, "--json", "--limit-rate=8M")) {
      awaitBytesDirect(zcp);
      assertThat(hosts.endConnectionsBut(SSH_PORT)).isPositive();
      BuiltZcp.Ended ended = completes(zcp);
      assertThat(bytesDirect(ended)).isBetween(1L, DIRECT_BYTES - 1L);
    }
  }

  @Test
  void directConnectionsThatFallSilentAreDoneWithout() throws Exception {
    file(DIRECT_BYTES);
    try (BuiltZcp zcp =
        start("send", "--json", "--limit-rate=8M", "--stall-timeout=8s", box(to), from + "/file")) {
      awaitBytesDirect(zcp);
      hosts.silenceFreePorts();
      BuiltZcp.Ended ended = completes(zcp);
      assertThat(bytesDirect(ended)).isBetween(1L, DIRECT_BYTES - 1L);
    }
  }
}
