package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zcp copy -i` on a terminal, by script(1).
class QuestionIT {

  private static final long END_S_MAX = 60;

  @TempDir Path dir;

  @BeforeEach
  void makeFiles() throws IOException {
    Programs.assume("script");
    Files.createDirectories(dir.resolve("in"));
    Files.createDirectories(dir.resolve("out/in"));
    for (String name : new String[] {"a", "b", "c"}) {
      Files.writeString(dir.resolve("in").resolve(name), "new");
    }
    for (String name : new String[] {"a", "b"}) {
      Files.writeString(dir.resolve("out/in").resolve(name), "old");
    }
  }

  @Test
  void whatWasAnsweredIsDone() throws Exception {
    assertThat(onTerminal("zcp copy -i in/a out/in", "n\n")).contains("replace out/in/a? (y/n)");
    assertThat(dir.resolve("out/in/a")).hasContent("old");
    assertThat(onTerminal("zcp copy -i in/a out/in", "y\n")).contains("replace out/in/a? (y/n)");
    assertThat(dir.resolve("out/in/a")).hasContent("new");
  }

  @Test
  void aTreeAsksForEachThatExistsOneAfterTheOther() throws Exception {
    String screen = onTerminal("zcp copy -qri in out", "y\nn\n");
    assertThat(screen.split("\\(y/n\\)", -1)).hasSize(3);
    assertThat(
            Files.readString(dir.resolve("out/in/a")) + Files.readString(dir.resolve("out/in/b")))
        .isIn("newold", "oldnew");
    assertThat(dir.resolve("out/in/c")).hasContent("new");
  }

  @Test
  void answersComeFromAPipeAndQuestionsGoToAFile() throws Exception {
    assertThat(onTerminal("zcp copy -i in/a out/in < /dev/null", "")).contains("(y/n)");
    assertThat(dir.resolve("out/in/a")).hasContent("old");
    assertThat(onTerminal("yes | zcp copy -qri in out 2> err", "")).isEmpty();
    assertThat(Files.readAllLines(dir.resolve("err")))
        .containsExactlyInAnyOrder("zcp: replace out/in/a? (y/n)", "zcp: replace out/in/b? (y/n)");
    assertThat(dir.resolve("out/in/a")).hasContent("new");
    assertThat(dir.resolve("out/in/b")).hasContent("new");
  }

  /// What the terminal showed.
  private String onTerminal(String command, String keys) throws Exception {
    Path screen = dir.resolve("screen");
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", command, "/dev/null")
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile());
    builder.environment().merge("PATH", ZcpProcess.built() + ":", (old, zcp) -> zcp + old);
    builder.environment().put("SHELL", "/bin/sh");
    Process process = builder.start();
    process.getOutputStream().write(keys.getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
    assertThat(process.waitFor(END_S_MAX, TimeUnit.SECONDS)).isTrue();
    process.getOutputStream().close();
    return Files.readString(screen);
  }
}
