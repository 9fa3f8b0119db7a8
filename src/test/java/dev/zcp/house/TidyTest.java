package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TidyTest {

  private static final List<String> MACHINE_FOLDERS =
      List.of(
          Path.of("").toAbsolutePath().toString(),
          System.getProperty("user.home"),
          System.getProperty("java.home"));

  @Test
  void theProjectIsTidy() throws IOException, InterruptedException {
    List<String> broken = new ArrayList<>();
    for (Map.Entry<String, Path> file : ProjectFiles.all().entrySet()) {
      // Bytes that are no UTF-8 become marks of replacement, which break no rule.
      String text = new String(Files.readAllBytes(file.getValue()), StandardCharsets.UTF_8);
      for (Tidy rule : Tidy.rules(MACHINE_FOLDERS)) {
        broken.addAll(rule.broken(file.getKey(), text));
      }
    }
    broken.addAll(ProjectFiles.packagesWithoutDocumentation(ProjectFiles.all().keySet()));
    assertThat(broken).isEmpty();
  }

  @Test
  void theProjectsFilesAreFound() throws IOException, InterruptedException {
    assertThat(ProjectFiles.all())
        .containsKeys("pom.xml", "src/main/java/dev/zcp/core/Span.java", "build/Dist.java");
  }

  @Test
  void whatIsLeftToDoIsFoundAndWordsLikeItAreNot() {
    assertBroken(Tidy.NOTHING_LEFT_TO_DO, "a.txt", "// TO" + "DO: later");
    assertBroken(Tidy.NOTHING_LEFT_TO_DO, "a.sh", "# FIX" + "ME");
    assertBroken(Tidy.NOTHING_LEFT_TO_DO, "a.md", "see X" + "XX");
    assertTidy(Tidy.NOTHING_LEFT_TO_DO, "a.sh", "mktemp -d zcp.XXXXXX; echo AUTODOC");
  }

  @Test
  void aCommentInTheOldStyleIsFoundInMainAlone() {
    assertBroken(Tidy.MARKDOWN_DOCS, "src/main/java/A.java", "  /" + "** Old. */\n");
    assertTidy(Tidy.MARKDOWN_DOCS, "src/test/java/A.java", "  /" + "** Old. */\n");
    assertTidy(Tidy.MARKDOWN_DOCS, "src/main/java/A.java", "/// New: `src/**`\n/* Plain. */\n");
  }

  @Test
  void aTabIsFoundInWhatPeopleWriteAlone() {
    assertBroken(Tidy.NO_TABS, "src/main/java/A.java", "\tint a;");
    assertBroken(Tidy.NO_TABS, ".ci/run", "\techo");
    assertTidy(Tidy.NO_TABS, "src/test/resources/transcripts/copy", "a\tb");
  }

  @ParameterizedTest
  @CsvSource({
    "import java.util.*;, true",
    "import static java.util.Map.*;, true",
    "import java.util.Map;, false"
  })
  void aWildcardImportIsFound(String text, boolean isBroken) {
    assertThat(Tidy.EXPLICIT_IMPORTS.broken("A.java", text)).hasSize(isBroken ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "final class CopierIm, pl, true",
    "record FileMan, ager, true",
    "interface He, lper, true",
    "enum PathUt, ils, true",
    "class Ut, il, true",
    "class Utility, '', false",
    "class Managers, '', false",
  })
  void aNameThatSaysNothingIsFound(String start, String end, boolean isBroken) {
    assertThat(Tidy.TELLING_NAMES.broken("A.java", start + end + " {")).hasSize(isBroken ? 1 : 0);
  }

  @Test
  void aDocumentHasOneTitleNeitherNoneNorTwo() {
    assertBroken(Tidy.ONE_TITLE, "a.md", "## Part\n");
    assertBroken(Tidy.ONE_TITLE, "a.md", "# One\n# Two\n");
    assertTidy(Tidy.ONE_TITLE, "a.md", "# One\n```\n# a comment\n```\n## Part\n");
  }

  @Test
  void aDocumentThatAllShouldReadIsShort() {
    assertBroken(Tidy.SHORT_DOCUMENTS, "README.md", "word, ".repeat(1_121));
    assertTidy(Tidy.SHORT_DOCUMENTS, "README.md", "word | - ┊ ".repeat(1_120));
    assertBroken(Tidy.SHORT_DOCUMENTS, "ARCHITECTURE.md", "word ".repeat(2_001));
    assertTidy(Tidy.SHORT_DOCUMENTS, "ARCHITECTURE.md", "word ".repeat(2_000));
    assertTidy(Tidy.SHORT_DOCUMENTS, "decisions/README.md", "word ".repeat(2_001));
  }

  @Test
  void aRegistryIsFound() {
    String host = String.join(".", "repo1", "maven", "org");
    assertBroken(Tidy.NO_REGISTRIES, "pom.xml", "<url>https://" + host + "/maven2</url>");
    assertTidy(Tidy.NO_REGISTRIES, "pom.xml", "http://maven.apache.org/POM/4.0.0");
  }

  @Test
  void aPathOfTheMachineIsFound() {
    Tidy rule = Tidy.noMachinePaths(List.of("/build/agent-7/zcp", "/src"));
    assertBroken(rule, "a.md", "see /build/agent" + "-7/zcp/pom.xml");
    assertBroken(rule, "a.md", "in '/ho" + "me/ann'");
    assertBroken(rule, "a.md", "in /ro" + "ot/notes");
    assertTidy(rule, "a.md", "/build/agent-70/zcp, /src/main, target/home/ann, /home/$USER");
  }

  @Test
  void aPackageWithoutDocumentationIsFound() {
    List<String> files =
        List.of(
            "src/main/java/dev/a/A.java",
            "src/main/java/dev/a/package-info.java",
            "src/main/java/dev/b/B.java",
            "src/main/resources/c/c.txt");
    assertThat(ProjectFiles.packagesWithoutDocumentation(files))
        .containsExactly("src/main/java/dev/b: a package has a package-info.java");
  }

  private static void assertBroken(Tidy rule, String path, String text) {
    assertThat(rule.broken(path, text)).as(text).hasSize(1);
  }

  private static void assertTidy(Tidy rule, String path, String text) {
    assertThat(rule.broken(path, text)).as(text).isEmpty();
  }
}
