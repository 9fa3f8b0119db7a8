package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Name;
import dev.zcp.secure.Key;
import dev.zcp.ssh.ServeRequest;
import dev.zcp.ssh.ServeRequest.AskedDeletion;
import dev.zcp.ssh.ServeRequest.ListenAt;
import dev.zcp.testing.Programs;
import dev.zcp.tree.Placement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An account that a real sshd limits to `zcp serve --below`, and those who want more of it.
@Timeout(300)
class RestrictedAccountIT extends SshSetup {

  private static final String SECRET = "secret";

  /// What is served; beside it lies [#outside], and `mine` and `back` are of the one who asks.
  private Path inside;

  private Path outside;
  private Path mine;
  private Path back;

  @BeforeEach
  void makeTrees() throws IOException {
    inside = Files.createDirectories(to.resolve("inside"));
    outside = Files.createDirectories(to.resolve("outside"));
    mine = Files.writeString(from.resolve("mine"), "mine");
    back = Files.createDirectory(folder.resolve("back"));
    Files.writeString(outside.resolve("file"), SECRET);
    Files.createDirectories(outside.resolve("sub"));
    Files.createDirectories(inside.resolve("in/deep"));
    Files.writeString(inside.resolve("in/file"), "open");
    Files.createSymbolicLink(inside.resolve("out"), outside);
    Files.createSymbolicLink(inside.resolve("up"), Path.of("../outside"));
    Files.createSymbolicLink(inside.resolve("leak"), outside.resolve("file"));
    Files.createSymbolicLink(inside.resolve("way"), Path.of("in"));
    Files.createSymbolicLink(inside.resolve("in/round"), Path.of("../in"));
  }

  private void serve(String... options) throws Exception {
    sshd = Sshd.start(folder, "ListenAddress 127.0.0.2");
    limit(options);
  }

  /// Limits the account, as its owner does.
  private void limit(String... options) throws IOException {
    Path keys = folder.resolve("ssh/user.pub");
    String line = Files.readString(keys);
    String key = line.substring(line.indexOf("ssh-ed25519"));
    String command =
        BuiltZcp.LAUNCHER + " serve --below=" + inside + " " + String.join(" ", options);
    Files.writeString(keys, "command=\"" + command + "\",restrict " + key);
  }

  private BuiltZcp.Ended copy(String... words) throws Exception {
    return zcp("copy", with(new String[] {"-q"}, words));
  }

  private void assertNothingEscaped() throws Exception {
    assertThat(outside.resolve("file")).hasContent(SECRET);
    assertThat(TreeContent.of(outside).entries()).containsOnlyKeys("", "file", "sub");
    assertThat(Programs.succeeds("grep", "-rq", SECRET, back.toString())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"in", "/in", "~/in", "in/deep/..", "way/.", "in/round/round/."})
  void theDirectoryIsTheRootAndTheHomeOfAllThatIsAskedFor(String asked) throws Exception {
    serve();
    assertThat(copy("-r", "box:" + asked, back + "/new").err()).isEmpty();
    assertThat(back.resolve("new/file")).hasContent("open");
    assertThat(copy(mine + "", "box:" + asked).err()).isEmpty();
    assertThat(inside.resolve("in/mine")).hasContent("mine");
    assertNothingEscaped();
  }

  @Test
  void theWholeIsFetchedAndStoredWithItsLinks() throws Exception {
    serve();
    assertThat(copy("-a", "box:", back.toString()).err()).isEmpty();
    assertThat(back.resolve("leak")).isSymbolicLink();
    assertThat(back.resolve("in/file")).hasContent("open");
    Files.delete(back.resolve("leak"));
    Files.delete(back.resolve("out"));
    assertThat(copy("-a", "--delete", back + "/.", "box:").err()).isEmpty();
    assertThat(inside.resolve("leak")).doesNotExist();
    assertThat(inside.resolve("out")).doesNotExist();
    assertNothingEscaped();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "/../outside/file",
        "in/../../outside/file",
        "~/../outside/.",
        "out/file",
        "out/",
        "up/.",
        "out",
        "leak",
        "/proc/self/root/etc/hostname",
        "~root/x",
      })
  void noPathLeadsOut(String asked) throws Exception {
    serve();
    copy("box:" + asked, back.toString());
    copy("-a", "box:" + asked, back.toString());
    assertNothingEscaped();
    copy(mine.toString(), "box:" + asked);
    copy("-aT", "--delete", from.toString(), "box:" + asked);
    assertNothingEscaped();
    assertThat(Files.readString(Path.of("/etc/hostname"))).isNotEqualTo("mine");
  }

  @Test
  void aRefusalSaysWhatWasAskedForAndWhyNot() throws Exception {
    serve();
    assertThat(copy("box:../outside/file", back.toString()))
        .isEqualTo(
            new BuiltZcp.Ended(
                3,
                "",
                "zcp: box: ../outside/file: leads out of the only directory that is served\n"));
    assertThat(copy("box:leak", back.toString()).err())
        .endsWith("leak: is a link, and this account follows none (-P copies the link itself)\n");
    assertThat(copy("-rL", "box:in", back.toString()).err())
        .endsWith("this account follows no links (without -L they are copied as links)\n");
    assertThat(copy(mine.toString(), "box:up/new").err()).endsWith("directory that is served\n");
    assertThat(copy(mine.toString(), "box:none/new").exitCode()).isEqualTo(4);
    assertThat(copy("box:none", back.toString()).err())
        .isEqualTo("zcp: box: none: no such file or directory\n");
    assertThat(back).isEmptyDirectory();
  }

  @Test
  void whatAnAccountMayNotDoIsRefusedBeforeAnythingIsDone() throws Exception {
    serve("--read-only");
    assertThat(copy(mine.toString(), "box:in").err())
        .isEqualTo("zcp: box: this account takes no files\n");
    assertThat(copy("box:in/file", back.toString()).exitCode()).isZero();
    limit("--write-only");
    assertThat(copy("box:in/file", back.toString()).err())
        .isEqualTo("zcp: box: this account gives no files\n");
    assertThat(copy(mine.toString(), "box:in/new").exitCode()).isZero();
    limit("--no-delete", "--no-overwrite");
    Path sync = Files.createDirectory(from.resolve("sync"));
    Files.writeString(sync.resolve("file"), "other");
    assertThat(copy("-aT", "--delete", sync.toString(), "box:in").err())
        .isEqualTo("zcp: box: this account deletes nothing\n");
    assertThat(copy("-aT", sync.toString(), "box:in").exitCode()).isEqualTo(9);
    assertThat(inside.resolve("in/file")).hasContent("open");
    Files.move(sync.resolve("file"), sync.resolve("another"));
    assertThat(copy("-aT", sync.toString(), "box:in").exitCode()).isZero();
    assertThat(inside.resolve("in/another")).hasContent("other");
  }

  @Test
  void formerCopiesLieInTheDirectory() throws Exception {
    serve();
    Path tree = Files.createDirectory(from.resolve("tree"));
    Files.writeString(tree.resolve("file"), SECRET);
    assertThat(copy("-a", tree.toString(), "box:day1").err()).isEmpty();
    for (String former : List.of("../day1", "/day1", "~/day1", "/in/../day1")) {
      String[] words = {"-aT", "--link-dest=" + former, tree.toString(), "box:day2"};
      assertThat(copy(words).err()).as(former).isEmpty();
      assertThat(Files.getAttribute(inside.resolve("day2/file"), "unix:nlink")).isEqualTo(2);
      Programs.run("rm", "-r", inside.resolve("day2").toString());
    }
    Files.setLastModifiedTime(
        outside.resolve("file"), Files.getLastModifiedTime(tree.resolve("file")));
    for (String former : List.of("../../outside", "/up", "up", outside.toString())) {
      String[] words = {"-aT", "--link-dest=" + former, tree.toString(), "box:day3"};
      assertThat(copy(words).exitCode()).as(former).isEqualTo(4);
    }
    assertThat(Files.getAttribute(outside.resolve("file"), "unix:nlink")).isEqualTo(1);
  }

  @Test
  void itConnectsToNobodyAndListensNowhere() throws Exception {
    serve();
    for (String[] way : new String[][] {{"box:in", "far:" + to}, {"far:" + from, "box:in"}}) {
      BuiltZcp.Ended ended = copy("-r", way[0], way[1]);
      assertThat(ended.exitCode()).isEqualTo(5);
      assertThat(ended.err()).contains("this account connects to no other machine (--relay");
    }
    assertThat(copy("-r", "--relay", "box:in/deep", "far:in/relayed").err()).isEmpty();
    assertThat(inside.resolve("in/relayed")).isDirectory();
    large();
    BuiltZcp.Ended large = zcp("copy", "-v", from.resolve("large").toString(), "box:in");
    assertThat(large.exitCode()).as(large.err()).isZero();
    assertThat(large.err()).doesNotContain("tls");
  }

  /// As somebody asks whose zcp is his own.
  @Test
  void aHostileEndGetsNoMoreThanAnother() throws Exception {
    serve("--no-delete");
    for (ListenAt at : ListenAt.values()) {
      String reply = ask(take("in", at, null));
      assertThat(reply).as(at.toString()).doesNotContain("127");
      assertThat(reply.contains("connects to no other machine")).isEqualTo(at == ListenAt.PORT);
    }
    assertThat(ask(take("in", ListenAt.PIPE, new AskedDeletion(Long.MAX_VALUE, true, List.of()))))
        .contains("deletes nothing");
    assertThat(ask(take("x/../../outside", ListenAt.PIPE, null))).contains("no such file");
    assertThat(ask(take("in/../../outside", ListenAt.PIPE, null))).contains("leads out");
    assertThat(ask(take("..", ListenAt.PIPE, null))).contains("leads out");
    assertNothingEscaped();
  }

  private static byte[] take(String path, ListenAt at, AskedDeletion deletion) {
    return new ServeRequest.Take(
            Key.random(),
            TimeUnit.SECONDS.toNanos(5),
            path.getBytes(StandardCharsets.UTF_8),
            Placement.INSIDE,
            true,
            List.<Name>of(),
            at,
            true,
            false,
            deletion,
            List.of())
        .encode();
  }

  /// What the account answers to these bytes.
  private String ask(byte[] request) throws Exception {
    Path asked = Files.write(folder.resolve("request"), request);
    List<String> ssh = new ArrayList<>(List.of(sshd.ssh().split(" ")));
    ssh.addAll(List.of("box", "zcp", "serve"));
    Process process =
        new ProcessBuilder(ssh)
            .redirectInput(asked.toFile())
            .redirectError(folder.resolve("asked-errors").toFile())
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "scp -t /tmp", "rsync --server . /"})
  void anotherCommandIsNotRun(String command) throws Exception {
    serve();
    List<String> ssh = new ArrayList<>(List.of(sshd.ssh().split(" ")));
    ssh.addAll(List.of("-T", "box"));
    if (!command.isEmpty()) {
      ssh.add(command);
    }
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(ssh)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(said)
        .hasContent(
            "zcp serve: this account is for zcp, and for nothing else (zcp copy FILE HOST: copies"
                + " to it)\ntry 'zcp serve --help'\n");
  }

  /// Between a look and a use, a directory becomes a link that leads out, and is one again.
  @Test
  void whoeverSwapsADirectoryForALinkMeanwhileGetsNothingElse() throws Exception {
    Programs.assume("python3");
    serve();
    Files.writeString(inside.resolve("in/deep/file"), "open");
    Path swapped = Files.createDirectory(inside.resolve("swapped"));
    Files.writeString(swapped.resolve("file"), "open");
    Files.createSymbolicLink(inside.resolve("other"), Path.of("../outside"));
    String exchange =
        """
        import ctypes, sys
        libc = ctypes.CDLL(None)
        a, b = [each.encode() for each in sys.argv[1:]]
        while True:
            libc.renameat2(-100, a, -100, b, 2)
        """;
    Process swapping =
        new ProcessBuilder(
                "python3", "-c", exchange, swapped.toString(), inside.resolve("other").toString())
            .start();
    AtomicBoolean came = new AtomicBoolean();
    try {
      for (int i = 0; i < 5; i++) {
        came.compareAndSet(false, copy("-r", "box:swapped/.", back + "/new" + i).exitCode() == 0);
        copy("-a", "box:swapped", back + "/kept" + i);
        copy("box:swapped/file", back + "/file" + i);
        copy(mine.toString(), "box:swapped/mine" + i);
        copy("-r", from.toString(), "box:swapped");
        assertNothingEscaped();
      }
    } finally {
      swapping.destroyForcibly().waitFor();
    }
    assertNothingEscaped();
  }

  @Test
  void withoutItsDirectoryNothingIsServed() throws Exception {
    serve();
    Programs.run("rm", "-r", inside.toString());
    BuiltZcp.Ended ended = copy("box:in", back.toString());
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("--below=" + inside + ": no such file or directory");
  }
}
