package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each fragment of the change log has the form that CHANGELOG.md asks for, so that fragments can
/// be put together as they are. The tenses are for a reader to check.
class ChangelogTest {

  private static final Path FRAGMENTS = Path.of("changelog/unreleased");

  private static final String SOUND = "# New: copy a file\n\nIt was slow.\n\nIt is\nfast.\n";

  @Test
  void eachFragmentHasTheForm() throws IOException {
    List<String> broken = new ArrayList<>();
    try (Stream<Path> files = Files.list(FRAGMENTS)) {
      for (Path file : files.sorted().toList()) {
        broken.addAll(broken(file.getFileName().toString(), Files.readString(file)));
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void aSoundFragmentIsSound() {
    assertThat(broken("fast-copy.md", SOUND)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Fast.md", "fast.txt", "fast copy.md", "fast_copy.md"})
  void aNameThatIsNotWordsAndHyphensIsFound(String name) {
    assertThat(broken(name, SOUND)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# Copy a file\n\nIt was.\n\nIt is.\n",
        "# New: copy a file.\n\nIt was.\n\nIt is.\n",
        "# New: copy a file\n\nIt is.\n",
        "# New: copy a file\n\nIt was.\n\nIt is.\n\nAnd more.\n",
        "# New: copy a file\n\nIt was\n\nIt is.\n",
        "# New: copy a file\n\nIt was.\n\nIt is.",
        "",
      })
  void aTextWithoutKindProblemOrBehaviourIsFound(String text) {
    assertThat(broken("fast.md", text)).hasSize(1);
  }

  private static List<String> broken(String name, String text) {
    List<String> broken = new ArrayList<>();
    if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*\\.md")) {
      broken.add(name + ": small letters, digits and hyphens, and .md");
    }
    if (!text.matches("# (New|Change|Fix): .*[^.\\n]\\n(\\n([^\\n#]+\\n)*[^\\n#]+\\.\\n){2}")) {
      broken.add(name + ": '# New: ...', the problem that was, the behaviour that is");
    }
    return broken;
  }
}
