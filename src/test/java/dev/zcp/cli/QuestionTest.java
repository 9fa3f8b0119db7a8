package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.cli.Reports.Question;
import dev.zcp.report.Screen;
import dev.zcp.testing.Cli;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  @ParameterizedTest
  @ValueSource(strings = {"y\n", "Y\n", "yes\n", " Yes \r\n", "y"})
  void yesIsYes(String typed) {
    assertThat(question(typed).isGiven("replace b?")).isTrue();
    assertThat(shown.toString(StandardCharsets.UTF_8)).startsWith("zcp: replace b? (y/n) ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n\n", "\n", "", "yy\n", "yes please\n", "no\n", "\u0435\n"})
  void allElseIsNo(String typed) {
    assertThat(question(typed).isGiven("replace b?")).isFalse();
  }

  @Test
  void eachQuestionTakesALineOfItsOwn() {
    Question question = question("y\n" + "y".repeat(10_000) + "\ny\n");
    assertThat(question.isGiven("a?")).isTrue();
    assertThat(question.isGiven("b?")).isFalse();
    assertThat(question.isGiven("c?")).isTrue();
    assertThat(question.isGiven("d?")).isFalse();
  }

  @Test
  void answersComeFromAPipeToo(@TempDir Path dir) throws Exception {
    Path source = Files.writeString(dir.resolve("a"), "new");
    Path target = Files.writeString(dir.resolve("b"), "old");
    Cli.Result no = copyInteractively("n\n", source, target);
    assertThat(no.exitCode()).isZero();
    assertThat(no.err()).startsWith("zcp: replace " + target + "? (y/n)\n");
    assertThat(target).hasContent("old");
    assertThat(copyInteractively("", source, target).exitCode()).isZero();
    assertThat(target).hasContent("old");
    assertThat(copyInteractively("y\n", source, target).exitCode()).isZero();
    assertThat(target).hasContent("new");
  }

  private static Cli.Result copyInteractively(String answers, Path source, Path target) {
    return Cli.run(
        answers.getBytes(StandardCharsets.US_ASCII), "copy", "-i", "" + source, "" + target);
  }

  private Question question(String typed) {
    Screen screen =
        new Screen(new PrintStream(shown, true, StandardCharsets.UTF_8), true, () -> 80);
    return new Question(
        screen, new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)), true);
  }
}
