package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.FreePort;
import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The built zcp, and a machine without one: a real sshd whose accounts have a home and a /var/tmp
/// of the test's own.
@Timeout(300)
class DeployIT extends SshSetup {

  private static final long END_S_MAX = 60;

  private Path home;

  @BeforeEach
  void makeHome() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    Programs.assume("unshare");
    home = Files.createDirectory(folder.resolve("home"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(from.resolve("file"), "content");
  }

  /// @param mounts what the shell does that starts sshd, in a namespace of its own
  /// @param before what a login does first
  /// @param shell the login shell
  private void serve(String mounts, String before, String shell) throws Exception {
    String script =
        "mount -t tmpfs -o mode=1777 tmpfs /var/tmp || exit; H=" + home + "\n" + mounts + "\n";
    String login =
        "unset XDG_CACHE_HOME; export PATH=/usr/bin:/bin HOME=%s; cd %s; %s exec %s -c \"%s\""
            .formatted(home, home, before, shell, "$SSH_ORIGINAL_COMMAND");
    sshd =
        Sshd.start(
            folder,
            List.of("unshare", "-m", "sh", "-c", script + "exec \"$@\"", "sh"),
            "127.0.0.1",
            FreePort.find(),
            "ForceCommand " + login,
            "ListenAddress 127.0.0.2");
  }

  private void serve() throws Exception {
    serve("", "", "sh");
  }

  @Override
  String[] words(String command, String... arguments) {
    List<String> words = new ArrayList<>(List.of(command, "--ssh=" + sshd.ssh()));
    words.addAll(List.of(arguments));
    return words.toArray(String[]::new);
  }

  private Path cache() {
    return home.resolve(".cache/zcp");
  }

  private static List<String> names(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder).sorted()) {
      return files.map(each -> each.getFileName().toString()).toList();
    }
  }

  private BuiltZcp.Ended copy(String... options) throws Exception {
    Files.deleteIfExists(to.resolve("file"));
    return zcp("copy", with(options, from.resolve("file").toString(), box(to)));
  }

  private void assertPutThere(String place) throws Exception {
    BuiltZcp.Ended ended = copy("--deploy");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("zcp: box: put zcp into " + place);
    assertThat(to.resolve("file")).hasContent("content");
  }

  private void assertUsedSilently() throws Exception {
    BuiltZcp.Ended ended = copy();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).doesNotContain("zcp:");
    assertThat(to.resolve("file")).hasContent("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "fish", "tcsh", "zsh"})
  void aMachineWithoutZcpGetsItAndTheNextCopyUsesItWithoutAWord(String shell) throws Exception {
    Programs.assume(shell);
    serve("", "umask 077;", shell);
    assertPutThere(cache().toString());
    assertThat(names(cache())).hasSize(1);
    Path version = cache().resolve(names(cache()).getFirst());
    for (Path each : List.of(home.resolve(".cache"), cache(), version)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .isEqualTo("rwx------");
    }
    assertUsedSilently();
  }

  /// Each line: what is mounted where the account is, and what its login does.
  @ParameterizedTest
  @CsvSource({
    "true, unset HOME;",
    "true, export HOME=/nowhere;",
    "mount -t tmpfs -o ro tmpfs $H, true;",
    "mount -t tmpfs -o noexec tmpfs $H, true;",
    "mount -t tmpfs -o size=1m tmpfs $H, true;",
    "mkdir -p $H/.cache/zcp; chown 65534 $H/.cache/zcp, true;",
    "mkdir $H/.cache; chmod 777 $H/.cache, true;",
    "chown 65534 $H, true;",
  })
  void ifTheHomeCannotBeUsedItGoesToVarTmp(String mounts, String before) throws Exception {
    serve(mounts, before, "sh");
    assertPutThere("/var/tmp/zcp-0/");
    assertThat(names(cache())).isEmpty();
    assertUsedSilently();
  }

  @Test
  void theCacheDirectoryMayBeElsewhereAndALink() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("link"), elsewhere);
    serve("", "export XDG_CACHE_HOME=" + folder.resolve("link") + ";", "sh");
    assertPutThere(elsewhere + "/zcp/");
    assertUsedSilently();
  }

  @Test
  void ifThereIsNoPlaceEachReasonIsToldAndNothingIsLeft() throws Exception {
    serve("mount -t tmpfs -o ro tmpfs $H; mount -o remount,size=1m /var/tmp", "", "sh");
    BuiltZcp.Ended ended = copy("--deploy");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err())
        .contains("zcp: box: there is no place for zcp: ")
        .contains("/var/tmp/zcp-0: ")
        .contains(" KiB are free, and ");
    assertThat(to).isEmptyDirectory();
  }

  @Test
  void withoutATerminalTheMessageSaysWhatToAdd() throws Exception {
    serve();
    for (String option : List.of("--deploy=ask", "--no-deploy")) {
      BuiltZcp.Ended ended = copy(option);
      assertThat(ended.exitCode()).isEqualTo(8);
      assertThat(ended.err().contains("--deploy puts this one there"))
          .isEqualTo(option.equals("--deploy=ask"));
    }
    BuiltZcp.Ended never =
        BuiltZcp.run(
            folder,
            List.of("env", "ZCP_DEPLOY=never"),
            words("copy", from.resolve("file").toString(), box(to)));
    assertThat(never.err()).contains("no zcp was found there").doesNotContain("--deploy");
    assertThat(names(home)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"n, 8", "y, 0"})
  void onATerminalItAsks(String answer, int code) throws Exception {
    Programs.assume("script");
    serve();
    Path screen = folder.resolve("screen");
    String command =
        "zcp copy --ssh='%s' %s %s; echo code $?"
            .formatted(sshd.ssh(), from.resolve("file"), box(to));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", command, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile());
    builder.environment().merge("PATH", ZcpProcess.built() + ":", (old, zcp) -> zcp + old);
    builder.environment().put("SHELL", "/bin/sh");
    BuiltZcp.forgetSettings(builder.environment());
    Process process = builder.start();
    process.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
    assertThat(process.waitFor(END_S_MAX, TimeUnit.SECONDS)).isTrue();
    process.getOutputStream().close();
    assertThat(Files.readString(screen))
        .contains("box: no zcp there fits this one")
        .contains("put this one on box? (y/n)")
        .contains("code " + code);
    assertThat(Files.exists(to.resolve("file"))).isEqualTo(code == 0);
  }

  @Test
  void itWorksInAllDirections() throws Exception {
    serve();
    BuiltZcp.Ended fetched =
        zcp("copy", "--deploy", box(from.resolve("file")), to.resolve("back").toString());
    assertThat(fetched.exitCode()).as(fetched.err()).isZero();
    assertThat(to.resolve("back")).hasContent("content");
    Programs.run("rm", "-r", cache().toString());
    BuiltZcp.Ended between =
        zcp("copy", "--deploy", "-q", box(from.resolve("file")), "far:" + to.resolve("there"));
    assertThat(between.exitCode()).as(between.err()).isZero();
    assertThat(to.resolve("there")).hasContent("content");
    succeed("sync", "-q", from.toString(), box(to.resolve("synced")));
    succeed("send", "-q", box(to.resolve("synced")), from.resolve("file").toString() + "");
    succeed("receive", "-q", "ssh://box" + from.resolve("file"), to.toString());
    assertThat(to.resolve("file")).hasContent("content");
  }

  @Test
  void anArchiveThatIsNotThereIsNamed() throws Exception {
    serve();
    BuiltZcp.Ended ended = zcp("deploy", "--archive=missing.tar.gz", "box");
    assertThat(ended.err()).isEqualTo("zcp: missing.tar.gz: no such file or directory\n");
    assertThat(ended.exitCode()).isEqualTo(3);
  }

  @Test
  void aFileThatIsNoArchiveIsToldInOneLine() throws Exception {
    serve();
    Path archive = Files.writeString(folder.resolve("text.tar.gz"), "text");
    BuiltZcp.Ended ended = zcp("deploy", "--archive=" + archive, "box");
    assertThat(ended.err())
        .matches("zcp: box: [^\n]*: the archive cannot be unpacked: [^\n]*gzip[^\n]*\n");
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(names(cache())).isEmpty();
  }

  /// Ten bytes of the archive arrive as others.
  @Test
  void aDamagedArchiveIsNotUnpacked() throws Exception {
    serve();
    Path wrapper = wrapper("b[:1] + bytes([b[1] ^ 1]) + b[2:] if n == 2 else b");
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            "copy",
            "--deploy",
            "--ssh=" + wrapper,
            from.resolve("file").toString(),
            box(to));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(7);
    assertThat(ended.err()).contains("box: the archive came damaged");
    assertThat(names(cache())).isEmpty();
    assertPutThere(cache().toString());
  }

  /// An ssh that is told what a program makes of what zcp says.
  ///
  /// @param change what goes on of the bytes `b`, in Python; `n` counts the MiB before them
  private Path wrapper(String change) throws IOException {
    Programs.assume("python3");
    Path filter = folder.resolve("filter");
    Files.writeString(
        filter,
        """
        import os, time
        total = 0
        for b in iter(lambda: os.read(0, 65536), b""):
            n = total >> 20
            total += len(b)
            if n == 2:
                # Once.
                total += 1 << 20
            os.write(1, %s)
        """
            .formatted(change));
    Path wrapper = folder.resolve("wrapper");
    Files.writeString(wrapper, "#!/bin/sh\npython3 " + filter + " | " + sshd.ssh() + " \"$@\"\n");
    Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    return wrapper;
  }

  @Test
  void aConnectionThatBreaksLeavesNothingAndTheNextOneBeginsAnew() throws Exception {
    serve();
    Path wrapper = wrapper("b if n < 3 else (time.sleep(0.2), b)[1]");
    String file = from.resolve("file").toString();
    try (BuiltZcp zcp =
        BuiltZcp.start(folder, "copy", "--deploy", "--ssh=" + wrapper, file, box(to))) {
      zcp.await("a part of the archive", () -> archiveBytes() > 2_000_000);
      assertThat(names(cache())).singleElement().asString().contains(".new.");
      sshd.descendants().forEach(ProcessHandle::destroy);
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("run the same command again");
    }
    awaitEmptyCache();
    assertPutThere(cache().toString());
    assertUsedSilently();
  }

  private long archiveBytes() throws IOException {
    for (String each : names(cache())) {
      Path archive = cache().resolve(each).resolve("archive");
      if (Files.exists(archive)) {
        return Files.size(archive);
      }
    }
    return 0;
  }

  private void awaitEmptyCache() throws Exception {
    long startedNs = System.nanoTime();
    while (!names(cache()).isEmpty()) {
      assertThat(System.nanoTime() - startedNs).isLessThan(TimeUnit.SECONDS.toNanos(END_S_MAX));
      Thread.sleep(20);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lib/zcp.jar", "runtime/bin/java", "bin/zcp"})
  void aCopyThatLostAFileIsReplaced(String lost) throws Exception {
    serve();
    assertPutThere(cache().toString());
    Path version = cache().resolve(names(cache()).getFirst());
    Files.delete(version.resolve(lost));
    BuiltZcp.Ended failed = copy();
    assertThat(failed.exitCode()).isEqualTo(8);
    assertThat(failed.err()).contains("--deploy puts this one there");
    assertPutThere(cache().toString());
    assertUsedSilently();
    Files.delete(version.resolve(lost));
    assertThat(zcp("deploy", "box").err()).contains("put zcp into " + version);
    assertUsedSilently();
  }

  /// An empty script succeeds, so the copy seemed to be one that starts, and nothing replaced it.
  @Test
  void aCopyWhoseLauncherIsEmptyIsReplaced() throws Exception {
    serve();
    assertPutThere(cache().toString());
    Path version = cache().resolve(names(cache()).getFirst());
    Files.write(version.resolve("bin/zcp"), new byte[0]);
    assertPutThere(cache().toString());
    assertUsedSilently();
  }

  @Test
  void threeAreKeptAndAllGoWhenThatIsAskedFor() throws Exception {
    serve();
    Path other = Files.createDirectories(cache().resolve("host/keys")).getParent();
    for (int i = 1; i <= 4; i++) {
      Path old = cache().resolve("0.0." + i + "-abc-x86_64");
      Files.createDirectories(old.resolve("bin"));
      Files.createDirectories(old.resolve("lib"));
      Files.createFile(old.resolve("bin/zcp"));
      Files.createFile(old.resolve("lib/commit"));
      Files.setLastModifiedTime(old, FileTime.fromMillis(1_700_000_000_000L + i * 1000));
    }
    Programs.run("chmod", "-R", "go-w", home.toString());
    BuiltZcp.Ended deployed = zcp("deploy", "box");
    assertThat(deployed.exitCode()).as(deployed.err()).isZero();
    assertThat(names(cache())).hasSize(4).contains("0.0.3-abc-x86_64", "0.0.4-abc-x86_64", "host");
    assertThat(zcp("deploy", "root@box:").err()).contains("box: this zcp is there already: ");
    assertUsedSilently();
    BuiltZcp.Ended removed = zcp("deploy", "--remove", "box");
    assertThat(removed.exitCode()).as(removed.err()).isZero();
    assertThat(removed.err()).contains("box: copies of zcp that were removed: 3");
    assertThat(names(cache())).containsExactly("host");
    assertThat(other).isDirectory();
    assertThat(copy().exitCode()).isEqualTo(8);
  }

  @Test
  void whatALoginShellPrintsFirstIsNoObstacle() throws Exception {
    serve("", "echo Welcome;", "sh");
    BuiltZcp.Ended put = zcp("deploy", "box");
    assertThat(put.exitCode()).as(put.err()).isZero();
    assertThat(names(cache())).hasSize(1);
    BuiltZcp.Ended removed = zcp("deploy", "--remove", "box");
    assertThat(removed.exitCode()).as(removed.err()).isZero();
    assertThat(names(cache())).isEmpty();
  }

  /// As an older one, which does not know `serve`; and one that does not answer as this one does.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit 2",
        "printf '\\211zcp!\\r\\032\\n\\002\\0\\011\\0\\0\\0\\005\\0\\0\\0009.8.7'; cat"
      })
  void anotherZcpThereIsNoObstacle(String does) throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path zcp = Files.writeString(bin.resolve("zcp"), "#!/bin/sh\n" + does + "\n");
    Files.setPosixFilePermissions(zcp, PosixFilePermissions.fromString("rwxr-xr-x"));
    serve("", "PATH=" + bin + ":$PATH;", "sh");
    assertThat(copy().exitCode()).isEqualTo(8);
    assertPutThere(cache().toString());
    assertUsedSilently();
  }

  @Test
  void whatItNeedsIsLookedForFirst() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Programs.run("sh", "-c", "ln -s /usr/bin/* \"$0\"; rm \"$0/tar\"", bin.toString());
    serve("", "PATH=" + bin + ";", "/bin/sh");
    BuiltZcp.Ended noTar = zcp("deploy", "box");
    assertThat(noTar)
        .isEqualTo(new BuiltZcp.Ended(8, "", "zcp: box: there is no program 'tar' there\n"));
    Files.delete(bin.resolve("uname"));
    Files.writeString(
        bin.resolve("uname"), "#!/bin/sh\n[ $1 = -s ] && echo Linux || echo riscv64\n");
    Programs.run("chmod", "755", bin.resolve("uname").toString());
    BuiltZcp.Ended other = copy("--deploy");
    assertThat(other.exitCode()).isEqualTo(8);
    assertThat(other.err())
        .contains("the processor there is riscv64", "--archive=FILE", "-linux-riscv64.tar.gz");
    assertThat(names(home)).isEmpty();
  }

  @Test
  void anInstalledZcpIsUsedIfNoneWasPutThere() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("zcp"), BuiltZcp.LAUNCHER);
    serve("", "PATH=" + bin + ":$PATH;", "sh");
    assertUsedSilently();
    assertThat(names(home)).isEmpty();
  }

  @Test
  void aNameThatLooksLikeAScriptIsNotRun() throws Exception {
    serve();
    Path mark = folder.resolve("mark");
    BuiltZcp.Ended ended =
        zcp(
            "copy",
            "--no-deploy",
            from.resolve("file").toString(),
            "box:x\n\ntouch " + mark + "\n\n");
    assertThat(ended.exitCode()).isEqualTo(8);
    assertThat(mark).doesNotExist();
  }
}
