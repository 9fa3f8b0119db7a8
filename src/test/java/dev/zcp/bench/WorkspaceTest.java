package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.testing.Hearing;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class WorkspaceTest {

  private static final Content.Generated CONTENT =
      new Content.Generated(Content.ContentKind.RANDOM, Requests.SEED);

  @TempDir Path dir;

  @Test
  void itIsADirectoryThatNobodyElseMayEnterAndIsGoneAfterwards() throws Exception {
    try (Workspace workspace = Workspace.open(RawPath.of(dir), CONTENT)) {
      assertThat(workspace.directory().getParent()).isEqualTo(dir);
      assertThat(workspace.directory().getFileName().toString())
          .matches("\\.zcp-bench-[0-9a-f]{8}");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(workspace.directory())))
          .isEqualTo("rwx------");
      workspace.source(5000);
      Files.write(workspace.newTarget().path(), new byte[1]);
    }
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aFileIsMadeOnceForEachSize() throws Exception {
    try (Workspace workspace = Workspace.open(RawPath.of(dir), CONTENT)) {
      BenchSource first = workspace.source(5000);
      assertThat(workspace.source(5000)).isSameAs(first);
      assertThat(workspace.source(6000).file()).isNotEqualTo(first.file());
      assertThat(workspace.newTarget()).isNotEqualTo(workspace.newTarget());
    }
  }

  @Test
  void whatDoesNotFitMakesRoomFirstAndIsRefusedThen() throws Exception {
    try (Workspace workspace = Workspace.open(RawPath.of(dir), CONTENT)) {
      Path unneeded = workspace.source(5000).path();
      Path needed = workspace.source(6000).path();
      assertThatThrownBy(() -> workspace.reserve(Set.of(6000L), Long.MAX_VALUE / 2))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("no space for the files of the benchmark");
      assertThat(unneeded).doesNotExist();
      assertThat(needed).exists();
      workspace.reserve(Set.of(6000L), 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
  void aSignalLeavesNothing(String signal, int exitCode) throws Exception {
    Hearing.assume();
    Process process = probe();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("running");
      assertThat(dir).isNotEmptyDirectory();
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(exitCode);
    assertThat(dir).isEmptyDirectory();
  }

  private Process probe() throws IOException {
    List<String> command = new ArrayList<>(Hearing.PREFIX);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--enable-native-access") || flag.startsWith("--add-opens")) {
        command.add(flag);
      }
    }
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            BenchProbe.class.getName(),
            dir.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
