package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// build/check and build/check-needs on machines where things are missing.
class CheckTest {

  @TempDir Path folder;

  /// How a script ended, and what it said on standard error.
  private record Said(int status, String errors) {}

  @Test
  void theCheckInstallsNothingUnaskedAndSaysWhatItSkipsInALineEach() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    for (String program : List.of("cat", "dirname", "mktemp", "rm", "id")) {
      script(bin.resolve(program), "PATH=/usr/bin:/bin exec " + program + " \"$@\"\n");
    }
    Path called = folder.resolve("called");
    for (String program : List.of("apt-get", "pip3", "python3")) {
      script(bin.resolve(program), "echo " + program + " >> " + called + "\n");
    }
    script(bin.resolve("mvn"), "echo \"$*\" >> " + called + "; exit 7\n");
    Path project = Files.createDirectories(folder.resolve("project/build"));
    Path check = Files.copy(Path.of("build/check"), project.resolve("check"));

    // The script appends the folders of root to PATH; programs there are not missing.
    Said said = run(bin.toString(), check.toString());

    assertThat(called).hasContent("-B -ntp verify");
    assertThat(said.status()).isEqualTo(7);
    assertThat(said.errors().lines())
        .contains("check: no zsh (package zsh), so this is skipped: completions in zsh")
        .allMatch(line -> line.startsWith("check: no") && line.contains("skipped: "));
    Files.delete(bin.resolve("mvn"));
    assertThat(run(bin.toString(), check.toString()).status()).isEqualTo(1);
    assertThat(run(bin.toString(), check.toString(), "--typo"))
        .isEqualTo(new Said(2, "usage: build/check [--install]\n"));
  }

  @Test
  void aJdkThatLinksNoRuntimeIsToldBeforeTheBuildBegins() throws Exception {
    assumeTrue(Programs.isRoot(), "only root hides the JDKs of this machine");
    Programs.assume("unshare");
    Path met = folder.resolve("target/needs-met");
    Path jdk = folder.resolve(".jdks/25");
    assertThat(needs(met)).startsWith("build: no JDK 25, ").hasLineCount(1);
    assertThat(met).doesNotExist();

    script(jdk.resolve("bin/javac"), "");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    assertThat(needs(met)).startsWith("build: " + jdk + " cannot make the").hasLineCount(1);
    script(jdk.resolve("bin/jlink"), "echo '      Linking from run-time image disabled'\n");
    assertThat(needs(met)).startsWith("build: " + jdk + " cannot make the").hasLineCount(1);
    assertThat(met).doesNotExist();

    script(jdk.resolve("bin/jlink"), "echo '      Linking from run-time image enabled'\n");
    assertThat(needs(met)).isEmpty();
    assertThat(met).exists();
    script(jdk.resolve("bin/jlink"), "exit 1\n");
    Files.createDirectory(jdk.resolve("jmods"));
    Files.delete(met);
    assertThat(needs(met)).isEmpty();
    assertThat(met).exists();
  }

  /// What build/check-needs says if only the user's folder may hold JDKs.
  private String needs(Path met) throws Exception {
    String hidden =
        "for each in /usr/jdk /usr/java /usr/local/java /opt /usr/lib/jvm /usr/lib64/jvm; do"
            + " if [ -d $each ]; then mount -t tmpfs none $each; fi; done; exec \"$@\"";
    Said said =
        run(
            "/usr/bin:/bin:/usr/sbin:/sbin",
            List.of("unshare", "--mount", "sh", "-c", hidden, "sh"),
            "build/check-needs",
            met.toString(),
            "/nonexistent",
            folder.toString(),
            "/nonexistent");
    assertThat(said.status()).isZero();
    return said.errors();
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Said run(String path, String... command) throws Exception {
    return run(path, List.of(), command);
  }

  /// @param before words that come before the command
  private Said run(String path, List<String> before, String... command) throws Exception {
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(before)).redirectError(errors.toFile());
    builder.command().addAll(List.of(command));
    builder.environment().clear();
    builder.environment().put("PATH", path);
    Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    int status = process.waitFor();
    return new Said(status, Files.readString(errors));
  }
}
