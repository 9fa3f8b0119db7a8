package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;

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
    Hearing.assume();
    Process process = probe("guarded");
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
    Process process = probe("closed");
    assertThat(line(process)).isEqualTo("ready");
    try (OutputStream in = process.getOutputStream()) {
      in.write('\n');
    }
    assertThat(rest(process)).isEmpty();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(entries()).as("left by a probe that did not tidy up").hasSize(1);
  }

  private Process probe(String mode) throws IOException {
    List<String> command = new ArrayList<>(Hearing.PREFIX);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
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
