package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.FreePort;
import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The built zcp, to another one that a real ssh starts through a real sshd on loopback.
@Timeout(300)
class SshIT extends SshSetup {

  /// A key as a careless user has it in his environment.
  private static final String KEY = "c2VjcmV0c2VjcmV0c2VjcFMi";

  private void serve(String... config) throws Exception {
    sshd = Sshd.start(folder, config);
  }

  @Test
  void oneOfEverythingGoesThereAndBackAsWithCp() throws Exception {
    serve();
    Path source = oneOfEverything();
    Path there = to.resolve("there");
    Path back = to.resolve("back");
    assertThat(zcp("copy", "-aq", source.toString(), box(there)).err()).isEmpty();
    assertThat(zcp("copy", "-aq", box(there), back.toString()).err()).isEmpty();
    assertAsWithCp(source, there, back);
  }

  @Test
  void textGoesCompressedThereAndBackIfThatIsAskedFor() throws Exception {
    serve();
    Path text = text();
    Path there = to.resolve("there");
    Path back = to.resolve("back");
    for (String[] way : new String[][] {{text + "", box(there)}, {box(there), back + ""}}) {
      BuiltZcp.Ended ended = zcp("copy", "-z", way[0], way[1]);
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(ended.err()).containsPattern("2[.]86 MiB as [0-9.]+ K?i?B ");
    }
    assertThat(back).hasSameBinaryContentAs(text);
  }

  @Test
  void anAddressMayBeOneOfIpv6() throws Exception {
    sshd = Sshd.start(folder, List.of(), "::1", FreePort.find());
    byte[] large = large();
    succeed("copy", from.resolve("large").toString(), "[::1]:" + to.resolve("there"));
    assertThat(to.resolve("there")).hasBinaryContent(large);
    succeed("copy", "ssh://[::1]" + to.resolve("there"), to.resolve("back").toString());
    assertThat(to.resolve("back")).hasBinaryContent(large);
  }

  /// Each line: the sources below `from`, the target below `to`, and what is there.
  @ParameterizedTest
  @CsvSource({
    "file, new",
    "file, there",
    "file, dir",
    "file, dir/",
    "file, missing/",
    "file, missing/new",
    "file other, dir",
    "file other, there",
    "tree, new",
    "tree, new/",
    "tree, dir",
    "tree, there",
    "tree/, dir",
    "tree/., dir",
    "tree/., new",
    "tree/sub/.., dir",
    "tree file, dir",
    "nothing, new",
  })
  void namesAreThoseOfCp(String sources, String target) throws Exception {
    serve();
    makeNames(folder.resolve("cp"), to, folder.resolve("back"));
    List<String> cp = new ArrayList<>(List.of("cp", "-r"));
    List<String> there = new ArrayList<>(List.of("-rq"));
    List<String> back = new ArrayList<>(List.of("-rq"));
    for (String each : sources.split(" ")) {
      cp.add(from + "/" + each);
      there.add(from + "/" + each);
      back.add("box:" + from + "/" + each);
    }
    cp.add(folder + "/cp/" + target);
    there.add("box:" + to + "/" + target);
    back.add(folder + "/back/" + target);
    boolean succeeds = Programs.succeeds(cp.toArray(String[]::new));
    BuiltZcp.Ended pushed = zcp("copy", there.toArray(String[]::new));
    BuiltZcp.Ended fetched = zcp("copy", back.toArray(String[]::new));
    assertThat(pushed.exitCode() == 0).as(pushed.err()).isEqualTo(succeeds);
    assertThat(fetched.exitCode() == 0).as(fetched.err()).isEqualTo(succeeds);
    TreeContent expected = TreeContent.of(folder.resolve("cp"));
    assertThat(TreeContent.of(to)).isEqualTo(expected);
    assertThat(TreeContent.of(folder.resolve("back"))).isEqualTo(expected);
  }

  @Test
  void aFileWithASlashBehindItIsNoDirectoryHereOrThere() throws Exception {
    serve();
    Path file = Files.writeString(from.resolve("file"), "new");
    Path there = Files.writeString(to.resolve("there"), "old");
    BuiltZcp.Ended local = new BuiltZcp.Ended(4, "", "zcp: " + there + "/: not a directory\n");
    assertThat(zcp("copy", file.toString(), there + "/")).isEqualTo(local);
    assertThat(zcp("copy", box(file), there + "/")).isEqualTo(local);
    assertThat(zcp("copy", file.toString(), box(there) + "/"))
        .isEqualTo(new BuiltZcp.Ended(4, "", "zcp: " + box(there) + "/: not a directory\n"));
    assertThat(zcp("copy", "-t", box(to.resolve("none")), file.toString()).err())
        .endsWith("/none: no such directory (create it first)\n");
    assertThat(zcp("copy", box(there) + "/", to.resolve("new").toString()).err())
        .endsWith("/there/: not a directory\n");
    assertThat(there).hasContent("old");
  }

  /// In the escapes of printf(1), since this JVM may not be able to say them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\377",
        "caf\\303\\251",
        "two\\nlines\\n",
        "-rf",
        "--ssh=nonsense",
        " \\t\\\\ $HOME `id` \"\\047*;&",
        "~",
        "with:colon",
      })
  void aNameIsTheSameBytesThere(String name) throws Exception {
    serve();
    String script =
        """
        set -eu
        name=$(printf -- "$1x"); name=${name%x}; shift
        printf content > "from/$name"
        "$@" "from/$name" box:"$PWD/to"
        cmp "from/$name" "to/$name"
        "$@" box:"$PWD/to/$name" back
        cmp "from/$name" back
        "$@" back box:"$PWD/to/as $name"
        cmp back "to/as $name"
        """;
    List<String> before = List.of("sh", "-c", "cd " + folder + "\n" + script, "sh", name);
    BuiltZcp.Ended ended = BuiltZcp.run(folder, before, words("copy", "-q"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  @Test
  void pathsAreRelativeToTheHomeDirectory() throws Exception {
    serve();
    String zcp = BuiltZcp.LAUNCHER.toString();
    String remote = "cd " + to + "; HOME=" + to + " " + zcp;
    Files.writeString(from.resolve("file"), "content");
    String file = from.resolve("file").toString();
    for (String path : List.of("a", "./b", "~/c", "")) {
      assertThat(
              BuiltZcp.run(folder, through(remote, "copy", "-q", file, "box:" + path)).exitCode())
          .isZero();
    }
    assertThat(to).isDirectoryContaining("glob:**/{a,b,c,file}");
    assertThat(TreeContent.of(to).entries()).hasSize(5);
    BuiltZcp.Ended other = BuiltZcp.run(folder, through(remote, "copy", file, "box:~root/x"));
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains("./~root/x");
  }

  @Test
  void aHomeDirectoryThatIsNotThereDoesNoHarm() throws Exception {
    serve();
    large();
    String remote = "cd /; HOME=/nowhere " + BuiltZcp.LAUNCHER;
    assertThat(
            BuiltZcp.run(folder, through(remote, "copy", "-q", from.resolve("large") + "", box(to)))
                .exitCode())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fish", "csh", "tcsh", "dash", "bash"})
  void anyLoginShellStartsIt(String shell) throws Exception {
    Programs.assume(shell);
    serve("ForceCommand " + shell + " -c \"$SSH_ORIGINAL_COMMAND\"");
    byte[] large = large();
    succeed("copy", "-q", from.resolve("large").toString(), box(to));
    assertThat(to.resolve("large")).hasBinaryContent(large);
    BuiltZcp.Ended none =
        BuiltZcp.run(folder, through("/nowhere/zcp", "copy", "-q", box(from), to.toString()));
    assertThat(none.exitCode()).isEqualTo(8);
    assertThat(none.err()).contains("--remote-command=");
  }

  @Test
  void aBannerIsNoProtocolAndIsShown() throws Exception {
    serve();
    byte[] large = large();
    String remote = "echo Welcome to box; " + BuiltZcp.LAUNCHER;
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, through(remote, "copy", "-v", box(from.resolve("large")), to + "/"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("Welcome to box\\n");
    assertThat(ended.out()).isEmpty();
    assertThat(to.resolve("large")).hasBinaryContent(large);
  }

  @ParameterizedTest
  @CsvSource({
    "exec cat /dev/zero #, 8, no zcp answered in the first 65536 bytes",
    "echo no such account; exit 0;, 8, no such account",
    "exit 3;, 8, ended with exit code 3",
    "zcp-that-is-not-there, 8, there is no 'zcp-that-is-not-there'",
  })
  void whatIsNoZcpIsSaidToBeNone(String remote, int code, String message) throws Exception {
    serve();
    large();
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, through(remote, "copy", "-q", from + "/large", box(to)));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(code);
    assertThat(ended.err()).contains(message).contains("--remote-command=/opt/zcp/bin/zcp");
    assertThat(to).isEmptyDirectory();
  }

  @Test
  void whereNobodyAnswersSshTellsWhy() throws Exception {
    serve();
    sshd.close();
    BuiltZcp.Ended ended = zcp("copy", "-q", box(from), to.toString());
    assertThat(ended.exitCode()).isEqualTo(5);
    assertThat(ended.err()).contains("Connection refused").contains("zcp: box: ssh failed");
  }

  @Test
  void existingFilesAreReplacedByCopyAndNotBySend() throws Exception {
    serve();
    Files.writeString(from.resolve("file"), "new");
    Path there = Files.writeString(to.resolve("file"), "older");
    BuiltZcp.Ended sent = zcp("send", "-q", "ssh://box" + to, from.resolve("file").toString());
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(9);
    assertThat(there).hasContent("older");
    succeed("copy", "-q", from.resolve("file").toString(), box(to));
    assertThat(there).hasContent("new");
    Path back = Files.writeString(from.resolve("back"), "oldest");
    succeed("copy", "-q", box(there), back.toString());
    assertThat(back).hasContent("new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--skip-same", "-u", "-n", "--update=older --skip-same"})
  void whatExistsIsKeptAsByACopyOnOneMachine(String options) throws Exception {
    serve();
    makeFiles(from, "new", 0, 0, 0);
    Files.createLink(from.resolve("same2"), from.resolve("same"));
    Files.createSymbolicLink(from.resolve("link"), Path.of("new"));
    List<Path> targets = new ArrayList<>();
    for (String name : List.of("here", "there", "back")) {
      Path target = Files.createDirectory(to.resolve(name));
      makeFiles(target, "old", 0, -60, 60);
      Files.writeString(target.resolve("same2"), "another");
      Files.createSymbolicLink(target.resolve("link"), Path.of("old"));
      targets.add(target);
    }
    List<String> copy = new ArrayList<>(List.of("-aq"));
    copy.addAll(List.of(options.split(" ")));
    String[] all = copy.toArray(String[]::new);
    String source = from + "/.";
    succeed("copy", with(all, source, targets.get(0).toString()));
    succeed("copy", with(all, source, box(targets.get(1))));
    succeed("copy", with(all, box(from) + "/.", targets.get(2).toString()));
    String expected = listing(targets.get(0));
    assertThat(listing(targets.get(1))).as("sent").isEqualTo(expected);
    assertThat(listing(targets.get(2))).as("fetched").isEqualTo(expected);
  }

  private static void makeFiles(Path folder, String content, long... ages) throws Exception {
    String[] names = {"same", "older", "newer"};
    for (int i = 0; i < names.length; i++) {
      Path file = Files.writeString(folder.resolve(names[i]), content);
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L + ages[i] * 1000));
    }
    Files.writeString(folder.resolve(content), content);
  }

  private static String listing(Path folder) throws Exception {
    StringBuilder lines = new StringBuilder();
    try (Stream<Path> files = Files.list(folder).sorted()) {
      for (Path each : files.toList()) {
        lines.append(each.getFileName()).append(' ');
        lines.append(
            Files.isSymbolicLink(each)
                ? Files.readSymbolicLink(each)
                : Files.readString(each) + Files.getAttribute(each, "unix:nlink"));
        lines.append('\n');
      }
    }
    return lines.toString();
  }

  @Test
  void sendSkipsUnreadWhatTheReceiverHas() throws Exception {
    serve();
    Path file = Files.writeString(from.resolve("file"), "new");
    Path there = Files.writeString(to.resolve("file"), "old");
    Files.setLastModifiedTime(there, Files.getLastModifiedTime(file));
    BuiltZcp.Ended sent = zcp("send", "-v", "--skip-same", box(to), file.toString());
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.err())
        .contains(
            "has the size and the modification time of the file there",
            "sent nothing; 1 file kept");
    assertThat(there).hasContent("old");
  }

  @Test
  void sendAndReceiveTakePathsOfOtherMachines() throws Exception {
    serve();
    byte[] large = large();
    succeed("send", "-q", box(to), from.resolve("large").toString());
    assertThat(to.resolve("large")).hasBinaryContent(large);
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    succeed("receive", "-q", "ssh://box" + to.resolve("large"), inbox.toString());
    assertThat(inbox.resolve("large")).hasBinaryContent(large);
    assertThat(zcp("receive", "-q", box(to.resolve("large")), inbox.toString()).exitCode())
        .isZero();
  }

  @Test
  void streamsGoBothWays() throws Exception {
    serve();
    byte[] large = large();
    String script = "exec \"$@\" - box:" + to + "/stream < " + from + "/large";
    BuiltZcp.Ended sent =
        BuiltZcp.run(folder, List.of("sh", "-c", script, "sh"), words("copy", "-q"));
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(to.resolve("stream")).hasBinaryContent(large);
    try (BuiltZcp zcp =
        BuiltZcp.start(folder, words("copy", "-q", box(to.resolve("stream")), "-"))) {
      assertThat(zcp.end().exitCode()).isZero();
      assertThat(zcp.out()).hasBinaryContent(large);
    }
  }

  @Test
  void filtersAreThoseOfALocalCopy() throws Exception {
    serve();
    String[] options = makeFiltered();
    Path there = to.resolve("there");
    Path back = to.resolve("back");
    succeed("copy", with(options, from.toString(), box(there)));
    succeed("copy", with(options, box(from), back.toString()));
    for (Path each : new Path[] {there, back}) {
      assertThat(TreeContent.of(each).entries()).containsOnlyKeys("", "keep", "yes.o");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anSshThatDiesCostsCodeFiveAndTheSameCommandCompletes(boolean push) throws Exception {
    serve();
    byte[] large = large();
    String[] operands =
        push
            ? new String[] {from.resolve("large").toString(), box(to)}
            : new String[] {box(from.resolve("large")), to.toString()};
    try (BuiltZcp zcp =
        BuiltZcp.start(
            folder, words("copy", with(new String[] {"-q", "--limit-rate=16M"}, operands)))) {
      zcp.await("a third of the file", () -> partialBytes() > LARGE_BYTES / 3);
      ssh(zcp, "box").destroyForcibly();
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("the same command again");
    }
    awaitNoServe();
    assertThat(to.resolve("large")).doesNotExist();
    BuiltZcp.Ended again = zcp("copy", with(new String[] {"--json"}, operands));
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out()).doesNotContain("\"bytesResumed\":0,");
    assertThat(to.resolve("large")).hasBinaryContent(large);
  }

  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "splice, true", "splice, false"})
  void manyBytesGoPastSshUnlessTheStrategyNeedsADescriptor(String strategy, boolean push)
      throws Exception {
    serve();
    byte[] large = large();
    String[] options = {"-q", "--json", "--limit-rate=8M", "--strategy=" + strategy};
    BuiltZcp.Ended ended =
        push
            ? zcp("copy", with(options, from + "/large", box(to)))
            : zcp("copy", with(options, box(from.resolve("large")), to.toString()));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out().contains("\"bytesDirect\":0,")).isEqualTo(strategy.equals("splice"));
    assertThat(to.resolve("large")).hasBinaryContent(large);
  }

  @ParameterizedTest
  @CsvSource({"INT, true", "INT, false", "TERM, true", "KILL, true", "KILL, false"})
  void aSignalHereEndsTheOtherEnd(String signal, boolean push) throws Exception {
    serve();
    large();
    String[] options = {"-q", "--limit-rate=8M"};
    try (BuiltZcp zcp =
        BuiltZcp.start(
            folder,
            words(
                "copy",
                push
                    ? with(options, from.resolve("large").toString(), box(to))
                    : with(options, box(from.resolve("large")), to.toString())))) {
      zcp.await("some of the file", () -> partialBytes() > 0);
      List<ProcessHandle> served = served();
      assertThat(served).hasSize(1);
      ProcessHandle ssh = ssh(zcp, "box");
      zcp.signal(signal);
      zcp.end();
      awaitEnd(List.of(ssh, served.getFirst()));
    }
  }

  @Test
  void nothingButTheHostIsOnACommandLineAndNoKeyInAnEnvironment() throws Exception {
    serve();
    large();
    Path secret = Files.move(from.resolve("large"), from.resolve("secret-name"));
    String script = "ZCP_KEY=" + KEY + " exec \"$@\"";
    try (BuiltZcp zcp =
        BuiltZcp.start(
            folder,
            List.of("sh", "-c", script, "sh"),
            words("copy", "-q", "--limit-rate=8M", secret.toString(), box(to)))) {
      zcp.await("some of the file", () -> partialBytes() > 0);
      ProcessHandle ssh = ssh(zcp, "box");
      assertThat(proc(zcp.process().toHandle(), "environ")).contains(KEY);
      assertThat(proc(ssh, "environ")).isNotEmpty().doesNotContain(KEY);
      assertThat(proc(ssh, "cmdline"))
          .isEqualTo(
              String.join(
                  "\0",
                  "ssh",
                  "-F",
                  sshd.config().toString(),
                  "-x",
                  "-T",
                  "-oClearAllForwardings=yes",
                  "-oForwardAgent=no",
                  "-oPermitLocalCommand=no",
                  "-oRemoteCommand=none",
                  "--",
                  "box",
                  BuiltZcp.LAUNCHER + " serve",
                  ""));
      assertThat(served()).hasSize(1);
      assertThat(proc(served().getFirst(), "cmdline")).endsWith("dev.zcp.cli.Main\0serve\0");
      assertThat(proc(served().getFirst(), "environ")).isNotEmpty().doesNotContain(KEY);
    }
  }

  @Test
  void anSshThatHangsIsKilled() throws Exception {
    serve();
    large();
    try (BuiltZcp zcp =
        BuiltZcp.start(folder, words("copy", "-q", "--limit-rate=8M", from + "/large", box(to)))) {
      zcp.await("some of the file", () -> partialBytes() > 0);
      ProcessHandle ssh = ssh(zcp, "box");
      Programs.run("kill", "-STOP", Long.toString(ssh.pid()));
      zcp.signal("TERM");
      assertThat(zcp.end().exitCode()).isEqualTo(128 + 15);
      awaitEnd(List.of(ssh));
    }
  }

  @Test
  void aConfigurationWithAControlMasterIsNoObstacle() throws Exception {
    serve();
    byte[] large = large();
    String config = Files.readString(sshd.config());
    Files.writeString(
        sshd.config(),
        config + "  ControlMaster auto\n  ControlPath " + folder + "/c\n  ControlPersist 60\n");
    assumeTrue(
        (folder + "/c.0123456789012345").length() < 100, "the path is too long for a socket");
    for (int i = 0; i < 2; i++) {
      succeed("copy", "-q", from.resolve("large").toString(), box(to.resolve("copy" + i)));
      assertThat(to.resolve("copy" + i)).hasBinaryContent(large);
    }
    Programs.run("ssh", "-F", sshd.config().toString(), "-O", "exit", "box");
  }
}
