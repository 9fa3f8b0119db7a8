package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
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

/// The built zcp with programs in the place of ssh.
@Timeout(60)
class CarriersIT {

  @TempDir Path folder;

  @BeforeEach
  void makeSource() throws IOException {
    Files.writeString(folder.resolve("source"), "content");
  }

  /// As `docker exec -i` does: no shell, and no option that it does not know.
  @Test
  void aProgramThatIsNoSshCarriesASession() throws Exception {
    script("enter", "[ \"$1\" = box ] && [ $# = 4 ] && shift && exec \"$@\"");
    assertThat(sh("zcp copy -q --rsh=./enter source box:$PWD/there"))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(folder.resolve("there")).hasContent("content");
    assertThat(sh("zcp copy -q --rsh=./enter box:$PWD/there back"))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(folder.resolve("back")).hasContent("content");
    assertThat(sh("zcp copy -q --rsh=./enter ann@box:$PWD/there back").err())
        .startsWith("zcp: ann@box: --rsh takes a host without user or port");
    assertThat(sh("zcp copy -q --ssh=ssh --rsh=./enter box:there back").err())
        .startsWith("zcp copy: --ssh and --rsh cannot be combined\n");
  }

  /// In no shell, and as the bytes that were typed.
  @ParameterizedTest
  @ValueSource(strings = {"CORP\\user", "svc$", "$HOME", "müller", "first last", "a@b", "*"})
  void whatUserThereIsIsForSshToSay(String user) throws Exception {
    script("ssh", "while [ \"$1\" != -l ]; do shift; done; printf %s \"$2\" > user; exit 255");
    for (String locale : new String[] {"C", "C.UTF-8"}) {
      String copy = "export LC_ALL=" + locale + "; zcp copy -q --ssh=./ssh source '";
      assertThat(sh(copy + user + "@nas:x'").exitCode()).isEqualTo(5);
      assertThat(folder.resolve("user")).hasContent(user);
    }
  }

  @Test
  void aShellsPatternIsNoNameThere() throws Exception {
    script("ssh", "for last; do :; done; exec sh -c \"$last\"");
    assertThat(sh("zcp copy -q --ssh=./ssh 'nas:*.jpg' .").err())
        .contains("*.jpg: no such file or directory (", "not expanded");
  }

  @Test
  void aSourceThatIsNamedTwiceIsCopiedOnceAsByCp() throws Exception {
    script("ssh", "for last; do :; done; exec sh -c \"$last\"");
    Files.createDirectory(folder.resolve("in"));
    String told = "zcp: source: is named twice, and copied once\n";
    assertThat(sh("zcp copy -q --ssh=./ssh source source nas:$PWD/in"))
        .isEqualTo(new Cli.Result(0, "", told));
    assertThat(folder.resolve("in/source")).hasContent("content");
    assertThat(sh("zcp copy -q --ssh=./ssh nas:$PWD/source nas:$PWD/source source in").exitCode())
        .isEqualTo(2);
    assertThat(sh("rm in/source; zcp copy -q --ssh=./ssh nas:$PWD/source nas:$PWD/source in"))
        .extracting(Cli.Result::exitCode)
        .isEqualTo(0);
    assertThat(folder.resolve("in/source")).hasContent("content");
  }

  @Test
  void aPlanIsFinishedByTheSshThatIsNamed() throws Exception {
    script("ssh", "for last; do :; done; exec sh -c \"$last\"");
    Files.createDirectories(folder.resolve("tree/sub"));
    Files.writeString(folder.resolve("tree/sub/file"), "content");
    String target = " nas:$PWD/copy";
    assertThat(
            sh(
                "zcp plan -q tree --shards=1 --output=plan"
                    + " && zcp copy -q --ssh=./ssh --shard=plan/0"
                    + target
                    + " && zcp plan -q --ssh=./ssh --finish plan"
                    + target))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(folder.resolve("copy/sub/file")).hasContent("content");
    assertThat(sh("zcp plan --status plan").out()).contains("finished: yes");
    assertThat(sh("zcp plan --ssh=./ssh --status plan").err())
        .startsWith("zcp plan: --ssh is for --finish\n");
  }

  /// Its directories were made there, and that was a success.
  @ParameterizedTest
  @ValueSource(strings = {"", "mkdir wrong; "})
  void aPlanIsNotFinishedAtAnotherTargetThanThatOfItsShards(String before) throws Exception {
    script("ssh", "for last; do :; done; exec sh -c \"$last\"");
    Files.createDirectories(folder.resolve("tree/sub/deep"));
    Files.createDirectories(folder.resolve("tree/other"));
    String plan = "zcp plan -q tree --shards=1 --output=plan";
    assertThat(sh(plan + "; zcp copy -q --ssh=./ssh --shard=plan/0 nas:$PWD/copy").exitCode())
        .isZero();
    Cli.Result result = sh(before + "zcp plan -q --ssh=./ssh --finish plan nas:$PWD/wrong");
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.err())
        .matches(
            "zcp: \\S*/tree\\S*: had no directory there"
                + " \\(name the TARGET that the shards were copied to\\)\n");
    assertThat(sh("zcp plan --status plan").out()).contains("finished: no");
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Cli.Result sh(String script) throws Exception {
    try (ZcpProcess shell = ZcpProcess.script(folder, Map.of(), script)) {
      return shell.end();
    }
  }
}
