package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Hearing;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// target/zcp/bin/zcp starts from anywhere, under any name, and says nothing of its own.
class LauncherIT {

  private static final Path BUILT = Path.of("target/zcp");

  private static final Map<String, String> NOTHING_SET = Map.of();

  /// A folder with a copy of the distribution in it, at a place whose name is hard to quote.
  @TempDir static Path elsewhere;

  private static Path home;

  @TempDir Path folder;

  @BeforeAll
  static void moveTheDistribution() throws IOException {
    home = elsewhere.resolve("a place 'with' $signs/zcp");
    copy(BUILT, home);
  }

  @Test
  void itStartsWithAnEmptyEnvironmentAndNoJavaOnThePath() throws Exception {
    assertStarts(folder, Map.of("PATH", "/nonexistent"), home.resolve("bin/zcp").toString());
  }

  @Test
  void itStartsByARelativePath() throws Exception {
    assertStarts(home, NOTHING_SET, "bin/zcp");
    assertStarts(home.resolve("bin"), NOTHING_SET, "./zcp");
    assertStarts(home.resolve("bin"), NOTHING_SET, "sh", "zcp");
  }

  @Test
  void itStartsByItsNameFromThePath() throws Exception {
    Map<String, String> path = Map.of("PATH", home.resolve("bin") + ":/usr/bin:/bin");
    assertStarts(folder, path, "sh", "-c", "zcp --version");
  }

  @Test
  void itStartsThroughAChainOfLinksAbsoluteAndRelative() throws Exception {
    Path links = Files.createDirectory(elsewhere.resolve("links"));
    Files.createSymbolicLink(links.resolve("absolute"), home.resolve("bin/zcp"));
    Files.createSymbolicLink(elsewhere.resolve("relative"), Path.of("links/absolute"));
    assertStarts(links, NOTHING_SET, "../relative");
  }

  @Test
  void itStartsWithoutItsCache() throws Exception {
    Path bare = elsewhere.resolve("bare");
    copy(BUILT, bare);
    Files.delete(bare.resolve("lib/start.aot"));
    assertStarts(folder, NOTHING_SET, bare.resolve("bin/zcp").toString());
  }

  @Test
  void itStartsInTheSmallestLocale() throws Exception {
    assertStarts(folder, Map.of("LC_ALL", "C"), home.resolve("bin/zcp").toString());
  }

  /// A shell makes the name, since the JVM of this test may be in the C locale as well.
  @Test
  void itStartsInTheSmallestLocaleFromAPlaceWhoseNameIsNotAscii() throws Exception {
    String script =
        "place=$(printf 'caf\\303\\251') && cp -R \"$1\" \"$place\" && \"$place/bin/zcp\" \"$2\"";
    Map<String, String> environment = Map.of("LC_ALL", "C", "PATH", "/usr/bin:/bin");
    assertStarts(elsewhere, environment, "sh", "-c", script, "sh", home.toString());
  }

  @Test
  void optionsMeantForOtherJavaProgramsAreNotItsOwn() throws Exception {
    Map<String, String> options =
        Map.of(
            "JAVA_TOOL_OPTIONS", "-Done=1",
            "JDK_JAVA_OPTIONS", "-Dtwo=2",
            "_JAVA_OPTIONS", "-Dthree=3");
    assertStarts(folder, options, home.resolve("bin/zcp").toString());
  }

  /// A JVM of its own accord ends with a stack trace and a 1 there. Some shells complain as well.
  @Test
  void whereTheWorkingDirectoryIsGoneOneLineSaysSo() throws Exception {
    String script = "mkdir gone && cd gone && rmdir ../gone && exec \"$1\" --version";
    Process process =
        new ProcessBuilder("sh", "-c", script, "sh", home.resolve("bin/zcp").toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(3);
    assertThat(output.lines().toList())
        .allMatch(line -> line.startsWith("zcp: ") || line.contains("getcwd"))
        .last()
        .asString()
        .startsWith("zcp: the working directory is gone");
  }

  @Test
  void aWorkingDirectoryWithoutAPathIsToldInOneLine() throws Exception {
    String half = "d/".repeat(1200);
    String script =
        "top=$PWD; mkdir -p one/HALF two/HALF; cd two/HALF; mv \"$top/two\" \"$top/one/HALF\";"
            + " \"$1\" --version; status=$?; cd \"$top\"; rm -r one; exit $status";
    assertRefused(
        3, "zcp: the path of the working directory is too long", script.replace("HALF", half));
  }

  @Test
  void aPathOfItsOwnThatTheJvmCannotTakeIsToldInOneLine() throws Exception {
    String from = "cp -R \"${1%/bin/zcp}\" \"$place\" && \"$place/bin/zcp\" --version";
    String colon = "place=$PWD/a:b; " + from;
    assertRefused(70, "zcp: zcp cannot run from a directory with ':' in", colon);
    String notText = "place=$PWD/$(printf 'a\\377b'); " + from;
    assertRefused(70, "zcp: zcp cannot run from a directory whose path is", notText);
    String relative = "cd a:b/bin && ./zcp --version";
    assertRefused(70, "zcp: zcp cannot run from a directory with ':' in", relative);
    String link =
        "ln -s \"${1%/zcp/bin/zcp}\" l:k && l:k/zcp/bin/zcp copy -q /dev/null x; s=$?; rm l:k; exit"
            + " $s";
    assertThat(sh(link)).isEqualTo(new Said(0, ""));
    String linkToIt = "ln -s a:b ab && ab/bin/zcp --version";
    assertRefused(70, "zcp: zcp cannot run from a directory with ':' in", linkToIt);
    String fromThere = "cd a:b/bin && \"$1\" --version";
    assertThat(sh(fromThere)).isEqualTo(new Said(0, ""));
  }

  @Test
  void ifThereIsNoProcOneLineSaysSo() throws Exception {
    assumeTrue(
        Programs.succeeds("unshare", "--mount", "umount", "-l", "/proc"),
        "this process may not unmount /proc");
    String without = "unshare --mount sh -c 'umount -l /proc && exec \"$1\" --version' sh \"$1\"";
    assertRefused(70, "zcp: there is no /proc here", without);
  }

  @Test
  void tooLittleAddressSpaceIsToldInOneLine() throws Exception {
    String limit = "ulimit -v 800000; \"$1\" copy a b";
    assertRefused(70, "zcp: too little address space: 800000 KiB of ", limit);
    assertThat(sh("ulimit -S -v 800000; \"$1\" --version")).isEqualTo(new Said(0, ""));
    assertThat(sh("ulimit -v 5000000; \"$1\" --version")).isEqualTo(new Said(0, ""));
  }

  /// Each limit is that of a user of its own, who has no other threads. The JVM needs 12, and zcp
  /// some more.
  @Test
  void howeverFewThreadsThereAreItCopiesOrSaysSoInOneLine() throws Exception {
    assumeTrue(Programs.isRoot(), "only root becomes other users");
    Programs.assume("setpriv");
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (int limit = 5; limit <= 20; limit++) {
      String user = Integer.toString(1_000_000_000 + limit);
      Path own = Files.createDirectory(folder.resolve(user));
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.writeString(own.resolve("source"), "content");
      Programs.run("chown", "-R", user, own.toString());
      String script =
          "cd USER && exec setpriv --reuid=USER --clear-groups sh -c '{ ulimit -u LIMIT 2>"
              + " /dev/null || ulimit -p LIMIT; }; exec \"$1\" copy -q source x' sh \"$1\"";
      Said said = sh(script.replace("USER", user).replace("LIMIT", Integer.toString(limit)));
      if (said.status() == 0) {
        assertThat(said.errors()).isEmpty();
        assertThat(own.resolve("x")).hasContent("content");
      } else {
        assertThat(said.status()).as("with %d threads", limit).isEqualTo(70);
        assertThat(said.errors())
            .hasLineCount(1)
            .matches("zcp: (too few threads are left|no more threads can be started)[^\0]*");
        assertThat(limit).isLessThan(20);
      }
    }
  }

  @Test
  void filesThatAJvmLooksForInTheWorkingDirectoryChangeNothing() throws Exception {
    Files.writeString(folder.resolve(".hotspotrc"), "-version\n");
    Files.writeString(folder.resolve(".hotspot_compiler"), "quiet\n");
    assertStarts(folder, NOTHING_SET, home.resolve("bin/zcp").toString());
  }

  @Test
  void itMakesNoSocketForToolsThatAttach() throws Exception {
    ProcessBuilder copying =
        new ProcessBuilder(home.resolve("bin/zcp").toString(), "copy", "-", "-");
    Process process = copying.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write('x');
      in.flush();
      // It has started if the byte has come through.
      assertThat(process.getInputStream().read()).isEqualTo('x');
      assertThat(Path.of("/tmp/.java_pid" + process.pid())).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  /// The name of the report can be guessed, and the JVM follows a link that stands there.
  @Test
  void aCrashOverwritesNothingAndItsReportIsItsUsersAlone() throws Exception {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    String crash =
        "mkfifo fifo; "
            + "sh -c 'ln -s ../victim shared/zcp-crash-$$.log; exec \"$0\" copy fifo out' \"$1\" & "
            + "until grep -q libzcp /proc/$!/maps; do :; done; kill -SEGV $!; wait $!; ";
    assertThat(sh("export TMPDIR=shared; unset XDG_RUNTIME_DIR; " + crash).status())
        .isEqualTo(128 + 6);
    assertThat(victim).hasContent("mine");
    assertThat(shared.toFile().list()).hasSize(1);
    Path own = Files.createDirectory(folder.resolve("own"));
    sh("rm fifo; export XDG_RUNTIME_DIR=$PWD/own; " + crash);
    assertThat(own.toFile().list()).hasSize(1);
  }

  /// The foreign function API costs 50 ms. It finds functions through a library of the JDK's.
  @ParameterizedTest
  @ValueSource(
      strings = {"copy - -", "copy -a --files-from=- . out", "receive --once --listen=127.0.0.1:0"})
  void itStartsWithoutTheForeignFunctionApiIfItHasALibrary(String arguments) throws Exception {
    assumeTrue(Files.exists(home.resolve("lib/libzcp.so")), "built without a C compiler");
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/zcp").toString()));
    command.addAll(List.of(arguments.split(" ")));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      Path maps = Path.of("/proc/" + process.pid() + "/maps");
      String mapped = "";
      while (!mapped.contains("/libzcp.so")) {
        assertThat(process.isAlive()).isTrue();
        mapped = Files.readString(maps);
      }
      assertThat(mapped).doesNotContain("/libsyslookup.so");
    } finally {
      process.destroyForcibly();
    }
  }

  /// What may have become of the library. If it is missing, the JVM handles signals itself.
  private enum Damage {
    MISSING,
    EMPTY,
    HALF,
    RUBBISH;

    void doTo(Path library) throws IOException {
      byte[] bytes = Files.readAllBytes(library);
      Files.delete(library);
      switch (this) {
        case MISSING -> {}
        case EMPTY -> Files.createFile(library);
        case HALF -> Files.write(library, Arrays.copyOf(bytes, bytes.length / 2));
        case RUBBISH -> {
          Arrays.fill(bytes, (byte) 'z');
          Files.write(library, bytes);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutItsLibraryItCopiesAndASignalStillLeavesNothing(Damage damage) throws Exception {
    assumeTrue(Files.exists(home.resolve("lib/libzcp.so")), "built without a C compiler");
    Hearing.assume();
    Path without = elsewhere.resolve("without-" + damage);
    copy(BUILT, without);
    damage.doTo(without.resolve("lib/libzcp.so"));
    String zcp = without.resolve("bin/zcp").toString();
    Path source = Files.writeString(folder.resolve("source"), "content");
    Process copy =
        new ProcessBuilder(zcp, "copy", "-q", "source", "copy")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(copy.waitFor()).isZero();
    assertThat(folder.resolve("copy")).hasSameTextualContentAs(source);
    Path target = Files.createDirectory(folder.resolve("target"));
    List<String> command = new ArrayList<>(Hearing.PREFIX);
    command.addAll(List.of(zcp, "copy", "-q", "-", "target/x"));
    Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
    try {
      while (target.toFile().list().length == 0) {
        assertThat(process.isAlive()).isTrue();
        Thread.sleep(1);
      }
      // Process.destroy would also close the input, which ends the copy well.
      process.toHandle().destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(128 + 15);
      assertThat(target).isEmptyDirectory();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aDamagedCacheChangesNothing() throws Exception {
    Path damaged = elsewhere.resolve("damaged");
    copy(BUILT, damaged);
    Path cache = damaged.resolve("lib/start.aot");
    byte[] bytes = Files.readAllBytes(cache);
    Files.write(cache, Arrays.copyOf(bytes, bytes.length / 2));
    assertStarts(folder, NOTHING_SET, damaged.resolve("bin/zcp").toString());
    Files.write(cache, new byte[bytes.length]);
    assertStarts(folder, NOTHING_SET, damaged.resolve("bin/zcp").toString());
  }

  /// A stack trace came before a line that told of a class.
  @ParameterizedTest
  @ValueSource(strings = {"receive .", "send 127.0.0.1:1 errors", "send --web --tls errors"})
  void aRuntimeWithoutItsSecuritySettingsIsToldInOneLine(String arguments) throws Exception {
    String script =
        "cp -R \"${1%/bin/zcp}\" damaged; rm damaged/runtime/conf/security/java.security; "
            + "damaged/bin/zcp "
            + arguments;
    assertRefused(70, "zcp: the Java runtime cannot read its settings " + folder, script);
  }

  /// What zcp said on standard error, and its exit code.
  private record Said(int status, String errors) {}

  private void assertRefused(int status, String line, String script) throws Exception {
    Said said = sh(script);
    assertThat(said.errors()).startsWith(line).hasLineCount(1);
    assertThat(said.status()).isEqualTo(status);
  }

  /// @param script to which `$1` is the launcher
  private Said sh(String script) throws Exception {
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder("sh", "-c", script, "sh", home.resolve("bin/zcp").toString())
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    int status = process.waitFor();
    return new Said(status, Files.readString(errors));
  }

  @Test
  void theDistributionCarriesItsPapers() {
    Path share = home.resolve("share");
    assertThat(share.resolve("doc/zcp/LICENSE")).hasSameBinaryContentAs(Path.of("LICENSE"));
    assertThat(share.resolve("man/man1/zcp-copy.1.gz")).isNotEmptyFile();
    assertThat(share.resolve("bash-completion/completions/zcp"))
        .hasSameBinaryContentAs(Path.of("completions/zcp.bash"));
    assertThat(home.resolve("lib/start.aot")).isNotEmptyFile();
    assertThat(home.resolve("lib/copy.aot")).isNotEmptyFile();
    assertThat(home.resolve("lib/peer.aot")).isNotEmptyFile();
  }

  private static void copy(Path source, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    try (Stream<Path> paths = Files.walk(source)) {
      for (Path path : paths.toList()) {
        Path copy = target.resolve(source.relativize(path).toString());
        Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /// Runs `command` with `--version` and nothing in the environment but `environment`.
  private void assertStarts(Path where, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command));
    if (!words.getLast().endsWith("--version")) {
      words.add("--version");
    }
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(where.toFile()).redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    assertThat(errors).content().isEmpty();
    assertThat(output).startsWith("zcp ").hasLineCount(5);
    assertThat(status).isZero();
  }
}
