package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.RandomPairs;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The built zcp as a user who may not do everything: root may, and would see none of this.
@Timeout(60)
class OtherUserIT {

  /// setpriv(1) of util-linux, and nobody's number.
  private static final String AS_NOBODY =
      "setpriv --reuid=65534 --regid=65534 --clear-groups zcp/bin/zcp ";

  private static final int SEEDS = 3;

  private static final String ALREADY_EXISTS =
      "zcp: tree/f: refused there: already exists (it is kept; a receiver with --overwrite"
          + " replaces it)\n";

  @TempDir Path folder;

  @BeforeEach
  void bringEverythingToWhereNobodyMayLook() throws Exception {
    open(folder);
    assertThat(sh("cp -R " + ZcpProcess.built().getParent() + " zcp && chmod -R a+rX zcp"))
        .isEqualTo(new Cli.Result(0, "", ""));
    Cli.Result version = sh(AS_NOBODY + "--version");
    assumeThat(version.exitCode()).as("only root may become nobody: " + version.err()).isZero();
    Files.writeString(folder.resolve("source"), "content");
    open(Files.createDirectory(folder.resolve("theirs")));
    Path mine = Files.createDirectory(folder.resolve("mine"));
    Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void aSourceThatMayNotBeReadIsAFailureOfTheSource() throws Exception {
    assertThat(sh("chmod 600 source; " + AS_NOBODY + "copy source mine/target"))
        .isEqualTo(new Cli.Result(3, "", "zcp: source: permission denied\n"));
    assertThat(sh("mkdir -m 700 closed; " + AS_NOBODY + "copy closed/x mine/target"))
        .isEqualTo(new Cli.Result(3, "", "zcp: closed/x: permission denied\n"));
    assertThat(folder.resolve("mine")).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatMayNotBeWrittenIsAFailureOfTheTarget() throws Exception {
    assertThat(sh(AS_NOBODY + "copy source theirs/target"))
        .isEqualTo(new Cli.Result(4, "", "zcp: theirs/target: permission denied\n"));
    assertThat(sh(AS_NOBODY + "receive --listen=127.0.0.1:0 theirs"))
        .isEqualTo(new Cli.Result(4, "", "zcp: theirs: permission denied\n"));
    assertThat(folder.resolve("theirs")).isEmptyDirectory();
  }

  @Test
  void aProfileThatMayNotBeReadIsNamedOnceWithTheReason() throws Exception {
    String command = AS_NOBODY + "strategies source mine/target";
    assertThat(sh("mkdir -m 700 closed; export ZCP_PROFILE=closed/p; " + command).out())
        .contains(" closed/p: permission denied (it");
  }

  @Test
  void aPortOfRootIsRefusedWithTheReason() throws Exception {
    Path limit = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
    assumeThat(limit).as("every port is for everybody").content().startsWith("1024");
    assertThat(sh(AS_NOBODY + "receive --listen=127.0.0.1:80 mine"))
        .isEqualTo(
            new Cli.Result(
                5,
                "",
                "zcp: 127.0.0.1:80: permission denied (ports below 1024 are for root; --listen"
                    + " takes another port)\n"));
  }

  /// As into a drop box: to write there, and to look for what one knows the name of.
  @Test
  void aDirectoryThatMayOnlyBeWrittenTakesACopy() throws Exception {
    assertThat(sh("chmod 733 mine; " + AS_NOBODY + "copy -q source mine/target"))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(folder.resolve("mine").resolve("target")).hasContent("content");
    assertThat(sh("ls -A mine").out()).isEqualTo("target\n");
  }

  @Test
  void whatIsBesideADirectoryThatMayNotBeOpenedIsDeletedAllTheSame() throws Exception {
    assertThat(
            sh(
                "mkdir tree mine/a mine/closed mine/z; touch mine/f mine/z/f; chmod 777 mine/z; "
                    + "chmod 700 mine/closed; "
                    + AS_NOBODY
                    + "copy -rq --delete tree/. mine"))
        .isEqualTo(new Cli.Result(4, "", "zcp: mine/closed: permission denied\n"));
    assertThat(sh("ls -A mine").out()).isEqualTo("closed\n");
  }

  /// Nobody can tell whether it is the same.
  @Test
  void aFileThatAppearsAndMayNotBeReadIsToldAsOneThatExists() throws Exception {
    Cli.Result sent =
        sh(
            "mkdir tree; head -c 2000000 /dev/zero > tree/f; cp -p tree/f other; chmod 600 other; "
                + AS_NOBODY
                + "receive -q --once --listen=127.0.0.1:0 mine > url 2> said & "
                + "until test -s url; do sleep 0.05; done; "
                + "zcp/bin/zcp send -qr --limit-rate=1M $(cat url) tree & "
                + "until test -d mine/tree; do sleep 0.01; done; "
                + "ln other mine/tree/f; wait $!");
    assertThat(sent.err()).isEqualTo(ALREADY_EXISTS);
    assertThat(sent.exitCode()).isEqualTo(9);
    assertThat(sh("ls -A mine/tree").out()).isEqualTo("f\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "there:"})
  void aDirectoryThatMayNotBeWrittenAnyMoreHasItsModeAfterTheDeletion(String where)
      throws Exception {
    Files.writeString(folder.resolve("rsh"), "shift; exec setpriv --reuid=65534 \"$@\"\n");
    String option =
        where.isEmpty() ? "" : "--rsh='sh rsh' --remote-command=" + folder + "/zcp/bin/zcp ";
    Cli.Result result =
        sh(
            "mkdir -p tree/d; touch tree/d/f; chmod 555 tree/d; "
                + AS_NOBODY
                + "copy -rq tree mine/copy; "
                + "chmod 755 mine/copy/d; touch mine/copy/d/old; "
                + AS_NOBODY
                + "sync -q --delete "
                + option
                + "tree "
                + where
                + folder
                + "/mine/copy; echo $?; ls mine/copy/d; stat -c %a mine/copy/d");
    assertThat(result).isEqualTo(new Cli.Result(0, "0\nf\n555\n", ""));
  }

  /// Whichever of its attributes the file system lists first.
  @Test
  void aFileWhoseAccessListDeniesItsOwnerToWriteKeepsItsAttributes() throws Exception {
    Programs.assume("setfacl", "setfattr");
    Cli.Result result =
        sh(
            "setfattr -n user.a -v 1 source; setfacl -m u::r,u:1:r source; "
                + "setfattr -n user.b -v 2 source; chown 65534 source; "
                + AS_NOBODY
                + "copy -aq source mine/target; getfattr -d mine/target; "
                + "getfacl -cs mine/target | head -n 2");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("user.a=\"1\"", "user.b=\"2\"", "user:daemon:r--");
  }

  @Test
  void anUnreadableFileIsNotSentAndBothEndsSaySo() throws Exception {
    Cli.Result result =
        sh(
            "chmod 600 source; mkdir in; mkfifo url; "
                + "zcp/bin/zcp receive -q --once --listen=127.0.0.1:0 in > url 2> told & "
                + "read -r to < url; "
                + AS_NOBODY
                + "send -q $to source; sent=$?; wait $!; echo $sent $?");
    assertThat(result).isEqualTo(new Cli.Result(0, "3 3\n", "zcp: source: permission denied\n"));
    assertThat(folder.resolve("told"))
        .content()
        .endsWith("the sender could not send everything: source: permission denied\n");
    assertThat(folder.resolve("in")).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatCannotBeListedIsAFailureOfBothEnds() throws Exception {
    Cli.Result result =
        sh(
            "mkdir in tree; mkdir -m 700 tree/closed; mkfifo url; "
                + "zcp/bin/zcp receive -q --once --listen=127.0.0.1:0 in > url 2> told & "
                + "read -r to < url; "
                + AS_NOBODY
                + "send -q -r $to tree; sent=$?; wait $!; echo $sent $?");
    assertThat(result)
        .isEqualTo(new Cli.Result(0, "3 3\n", "zcp: tree/closed: permission denied\n"));
    assertThat(folder.resolve("told"))
        .content()
        .endsWith("the sender could not send everything: tree/closed: permission denied\n");
  }

  @Test
  @Timeout(600)
  void syncMakesTheSourceOfRandomTreesUnlessRsyncMakesTheSameOfIt() throws Exception {
    RandomPairs.check(
        Files.createDirectory(folder.resolve("pairs")),
        SEEDS,
        (option, source, target) ->
            sh(AS_NOBODY + "sync " + option + " --delete " + source + " " + target),
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups");
  }

  private static void open(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Cli.Result sh(String script) throws Exception {
    try (ZcpProcess shell = ZcpProcess.script(folder, Map.of(), script)) {
      return shell.end();
    }
  }
}
