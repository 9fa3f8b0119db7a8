package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts that are as they were looked at and found good: files of `src/test/resources/bench`. With
/// `-Dzcp.golden=write` they are written anew.
public final class Golden {

  private static final Path FOLDER = Path.of("src/test/resources/bench");

  private Golden() {}

  public static void check(String name, String text) throws IOException {
    check(FOLDER.resolve(name), text);
  }

  /// Of a file elsewhere in the project.
  public static void check(Path file, String text) throws IOException {
    if ("write".equals(System.getProperty("zcp.golden"))) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    String golden = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    assertThat(text).as("what %s holds", file).isEqualTo(golden);
  }
}
