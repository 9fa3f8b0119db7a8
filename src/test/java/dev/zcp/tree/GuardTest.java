package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Hearing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GuardTest {

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
  void aSignalLeavesNothingThatWasNotPublished(String signal, int exitCode) throws Exception {
    aSignalLeavesNothing("guarded", signal, exitCode, List.of());
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129", "QUIT, 131"})
  void aSignalThatTheJvmDoesNotHandleLeavesNothingEither(String signal, int exitCode)
      throws Exception {
    aSignalLeavesNothing("guarded", signal, exitCode, asInstalled());
  }

  /// As with one trial of `bench --tune` after the other.
  @Test
  void aSecondGuardWatchesAsTheFirstDid() throws Exception {
    aSignalLeavesNothing("again", "INT", 130, asInstalled());
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129", "QUIT, 131"})
  void onceItIsClosedASignalEndsTheProcess(String signal, int exitCode) throws Exception {
    Hearing.assume();
    Process process = probe("closed", asInstalled());
    assertThat(line(process)).isEqualTo("ready");
    kill(signal, process);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(exitCode);
  }

  /// The flags that an installed zcp is started with.
  private static List<String> asInstalled() {
    String home = System.getProperty("zcp.home");
    assumeTrue(Files.exists(Path.of(home, "lib/libzcp.so")), "there was no C compiler");
    return List.of("-Xrs", "-Dzcp.home=" + home);
  }

  private void aSignalLeavesNothing(String mode, String signal, int exitCode, List<String> flags)
      throws Exception {
    Hearing.assume();
    Process process = probe(mode, flags);
    assertThat(line(process)).isEqualTo("ready");
    assertThat(entries()).hasSize(1);

    kill(signal, process);

    assertThat(rest(process)).isEqualTo("at the end\n");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(exitCode);
    assertThat(entries()).isEmpty();
  }

  @Test
  void onceItIsClosedTheEndOfTheProcessIsNotItsAffair() throws Exception {
    Hearing.assume();
    Process process = probe("closed", List.of());
    assertThat(line(process)).isEqualTo("ready");
    try (OutputStream in = process.getOutputStream()) {
      in.write('\n');
    }
    assertThat(rest(process)).isEmpty();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(entries()).as("left by a probe that did not tidy up").hasSize(1);
  }

  private Process probe(String mode, List<String> flags) throws IOException {
    List<String> command = new ArrayList<>(Hearing.PREFIX);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(GuardProbe.class.getName(), mode, dir.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void kill(String signal, Process process) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor()).isZero();
  }

  private static String line(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = process.getInputStream().read(); c >= 0 && c != '\n'; ) {
      line.append((char) c);
      c = process.getInputStream().read();
    }
    return line.toString();
  }

  private static String rest(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.list(dir)) {
      return entries.toList();
    }
  }
}
