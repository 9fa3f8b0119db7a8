package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A run is published because a document says something by it.
class RunsTest {

  private static final Path RUNS = Path.of("bench/runs");
  private static final int RUNS_MAX = 10;

  @Test
  void thereAreAtMostTenAndADocumentCitesEach() throws IOException {
    List<String> runs = names(RUNS);
    assertThat(runs).hasSizeBetween(1, RUNS_MAX);
    assertThat(uncited(runs, documents())).isEmpty();
  }

  @Test
  void aRunThatNoDocumentLinksToIsFound() {
    List<String> runs = List.of("2026-01-01", "2026-01-01-2");
    assertThat(uncited(runs, "[a run](../bench/runs/2026-01-01-2/summary.md)"))
        .containsExactly("2026-01-01");
  }

  private static List<String> uncited(List<String> runs, String documents) {
    List<String> uncited = new ArrayList<>(runs);
    uncited.removeIf(
        run -> Pattern.compile("runs/" + run + "/(README|summary)\\.md").matcher(documents).find());
    return uncited;
  }

  /// All but bench/README.md, which lists the runs.
  private static String documents() throws IOException {
    StringBuilder all = new StringBuilder(Files.readString(Path.of("bench/ARTICLES.md")));
    for (String folder : List.of(".", "docs", "decisions")) {
      for (String name : names(Path.of(folder))) {
        if (name.endsWith(".md")) {
          all.append(Files.readString(Path.of(folder, name)));
        }
      }
    }
    return all.toString();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
