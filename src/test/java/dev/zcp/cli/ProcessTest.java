package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.testing.Cli;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What only a process of its own can show: what `main` makes of the descriptors it was given.
class ProcessTest {

  @TempDir Path dir;

  @Test
  void theExitCodeIsThatOfTheCommand() throws Exception {
    assertThat(sh("--version").exitCode()).isZero();
    assertThat(sh("cpoy").exitCode()).isEqualTo(2);
  }

  @Test
  void aFullDeviceIsNoSuccess() throws Exception {
    assumeThat(Path.of("/dev/full")).as("a device that is always full").exists();
    assertThat(sh("copy --help > /dev/full").err())
        .isEqualTo("zcp: standard output: no space left on device\n");
    assertThat(sh("--version > /dev/full").exitCode()).isEqualTo(4);
  }

  @Test
  void aClosedStandardOutputIsNoSuccess() throws Exception {
    Cli.Result result = sh("--version >&-");
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.err()).isEqualTo("zcp: standard output: bad file descriptor\n");
  }

  @Test
  void aReaderThatLeftEndsItAsSigpipeDoes() throws Exception {
    // Opened for both, which needs no reader; then the only descriptor that reads is replaced.
    Path fifo = dir.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Cli.Result result = sh("--version >&3", "exec 3<> " + fifo + " 4> " + fifo + " 3>&4 4>&-; ");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(141);
  }

  @Test
  void messagesKeepTheBytesOfANameInTheCLocale() throws Exception {
    assertThat(sh("copy \"$(printf 'caf\\303\\251\\377')\"").err())
        .isEqualTo("zcp copy: TARGET is missing after café\\xff\ntry 'zcp copy --help'\n");
  }

  private static Cli.Result sh(String arguments) throws Exception {
    return sh(arguments, "");
  }

  /// Runs zcp in `sh` under LC_ALL=C, after `before`.
  private static Cli.Result sh(String arguments, String before) throws Exception {
    String script = before + "exec \"$0\" -cp \"$1\" dev.zcp.cli.Main " + arguments;
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            script,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"));
    builder.environment().put("LC_ALL", "C");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Cli.Result(process.waitFor(), out, err);
  }
}
