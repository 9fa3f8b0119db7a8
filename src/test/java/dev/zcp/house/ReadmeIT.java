package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The main job of README.md's first command works once the distribution is built.
class ReadmeIT {

  @TempDir Path folder;

  @Test
  void theMainJobThatItTellsFirstCopiesARealFile() throws IOException, InterruptedException {
    String first = Markdown.code(Files.readString(Path.of("README.md")), "sh").getFirst();
    assertThat(first).startsWith("mvn ").contains(" package ", " && target/zcp/bin/zcp copy ");
    List<String> words = List.of(first.substring(first.indexOf(" && ") + 4).split(" "));
    assertThat(words).hasSize(4);
    Path copy = folder.resolve("copy");
    Process zcp =
        new ProcessBuilder(words.get(0), words.get(1), words.get(2), copy.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(zcp.getInputStream().readAllBytes());
    assertThat(zcp.waitFor()).as(said).isZero();
    assertThat(said).startsWith("copied 1 file, ");
    assertThat(copy).hasSameBinaryContentAs(Path.of(words.get(2)));
    assertThat(Path.of(words.get(3))).hasParentRaw(Path.of("target"));
  }
}
