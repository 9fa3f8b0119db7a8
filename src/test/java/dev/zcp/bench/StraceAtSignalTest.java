package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Hearing;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that is being traced and gets a signal.
class StraceAtSignalTest {

  private static final long END_S_MAX = 30;
  private static final String TRACED = "traced";

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "HUP", "KILL"})
  void straceEndsWithWhatItTraces(String signal) throws Exception {
    Hearing.assume();
    Process process = start();
    try (BufferedReader out = process.inputReader()) {
      String said = out.readLine();
      assumeTrue(TRACED.equals(said), said);
      List<ProcessHandle> straces = process.descendants().toList();
      assertThat(straces).hasSize(1);
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(END_S_MAX, TimeUnit.SECONDS)).isTrue();
      assertThat(straces.getFirst().onExit().get(END_S_MAX, TimeUnit.SECONDS)).isNotNull();
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start() throws IOException {
    List<String> command = new ArrayList<>(Hearing.PREFIX);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--enable-native-access") || flag.startsWith("--add-opens")) {
        command.add(flag);
      }
    }
    String classPath = System.getProperty("java.class.path");
    command.addAll(List.of("-cp", classPath, Traced.class.getName()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /// Says so when it is traced, and then does nothing for a long time.
  static final class Traced {

    private Traced() {}

    public static void main(String[] args) throws Exception {
      Strace.ofPath()
          .count(
              () -> {
                System.out.println(TRACED);
                Thread.sleep(TimeUnit.SECONDS.toMillis(2 * END_S_MAX));
              });
    }
  }
}
