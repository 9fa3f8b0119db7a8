package dev.zcp.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the shell of another machine does, in shells that may be there.
class RemoteShellTest {

  private static final OwnBuild BUILD = new OwnBuild(null, "1.2.3", "abc");
  private static final String SCRIPT = RemoteShell.script(BUILD, true);

  @TempDir Path folder;

  @Test
  void noLoginShellCanMistakeIt() {
    assertThat(SCRIPT).doesNotContain("'", "!", "\\\\", "\n");
  }

  /// A copy of zcp that says where it is, in `cache`.
  private Path copy(Path cache) throws Exception {
    String machine = Programs.run("uname", "-m");
    Path program = cache.resolve("zcp/1.2.3-abc-" + machine + "/bin/zcp");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\nprintf 'copy %s' \"$*\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path version = program.getParent().getParent();
    for (Path each : new Path[] {cache, version.getParent(), version}) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx------"));
    }
    return version;
  }

  private String said(Map<String, String> environment, String... shell) throws Exception {
    String[] words = Arrays.copyOf(shell, shell.length + 2);
    words[shell.length] = "-c";
    words[shell.length + 1] = RemoteShell.commandLine(SCRIPT);
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    byte[] bytes = process.getInputStream().readAllBytes();
    process.waitFor();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox sh", "fish", "tcsh", "zsh"})
  void theCopyThatWasPutThereIsStarted(String shell) throws Exception {
    String[] words = shell.split(" ");
    Programs.assume(words[0]);
    copy(folder.resolve("home/.cache"));
    assertThat(said(Map.of(), words)).isEqualTo("copy serve");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox sh", "fish", "tcsh", "zsh"})
  void ifThereIsNoneTheShellSaysSo(String shell) throws Exception {
    String[] words = shell.split(" ");
    Programs.assume(words[0]);
    assertThat(said(Map.of(), words)).matches("(?s)\\x{89}zcp-\r\\x1a\n[0-9a-f-]{36}\n");
  }

  @Test
  void aCacheDirectoryThatIsNamedIsLookedAtAndARelativeOneIsNot() throws Exception {
    copy(folder.resolve("elsewhere"));
    String elsewhere = folder.resolve("elsewhere").toString();
    assertThat(said(Map.of("XDG_CACHE_HOME", elsewhere), "sh")).isEqualTo("copy serve");
    assertThat(said(Map.of("XDG_CACHE_HOME", "elsewhere"), "sh")).contains("zcp-");
  }

  @ParameterizedTest
  @CsvSource({
    "0, -rwx------",
    "0, drwxrwx---",
    "1, drwxrwx---",
    "1, drwx----w-",
    "2, drwx---rwx",
    "3, drwxrwxr-x",
  })
  void whatOthersCanChangeIsNotStarted(int above, String mode) throws Exception {
    Path changed = copy(folder.resolve("home/.cache"));
    for (int i = 0; i < above; i++) {
      changed = changed.getParent();
    }
    assertThat(said(Map.of(), "sh")).isEqualTo("copy serve");
    if (mode.startsWith("-")) {
      // A link, which somebody else may have put there.
      Files.move(changed, folder.resolve("moved"));
      Files.createSymbolicLink(changed, folder.resolve("moved"));
    } else {
      Files.setPosixFilePermissions(changed, PosixFilePermissions.fromString(mode.substring(1)));
    }
    assertThat(said(Map.of(), "sh")).doesNotContain("copy serve");
  }

  @Test
  void whatBelongsToSomebodyElseIsNotStarted() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give it away");
    Path version = copy(folder.resolve("home/.cache"));
    Programs.run("chown", "65534", version.toString());
    assertThat(said(Map.of(), "sh")).doesNotContain("copy serve");
    Programs.run("chown", "0", version.toString());
    assertThat(said(Map.of(), "sh")).isEqualTo("copy serve");
    Programs.run("chown", "65534", version.getParent().toString());
    assertThat(said(Map.of(), "sh")).doesNotContain("copy serve");
  }
}
