package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/// Tests that are told by scripts, in which `$ZCP` is the built zcp. One that ends with 77 may not
/// mount, and is skipped.
abstract class Scenes {

  private static final long RUN_S_MAX = 60;

  @TempDir Path folder;

  void assertSays(String expected, String text) throws Exception {
    assertThat(script(text)).isEqualTo(expected);
  }

  void assertSaysToNobody(String expected, String text) throws Exception {
    assertThat(asNobody(text)).isEqualTo(expected);
  }

  String script(String text) throws Exception {
    return run(text, "sh", "-c");
  }

  String asNobody(String text) throws Exception {
    assumeTrue(Programs.isRoot(), "only root may become nobody");
    Programs.run("chown", "65534:65534", folder.toString());
    return run(text, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c");
  }

  String run(String text, String... shell) throws IOException, InterruptedException {
    String[] words = Arrays.copyOf(shell, shell.length + 1);
    words[shell.length] = text;
    Path out = Files.createTempFile("like-cp", "");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    BuiltZcp.forgetSettings(builder.environment());
    builder.environment().put("ZCP", BuiltZcp.LAUNCHER.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(RUN_S_MAX, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String said = Files.readString(out, StandardCharsets.ISO_8859_1);
    Files.delete(out);
    assertThat(ended).as("it ended; it said %s", said).isTrue();
    assumeTrue(process.exitValue() != 77, "this process may not mount");
    return said;
  }
}
