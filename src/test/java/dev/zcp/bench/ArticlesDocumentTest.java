package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// bench/ARTICLES.md has a picture for each claim, drawn from the run that it names.
class ArticlesDocumentTest {

  private static final Path DOCUMENT = Path.of("bench/ARTICLES.md");
  private static final Path PICTURES = Path.of("bench/articles");
  private static final Pattern RUN = Pattern.compile("\\(runs/([0-9-]+)/README\\.md\\)");

  @Test
  void thePicturesAreThoseOfTheRun() throws IOException {
    List<ArticleCharts.Drawn> drawn = ArticleCharts.of(run());
    for (ArticleCharts.Drawn each : drawn) {
      Golden.check(PICTURES.resolve(each.fileName()), each.svg());
    }
    try (Stream<Path> files = Files.list(PICTURES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              drawn.stream().map(ArticleCharts.Drawn::fileName).toList());
    }
  }

  /// So the test above would see it.
  @Test
  void anotherFigureWouldBeAnotherPicture() throws IOException {
    List<String> run = run();
    List<String> slower = new ArrayList<>(run);
    slower.replaceAll(
        line -> line.contains("A2 transferTo") ? line.replaceFirst(",([0-9.]+)$", ",9$1") : line);
    assertThat(ArticleCharts.of(slower)).isNotEqualTo(ArticleCharts.of(run));
  }

  @Test
  void eachClaimHasItsPictureAndTheCommandThatRepeatsIt() throws IOException {
    List<String> sections = List.of(Files.readString(DOCUMENT).split("\n## "));
    for (ArticleCharts.Drawn each : ArticleCharts.of(run())) {
      String picture = "](articles/" + each.fileName() + ")";
      String command =
          each.articles().stream()
              .map(Article::name)
              .collect(Collectors.joining(",", "`zcp bench --article=", "`"));
      assertThat(sections.stream().filter(section -> section.contains(picture)))
          .as(picture)
          .singleElement()
          .satisfies(section -> assertThat(section).contains(command, "**Who was right:**"));
    }
  }

  /// The lines of what the document says that it is about.
  private static List<String> run() throws IOException {
    Matcher run = RUN.matcher(Files.readString(DOCUMENT));
    assertThat(run.find()).isTrue();
    return Files.readAllLines(Path.of("bench/runs", run.group(1), "raw.csv"));
  }
}
