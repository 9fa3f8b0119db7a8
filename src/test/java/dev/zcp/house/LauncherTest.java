package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// src/main/sh/zcp in each shell that may be a system's `sh`, on a runtime that only prints its
/// arguments.
@ParameterizedClass
@ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
class LauncherTest {

  @Parameter String shell;

  @TempDir Path folder;

  private Path home;

  /// What the launcher said, and its exit code.
  private record Said(int status, String out, String errors) {

    List<String> arguments() {
      assertThat(errors).isEmpty();
      assertThat(status).isZero();
      return out.lines().toList();
    }
  }

  @BeforeEach
  void install() throws IOException {
    Programs.assume(shell.split(" ")[0]);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    home = Files.createDirectories(folder.resolve("real/zcp"));
    script(home.resolve("bin/zcp"), Files.readString(Path.of("src/main/sh/zcp")));
    script(home.resolve("runtime/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    Files.createDirectories(home.resolve("lib"));
    for (String cache : List.of("start", "copy", "peer")) {
      Files.createFile(home.resolve("lib/" + cache + ".aot"));
    }
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void theArgumentsComeLastAndAsTheyAre() throws Exception {
    List<String> arguments = run("start copy 'a  b' '' '*' '$x' -- \"it's\"").arguments();
    int main = arguments.indexOf("dev.zcp.cli.Main");
    assertThat(arguments.subList(main + 1, arguments.size()))
        .containsExactly("copy", "a  b", "", "*", "$x", "--", "it's");
    assertThat(arguments.subList(main - 2, main)).containsExactly("-cp", lib("zcp.jar"));
    assertThat(arguments.getFirst()).isEqualTo("@FLAGS@");
  }

  @Test
  void eachKindOfCommandHasItsCacheAndItsHeap() throws Exception {
    assertThat(run("start --version").arguments())
        .contains("-XX:AOTCache=" + lib("start.aot"))
        .noneMatch(argument -> argument.startsWith("-Xm"));
    assertThat(run("start copy a b").arguments())
        .contains("-XX:AOTCache=" + lib("copy.aot"), "-Xmn8m", "-XX:TieredStopAtLevel=1");
    assertThat(run("start copy -a . host:b").arguments())
        .contains("-XX:AOTCache=" + lib("peer.aot"), "-Xmn32m");
    assertThat(run("start sync a b").arguments())
        .contains("-XX:AOTCache=" + lib("copy.aot"), "-Xmn8m", "-XX:TieredStopAtLevel=1");
    assertThat(run("start sync a host:b").arguments())
        .contains("-XX:AOTCache=" + lib("peer.aot"), "-Xmn32m");
    assertThat(run("start send host file").arguments())
        .contains("-XX:AOTCache=" + lib("peer.aot"), "-Xmn32m");
    assertThat(run("start bench copy").arguments())
        .contains("-XX:AOTCache=" + lib("copy.aot"), "-Xmx3g");
  }

  @Test
  void aCacheOrALibraryThatIsMissingIsNotNamed() throws Exception {
    Files.delete(home.resolve("lib/copy.aot"));
    assertThat(run("start copy a b").arguments()).contains("-XX:AOTCache=" + lib("start.aot"));
    Files.delete(home.resolve("lib/start.aot"));
    assertThat(run("start copy a b").arguments()).contains("-Xshare:auto").doesNotContain("-Xrs");
    Files.createFile(home.resolve("lib/libzcp.so"));
    assertThat(run("start copy a b").arguments()).contains("-Xrs");
  }

  @Test
  void aCommandWithAKeyLeavesNoCrashReport() throws Exception {
    assertThat(run("XDG_RUNTIME_DIR=$PWD; export XDG_RUNTIME_DIR; start send host f").arguments())
        .contains("-XX:ErrorFile=" + folder + "/zcp-crash-%p.log");
    assertThat(
            run("XDG_RUNTIME_DIR=$PWD; export XDG_RUNTIME_DIR; start send zcp://KEY@host f")
                .arguments())
        .contains("-XX:ErrorFile=/dev/null");
    assertThat(run("unset XDG_RUNTIME_DIR; start send host f").arguments())
        .contains("-XX:ErrorFile=/dev/null");
  }

  @Test
  void aClosedStreamIsNotTakenByAFile() throws Exception {
    script(
        home.resolve("runtime/bin/java"),
        "#!/bin/sh\nstream=$(readlink /proc/$$/fd/0)\necho \"$stream\" >&2\n");
    assertThat(run("start copy a b <&-").errors()).isEqualTo("/dev/null\n");
    script(
        home.resolve("runtime/bin/java"),
        "#!/bin/sh\nstream=$(readlink /proc/$$/fd/1)\necho \"$stream\" >&2\n");
    assertThat(run("start copy a b >&-").errors()).isEqualTo("/dev/null\n");
  }

  /// The JVM would take such a path for two, or lose bytes of it.
  @Test
  void aLinkWithAnOddNameToAGoodPlaceIsNotHandedOn() throws Exception {
    for (String odd : List.of("a:b", "$(printf 'a\\377b')")) {
      String link =
          "mkdir x && ln -s ../real \"x/" + odd + "\" && zcp=\"x/" + odd + "/zcp/bin/zcp\"; ";
      assertThat(run(link + "start --version; rm -r x").arguments())
          .contains("-Dzcp.home=" + home.toRealPath());
    }
  }

  @Test
  void aLinkWithAGoodNameToAnOddPlaceIsToldInOneLine() throws Exception {
    String colon = "mv real r:l; ln -s r:l good; zcp=good/zcp/bin/zcp; start --version";
    assertRefused(70, "zcp: zcp cannot run from a directory with ':' in", colon);
    Programs.assume("iconv");
    String odd = "rm good; odd=$(printf 'r\\377l'); mv r:l \"$odd\"; ln -s \"$odd\" good; ";
    String notText = odd + "zcp=good/zcp/bin/zcp; start --version";
    assertRefused(70, "zcp: zcp cannot run from a directory whose path is", notText);
  }

  @Test
  void itIsFoundThroughLinksByAnyName() throws Exception {
    String links = "mkdir links; ln -s \"$zcp\" links/one; ln -s links/one other; zcp=./other; ";
    assertThat(run(links + "start --version").arguments()).contains(lib("zcp.jar"));
    assertThat(run("cd real/zcp/bin && zcp=zcp && start --version").arguments())
        .contains("./../lib/zcp.jar");
  }

  /// A JVM of its own accord ends with a stack trace and exit code 1.
  @Test
  void tooFewThreadsAreToldInOneLine() throws Exception {
    String limit = "ulimit -u N 2> /dev/null || ulimit -p N; ";
    if (Programs.isRoot()) {
      Programs.assume("setpriv");
      limit = "exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '" + limit;
    } else {
      limit = "exec sh -c '" + limit;
    }
    String start = limit + "exec $shell \"$1\" copy a b' sh \"$zcp\"";
    assertRefused(70, "zcp: too few threads are left to this user (", start.replace("N", "5"));
    assertThat(run(start.replace("N", "900")).arguments()).contains("dev.zcp.cli.Main");
  }

  @Test
  void tooLittleAddressSpaceIsToldInOneLine() throws Exception {
    String start = "start copy a b";
    assertRefused(
        70, "zcp: too little address space: 800000 KiB of ", "ulimit -v 800000; " + start);
    assertThat(run("ulimit -S -v 800000; " + start).arguments()).contains("copy");
  }

  private String lib(String name) {
    return home + "/bin/../lib/" + name;
  }

  private void assertRefused(int status, String line, String script) throws Exception {
    Said said = run(script);
    assertThat(said.errors()).startsWith(line).hasLineCount(1);
    assertThat(said.out()).isEmpty();
    assertThat(said.status()).isEqualTo(status);
  }

  /// @param script in which `start` runs the launcher `$zcp` in the shell under test
  private Said run(String script) throws Exception {
    Path out = folder.resolve("out");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "start() { $shell \"$zcp\" \"$@\"; }; " + script)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile());
    builder.environment().put("shell", shell);
    builder.environment().put("zcp", home.resolve("bin/zcp").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    int status = process.waitFor();
    return new Said(status, Files.readString(out), Files.readString(errors));
  }
}
