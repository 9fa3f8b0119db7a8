package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies from one other machine to another. Both are this one, by two addresses of a real sshd:
/// `box` sends and `far` receives.
@Timeout(300)
class RemoteToRemoteIT extends SshSetup {

  private static final Pattern CONNECTED = Pattern.compile("connected to far:(\\d+) by TLS");

  /// Where the key is in a request: behind the head, the role, and the length of the key.
  private static final int KEY_AT = 8 + 2 + 4 + 4 + 8 + 4;

  private static final int KEY_CHARS = 22;

  private void serve() throws Exception {
    sshd = Sshd.start(folder, "ListenAddress 127.0.0.2");
  }

  private static String far(Path path) {
    return "far:" + path;
  }

  /// The operands of a copy of the large file.
  private String[] large(String... options) throws IOException {
    large();
    return with(options, box(from.resolve("large")), far(to));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneOfEverythingArrivesAsWithCp(boolean relay) throws Exception {
    serve();
    Path source = oneOfEverything();
    Path there = to.resolve("there");
    String how = relay ? "--relay" : "--progress=never";
    BuiltZcp.Ended ended = zcp("copy", "-aq", how, box(source), far(there));
    assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    assertAsWithCp(source, there);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void textGoesCompressedFromOneToTheOtherIfThatIsAskedFor(boolean relay) throws Exception {
    serve();
    Path text = text();
    String how = relay ? "--relay" : "--progress=never";
    BuiltZcp.Ended ended = zcp("copy", "-z", how, box(text), far(to));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).containsPattern("2[.]86 MiB as [0-9.]+ K?i?B ");
    assertThat(to.resolve("text")).hasSameBinaryContentAs(text);
  }

  /// Each line: the sources below `from`, the target below `to`, and the options.
  @ParameterizedTest
  @CsvSource({
    "file, new, -r",
    "file, there, -r",
    "file, dir, -r",
    "file, dir, -T",
    "file, missing/, -r",
    "file, missing/new, -r",
    "file other, there, -r",
    "file other, dir, -r",
    "tree, new/, -r",
    "tree, dir, -r",
    "tree, there, -r",
    "tree/., dir, -r",
    "tree/., new, -r",
    "nothing, new, -r",
    "tree, new, -p",
  })
  void namesAreThoseOfCp(String sources, String target, String option) throws Exception {
    serve();
    makeNames(folder.resolve("cp"), to);
    List<String> cp = new ArrayList<>(List.of("cp", option));
    List<String> zcp = new ArrayList<>(List.of("-q", option));
    for (String each : sources.split(" ")) {
      cp.add(from + "/" + each);
      zcp.add("box:" + from + "/" + each);
    }
    cp.add(folder + "/cp/" + target);
    zcp.add("far:" + to + "/" + target);
    boolean succeeds = Programs.succeeds(cp.toArray(String[]::new));
    BuiltZcp.Ended ended = zcp("copy", zcp.toArray(String[]::new));
    assertThat(ended.exitCode() == 0).as(ended.err()).isEqualTo(succeeds);
    assertThat(ended.err().lines()).hasSize(succeeds ? 0 : 1);
    assertThat(TreeContent.of(to)).isEqualTo(TreeContent.of(folder.resolve("cp")));
    awaitNoServe();
  }

  @Test
  void filtersAreThoseOfALocalCopy() throws Exception {
    serve();
    String[] options = makeFiltered();
    Path there = to.resolve("there");
    succeed("copy", with(options, box(from), far(there)));
    assertThat(TreeContent.of(there).entries()).containsOnlyKeys("", "keep", "yes.o");
  }

  /// Nothing of a file passes here: it goes by TLS, to the address that ssh has come to.
  @Test
  void theReportIsTheSendersAndOfATlsConnectionBetweenTheTwo() throws Exception {
    serve();
    byte[] large = large();
    BuiltZcp.Ended json = zcp("copy", "--json", box(from.resolve("large")), far(to));
    assertThat(json.exitCode()).as(json.err()).isZero();
    List<String> lines = json.out().lines().toList();
    assertThat(lines).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    assertThat(json.out()).contains("\"peer\":\"far:").contains("\"encrypted\":true");
    assertThat(lines.getLast()).contains("\"exitCode\":0").contains("\"command\":\"send\"");
    assertThat(to.resolve("large")).hasBinaryContent(large);
    Files.delete(to.resolve("large"));
    BuiltZcp.Ended text =
        zcp(
            "copy",
            "-v",
            "--strategy=heap",
            "--progress=always",
            // So that it lasts long enough for a line of progress.
            "--limit-rate=64M",
            box(from.resolve("large")),
            far(to));
    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out()).isEmpty();
    assertThat(text.err())
        .containsPattern("connected to far:\\d+ by TLS 1.3")
        .contains("large: 64.0 MiB")
        .contains("heap")
        .contains("\r");
  }

  /// Box is in a network of its own, which these commands make.
  private static String apart(String... network) throws IOException {
    Programs.assume("unshare", "ip");
    assumeTrue(Programs.isRoot(), "only root can make a network namespace");
    String make = String.join("; ", network);
    return "case \"$SSH_CONNECTION\" in *' 127.0.0.1 '*) set -- unshare --net sh -c '"
        + make
        + "; exec \"$@\"' sh;; esac; exec \"$@\" "
        + BuiltZcp.LAUNCHER;
  }

  @Test
  void twoThatCannotReachEachOtherAreNamedAndRelayHelps() throws Exception {
    serve();
    byte[] large = large();
    String remote = apart("ip link set lo up");
    String[] operands = {box(from.resolve("large")), far(to)};
    BuiltZcp.Ended ended = BuiltZcp.run(folder, through(remote, "copy", operands));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
    assertThat(ended.err())
        .hasLineCount(1)
        .matches(
            "zcp: box: cannot connect to far \\(127.0.0.2:\\d+\\): connection refused"
                + " \\(--relay copies through the machine where you are\\)\n");
    assertThat(to).isEmptyDirectory();
    awaitNoServe();
    BuiltZcp.Ended relayed =
        BuiltZcp.run(folder, through(remote, "copy", "--relay", operands[0], operands[1]));
    assertThat(relayed.exitCode()).as(relayed.err()).isZero();
    assertThat(to.resolve("large")).hasBinaryContent(large);
    assertThat(relayed.out()).isEmpty();
    assertThat(relayed.err()).contains("64.0 MiB");
  }

  @Test
  void aFirewallThatSaysNothingCostsAFewSeconds() throws Exception {
    serve();
    String remote =
        apart(
            "ip link add v type veth peer name w",
            "ip link set w up",
            "ip link set v up arp off",
            "ip addr add 192.0.2.1/24 dev v",
            "ip route add default dev v");
    large();
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, through(remote, "copy", box(from.resolve("large")), far(to)));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
    assertThat(ended.err()).contains("box: cannot connect to far").contains("timed out");
    awaitNoServe();
  }

  @Test
  void aReceiverWithNoAddressIsNamedAndRelayHelps() throws Exception {
    serve();
    Files.writeString(from.resolve("file"), "content");
    String remote = "unset SSH_CONNECTION; " + BuiltZcp.LAUNCHER;
    String[] operands = {box(from.resolve("file")), far(to)};
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, through(remote, "copy", with(new String[] {"-q"}, operands)));
    assertThat(ended)
        .isEqualTo(
            new BuiltZcp.Ended(
                5,
                "",
                "zcp: far: there is no address that the sender could connect to"
                    + " (--relay copies through the machine where you are)\n"));
    awaitNoServe();
    BuiltZcp.Ended relayed =
        BuiltZcp.run(
            folder, through(remote, "copy", with(new String[] {"-q", "--relay"}, operands)));
    assertThat(relayed).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    assertThat(to.resolve("file")).hasContent("content");
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, box", "127.0.0.2, far"})
  void aWrongCommandOnEitherIsNamedAndEndsTheOther(String address, String host) throws Exception {
    serve();
    String remote =
        "case \"$SSH_CONNECTION\" in *' "
            + address
            + " '*) exit 127;; esac; exec "
            + BuiltZcp.LAUNCHER;
    BuiltZcp.Ended ended = BuiltZcp.run(folder, through(remote, "copy", "-q", box(from), far(to)));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(8);
    assertThat(ended.err())
        .hasLineCount(1)
        .startsWith("zcp: " + host + ": there is no '")
        .contains("--remote-command=/opt/zcp/bin/zcp");
    awaitNoServe();
  }

  @Test
  void aSenderThatFailsTellsItAndItsCodeIsOurs() throws Exception {
    serve();
    Files.writeString(from.resolve("a"), "a");
    Files.writeString(from.resolve("b"), "b");
    Files.createDirectory(to.resolve("b"));
    String[] operands = {"-q", box(from.resolve("a")), box(from.resolve("b")), far(to)};
    BuiltZcp.Ended ended = zcp("copy", operands);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
    assertThat(ended.err()).hasLineCount(1).contains("b");
    assertThat(to.resolve("a")).hasContent("a");
    BuiltZcp.Ended json = zcp("copy", "--json", box(from.resolve("nothing")), far(to));
    assertThat(json.exitCode()).isEqualTo(3);
    assertThat(json.out().lines().toList().getLast()).contains("\"exitCode\":3");
  }

  @ParameterizedTest
  @CsvSource({"box, false", "far, false", "box, true", "far, true"})
  void anSshThatDiesCostsCodeFiveAndTheSameCommandCompletes(String host, boolean relay)
      throws Exception {
    serve();
    String how = relay ? "--relay" : "--progress=never";
    String[] operands = large("--limit-rate=16M", how);
    try (BuiltZcp zcp = BuiltZcp.start(folder, words("copy", operands))) {
      zcp.await("a third of the file", () -> partialBytes() > LARGE_BYTES / 3);
      ssh(zcp, host).destroyForcibly();
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("the same command again");
    }
    awaitNoServe();
    assertThat(to.resolve("large")).doesNotExist();
    BuiltZcp.Ended again = zcp("copy", "--json", operands[2], operands[3]);
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out()).doesNotContain("\"bytesResumed\":0,");
    assertThat(to.resolve("large")).hasBinaryContent(Files.readAllBytes(from.resolve("large")));
  }

  @Test
  void connectionsBetweenTheTwoThatDieAreMadeAnew() throws Exception {
    Programs.assume("ss");
    assumeTrue(Programs.isRoot(), "only root may end connections");
    serve();
    String[] operands = large("-v", "--limit-rate=16M");
    try (BuiltZcp zcp = BuiltZcp.start(folder, words("copy", operands))) {
      zcp.await("a third of the file", () -> partialBytes() > LARGE_BYTES / 3);
      Matcher port = CONNECTED.matcher(zcp.err());
      assertThat(port.find()).isTrue();
      assertThat(Programs.run("ss", "-HtnK", "dport = :" + port.group(1))).isNotBlank();
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("connecting anew");
    }
    assertThat(Files.mismatch(from.resolve("large"), to.resolve("large"))).isEqualTo(-1);
  }

  /// As a terminal does at Ctrl-C, which signals ssh as well.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSignalToAllProcessesHereLeavesNothing(boolean relay) throws Exception {
    Programs.assume("setsid");
    serve();
    Path large = from.resolve("large");
    try (FileChannel file =
        FileChannel.open(large, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      byte[] piece = new byte[LARGE_BYTES];
      new Random(LARGE_BYTES).nextBytes(piece);
      for (int i = 0; i < 16; i++) {
        file.write(ByteBuffer.wrap(piece));
      }
    }
    String how = relay ? "--relay" : "--progress=never";
    String[] words = words("copy", how, "--limit-rate=200M", box(large), far(to));
    try (BuiltZcp zcp = BuiltZcp.start(folder, List.of("setsid"), words)) {
      zcp.await("a verified block", this::isAnyVerified);
      List<ProcessHandle> others = othersOf(zcp);
      Programs.run("kill", "-INT", "--", "-" + zcp.pid());
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).isEqualTo(130);
      awaitEnd(others);
    }
    assertThat(to.resolve("large")).doesNotExist();
    try (DirectoryStream<Path> kept = Files.newDirectoryStream(to, ".zcp-*.part")) {
      assertThat(kept).hasSize(1);
    }
  }

  /// Whether the receiver has something to keep: the header of a journal has 100 bytes.
  private boolean isAnyVerified() throws IOException {
    try (DirectoryStream<Path> journals = Files.newDirectoryStream(to, ".zcp-*.journal")) {
      for (Path journal : journals) {
        if (Files.size(journal) > 100) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @CsvSource({"INT, false", "TERM, false", "KILL, false", "INT, true", "KILL, true"})
  void aSignalHereEndsBothEnds(String signal, boolean relay) throws Exception {
    serve();
    String[] operands = large("--limit-rate=8M", relay ? "--relay" : "--progress=never");
    try (BuiltZcp zcp = BuiltZcp.start(folder, words("copy", operands))) {
      // Here it is known a moment later than there that both have begun.
      zcp.await("some of the file", () -> partialBytes() > 1 << 20);
      List<ProcessHandle> others = othersOf(zcp);
      zcp.signal(signal);
      BuiltZcp.Ended ended = zcp.end();
      awaitEnd(others);
      if (!signal.equals("KILL")) {
        assertThat(ended.err()).contains("far: interrupted").contains("the same command again");
      }
    }
    succeed("copy", "-q", operands[2], operands[3]);
    assertThat(to.resolve("large")).hasBinaryContent(Files.readAllBytes(from.resolve("large")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theKeyIsInNoArgumentEnvironmentOrOutput(boolean relay) throws Exception {
    Programs.assume("tee", "pkill");
    serve();
    String[] operands = large("-v", "--limit-rate=16M", relay ? "--relay" : "--json");
    // Each end's standard input is written down. Who does that ends with it.
    String remote =
        "run() { \"$@\"; code=$?; pkill -P $$ -x tee; return $code; }; tee "
            + folder
            + "/asked-$$ | run "
            + BuiltZcp.LAUNCHER;
    try (BuiltZcp zcp = BuiltZcp.start(folder, through(remote, "copy", operands))) {
      zcp.await("some of the file", () -> partialBytes() > 0);
      String key = key();
      List<ProcessHandle> all = othersOf(zcp);
      all.add(zcp.process().toHandle());
      for (ProcessHandle each : all) {
        assertThat(proc(each, "cmdline")).isNotEmpty().doesNotContain(key);
        assertThat(proc(each, "environ")).isNotEmpty().doesNotContain(key);
      }
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(ended.out() + ended.err()).isNotEmpty().doesNotContain(key);
    }
  }

  /// The key that both requests hold.
  private String key() throws IOException {
    String key = null;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "asked-*")) {
      for (Path each : all) {
        byte[] request = Files.readAllBytes(each);
        String held = new String(request, KEY_AT, KEY_CHARS, StandardCharsets.US_ASCII);
        assertThat(held).matches("[A-Za-z0-9_-]+").isEqualTo(key == null ? held : key);
        key = held;
      }
    }
    return key;
  }

  /// The two ends, and the ssh to each.
  private List<ProcessHandle> othersOf(BuiltZcp zcp) {
    List<ProcessHandle> others = new ArrayList<>(served());
    assertThat(others).hasSize(2);
    others.add(ssh(zcp, "box"));
    others.add(ssh(zcp, "far"));
    return others;
  }
}
