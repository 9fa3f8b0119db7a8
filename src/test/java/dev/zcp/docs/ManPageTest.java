package dev.zcp.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.cli.Command;
import dev.zcp.cli.Commands;
import dev.zcp.cli.OptionConflict;
import dev.zcp.testing.Programs;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ManPageTest {

  private static final Path PAGES = Path.of("man");

  @Test
  void noPageIsFaultedByTheTool() throws Exception {
    List<String> lint = lint();
    assumeThat(lint).as("neither mandoc nor man is installed").isNotEmpty();
    try (Stream<Path> pages = Files.list(PAGES)) {
      for (Path page : pages.sorted().toList()) {
        assertThat(output(lint, page)).as(page.toString()).isEmpty();
      }
    }
  }

  @Test
  void everyPageHasEverySection() {
    List<Command> commands = Commands.all();
    for (Command command : commands) {
      assertThat(
              new ManPage(commands).page(command).lines().filter(line -> line.startsWith(".SH ")))
          .containsSubsequence(
              ".SH NAME",
              ".SH SYNOPSIS",
              ".SH DESCRIPTION",
              ".SH OPTIONS",
              ".SH EXIT STATUS",
              ".SH ENVIRONMENT",
              ".SH EXAMPLES",
              ".SH SEE ALSO");
    }
  }

  @Test
  void whatIsWrittenByHandFollowsWhatTheModelTells() {
    List<Command> commands = Commands.all();
    assertThat(new ManPage(commands).page(commands.getFirst()).lines())
        .containsSubsequence(
            ".SH OPTIONS", ".SH JSON", ".SH EXIT STATUS", "\\fB128+n\\fR", ".PP", ".SH FILES");
  }

  @Test
  void everyOptionOfAConflictIsOneOfACommand() {
    List<Command> commands = Commands.all();
    for (Command command : commands) {
      for (OptionConflict conflict : command.conflicts()) {
        for (String option : conflict.options()) {
          assertThat(commands).as(option).anyMatch(each -> each.spec().findOption(option) != null);
        }
        for (String other : conflict.others()) {
          assertThat(command.spec().findOption(other)).as(other).isNotNull();
        }
      }
    }
  }

  /// The command that prints what is wrong with a page, or nothing where there is none.
  private static List<String> lint() {
    if (Programs.isInstalled("mandoc")) {
      return List.of("mandoc", "-Tlint", "-Wstyle");
    }
    return Programs.isInstalled("man")
        ? List.of("man", "--warnings", "-l", "-Tutf8", "-Z")
        : List.of();
  }

  private static String output(List<String> lint, Path page) throws Exception {
    List<String> command = new ArrayList<>(lint);
    command.add(page.toString());
    boolean mandoc = command.getFirst().equals("mandoc");
    ProcessBuilder builder = new ProcessBuilder(command);
    if (mandoc) {
      builder.redirectErrorStream(true);
    } else {
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }
    Process process = builder.start();
    process.getOutputStream().close();
    InputStream said = mandoc ? process.getInputStream() : process.getErrorStream();
    String text = new String(said.readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
