package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each decision is a page of decisions/ with its parts in order, and the index has them all.
class DecisionsTest {

  private static final Path FOLDER = Path.of("decisions");
  private static final String INDEX = "README.md";

  private static final Pattern FILE = Pattern.compile("(\\d{4})-[a-z0-9]+(-[a-z0-9]+)*\\.md");
  private static final Pattern TITLE = Pattern.compile("# (\\d+)\\. (.*[^.])");
  private static final Pattern PARTS =
      Pattern.compile("Problem, Choice(, Turned down)?(, Figures)?");
  private static final Pattern PART = Pattern.compile("(?m)^\\*\\*([^*]+)\\.\\*\\* ");
  private static final Pattern LINK = Pattern.compile("(?m)^- \\[(.*)\\]\\((.*)\\)$");

  /// The text of each page but the index, by its file's name.
  static Map<String, String> pages() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        pages.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    pages.remove(INDEX);
    return pages;
  }

  @Test
  void eachPageHasTheForm() throws IOException {
    List<String> broken = new ArrayList<>();
    pages().forEach((name, text) -> broken.addAll(broken(name, text)));
    assertThat(broken).isEmpty();
  }

  @Test
  void noNumberIsGivenTwice() throws IOException {
    assertThat(pages().keySet().stream().map(name -> name.substring(0, 4)).toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void theIndexHasEveryPageByItsTitle() throws IOException {
    TreeSet<String> linked = new TreeSet<>();
    LINK.matcher(Files.readString(FOLDER.resolve(INDEX)))
        .results()
        .forEach(link -> linked.add(link.group(2) + ": # " + link.group(1)));
    TreeSet<String> titles = new TreeSet<>();
    pages()
        .forEach((name, text) -> titles.add(name + ": " + text.lines().findFirst().orElseThrow()));
    assertThat(linked).isEqualTo(titles);
  }

  @Test
  void aPageWithoutTheFormIsFound() {
    String page = "# 7. A title\n\n**Problem.** One.\n\n**Choice.** Two.\n";
    assertThat(broken("0007-a-title.md", page)).isEmpty();
    assertThat(broken("0007-a-title.md", page + "\n**Figures.** 1 ms.\n")).isEmpty();
    assertThat(broken("7-a-title.md", page)).hasSize(1);
    assertThat(broken("0008-a-title.md", page)).hasSize(1);
    assertThat(broken("0007-a-title.md", page.replace("A title", "A title."))).hasSize(1);
    assertThat(broken("0007-a-title.md", page.replace("Choice", "Answer"))).hasSize(1);
    assertThat(broken("0007-a-title.md", page + "\n**Problem.** Again.\n")).hasSize(1);
  }

  private static List<String> broken(String name, String text) {
    var file = FILE.matcher(name);
    if (!file.matches()) {
      return List.of(name + ": is not named like 0007-a-title.md");
    }
    var title = TITLE.matcher(text.lines().findFirst().orElse(""));
    if (!title.matches() || Integer.parseInt(title.group(1)) != Integer.parseInt(file.group(1))) {
      return List.of(name + ": has no title '# NUMBER. Words' with the number of the file");
    }
    List<String> parts = PART.matcher(text).results().map(part -> part.group(1)).toList();
    return PARTS.matcher(String.join(", ", parts)).matches()
        ? List.of()
        : List.of(name + ": its parts are " + parts);
  }
}
