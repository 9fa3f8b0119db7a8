package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The commands in README.md are those that there are.
class ReadmeTest {

  private static final Path DOCUMENT = Path.of("README.md");

  @Test
  void itsCommandsSayWhereTheyAreTyped() throws IOException {
    assertThat(commands())
        .hasSize(8)
        .allSatisfy(line -> assertThat(line).containsPattern(" # .*(terminal|machine)"));
  }

  @Test
  void theOptionsOfItsCommandsAreThoseThatThereAre() throws IOException {
    List<String> commands = new ArrayList<>(commands());
    for (List<String> row : Markdown.table(readme(), "task", "command")) {
      String command = row.get(1);
      commands.add(command.substring(command.indexOf("zcp "), command.length() - 1));
    }
    assertThat(commands).hasSizeGreaterThan(10);
    for (String command : commands) {
      String words = command.substring("zcp ".length()).replaceAll(" +#.*", "") + " --help";
      assertThat(Cli.run(words.split(" +"))).as(command).returns(0, Cli.Result::exitCode);
    }
  }

  @Test
  void theWholeCheckIsItsTestCommand() throws IOException {
    assertThat(Markdown.code(readme(), "sh")).contains("build/check");
    assertThat(Path.of(".ci/run")).content().contains("build/check");
    assertThat(Path.of("build/check")).isExecutable();
  }

  private static List<String> commands() throws IOException {
    return Markdown.code(readme(), "sh").stream().filter(line -> line.startsWith("zcp ")).toList();
  }

  private static String readme() throws IOException {
    return Files.readString(DOCUMENT);
  }
}
