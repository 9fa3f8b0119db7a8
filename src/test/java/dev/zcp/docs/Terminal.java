package dev.zcp.docs;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// An interactive shell on a terminal of its own, by script(1), in a directory of its own. Its
/// setup must bind Ctrl-T to write the line as it stands to `$LINE`.
final class Terminal implements Closeable {

  private static final long ANSWER_MS_MAX = 60_000;
  private static final long POLL_MS = 10;

  private final Path line;
  private final Process process;
  private final OutputStream keys;

  /// @param setup commands, one a line, that the shell runs before the first key
  Terminal(String shell, Path directory, Map<String, String> environment, String setup)
      throws IOException, InterruptedException {
    line = directory.resolve(".line");
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", shell, "/dev/null")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(".screen").toFile());
    builder.environment().putAll(environment);
    builder.environment().putAll(Map.of("LINE", line.toString(), "TERM", "dumb", "PS1", ""));
    builder.environment().put("HOME", directory.toString());
    process = builder.start();
    keys = process.getOutputStream();
    type(setup + "\necho ready > .line\n");
    answer();
  }

  /// Types `keys` on an empty line and returns the line that the shell made of them.
  String after(String keys) throws IOException, InterruptedException {
    type(keys + "\u0014");
    String text = answer();
    // Ctrl-U empties the line in bash, the whole buffer in zsh.
    type("\u0015");
    return text;
  }

  private void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  private String answer() throws IOException, InterruptedException {
    for (long waited = 0; waited < ANSWER_MS_MAX; waited += POLL_MS) {
      if (Files.exists(line) && Files.readString(line).endsWith("\n")) {
        String text = Files.readString(line).stripTrailing();
        Files.delete(line);
        return text;
      }
      Thread.sleep(POLL_MS);
    }
    throw new IOException("no answer: " + Files.readString(line.resolveSibling(".screen")));
  }

  @Override
  public void close() throws IOException {
    keys.close();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
