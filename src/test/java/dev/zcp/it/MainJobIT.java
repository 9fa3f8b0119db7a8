package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// The main job, by the script that anybody can run alone: `src/it/main-job`.
class MainJobIT {

  @Test
  void everyStrategyDoesTheMainJobOnRealInput() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("src/it/main-job", "target/zcp", System.getProperty("java.home"))
            .redirectErrorStream(true)
            .start();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // It takes minutes: whoever waits sees how far it is.
        System.out.println(line);
        output.append(line).append('\n');
      }
      assertThat(process.waitFor()).as(output.toString()).isZero();
    } finally {
      // By SIGTERM, at which the script cleans up after itself.
      process.destroy();
    }
    assertThat(output.toString().lines().toList().getLast())
        .matches("\\d\\d+ passed, 0 failed, \\d+ skipped");
  }
}
