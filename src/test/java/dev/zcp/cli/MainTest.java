package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MainTest {

  @Test
  void aFullStandardOutputIsNoSuccess() {
    for (String[] words : new String[][] {{"--version"}, {"copy", "--help"}}) {
      Cli.Result result =
          Cli.run(
              Arguments.of(words),
              InputStream.nullInputStream(),
              failing("No space left on device"),
              Map.of());
      assertThat(result.exitCode()).isEqualTo(4);
      assertThat(result.err()).isEqualTo("zcp: standard output: no space left on device\n");
    }
  }

  @Test
  void theFirstFailureDecidesEvenWhereStandardOutputFailsToo() {
    Cli.Result result =
        Cli.run(
            Arguments.of("completion", "tcsh"),
            InputStream.nullInputStream(),
            failing("closed"),
            Map.of());
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  void aDefectIsOneLineAndCode70() {
    Cli.Result result = send(environment(() -> new IllegalStateException("odd\nend")));
    assertThat(result.exitCode()).isEqualTo(70);
    assertThat(result.err()).isEqualTo("zcp: internal error: IllegalStateException: odd\\nend\n");
  }

  @Test
  void debugAddsTheStackTraceOfADefect() {
    Cli.Result result = send(environment(() -> new IllegalStateException("odd")), "--debug");
    assertThat(result.exitCode()).isEqualTo(70);
    assertThat(result.err()).contains("\tat dev.zcp.cli.");
  }

  @Test
  void debugAfterTheDoubleDashIsAName() {
    Cli.Result result = send(environment(() -> new IllegalStateException("odd")), "--", "--debug");
    assertThat(result.err()).doesNotContain("\tat ");
  }

  @Test
  void wantOfMemoryIsOneLineAndCode70() {
    Cli.Result result =
        send(
            environment(
                () -> {
                  throw new OutOfMemoryError("Java heap space");
                }));
    assertThat(result.exitCode()).isEqualTo(70);
    assertThat(result.err()).isEqualTo("zcp: internal error: out of memory\n");
  }

  @Test
  void wantOfThreadsIsOneLineThatSaysWhatToDo() {
    Cli.Result result =
        send(
            environment(
                () -> {
                  throw new OutOfMemoryError("unable to create native thread: possibly out of m");
                }));
    assertThat(result.exitCode()).isEqualTo(70);
    assertThat(result.err())
        .isEqualTo(
            "zcp: no more threads can be started (raise ulimit -u, or pids.max of the cgroup)\n");
  }

  @Test
  void twentyThousandOperandsKeepTheirOrder() throws Exception {
    String[] words = new String[20_000];
    for (int i = 0; i < words.length; i++) {
      words[i] = Integer.toString(i);
    }
    CopyCommand command = new CopyCommand();
    Parser.parse(command, Arguments.of(words), null);
    assertThat(command.request(RequestsTest.shell(Map.of())).sources())
        .hasSize(words.length - 1)
        .element(1234)
        .hasToString("1234");
  }

  private static Cli.Result send(Map<String, String> environment, String... more) {
    List<String> words = new ArrayList<>(List.of("send", "127.0.0.1:1", "f"));
    words.addAll(List.of(more));
    Arguments arguments = Arguments.of(words.toArray(String[]::new));
    return Cli.run(arguments, InputStream.nullInputStream(), environment);
  }

  /// An environment whose variables cannot be asked for.
  private static Map<String, String> environment(Supplier<RuntimeException> defect) {
    return new AbstractMap<>() {
      @Override
      public String get(Object name) {
        throw defect.get();
      }

      @Override
      public Set<Entry<String, String>> entrySet() {
        return Set.of();
      }
    };
  }

  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(reason);
      }
    };
  }
}
