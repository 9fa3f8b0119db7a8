package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProseTest {

  @Test
  void oneIsSingularAndZeroIsPlural() {
    assertThat(Prose.count(0, "file")).isEqualTo("0 files");
    assertThat(Prose.count(1, "file")).isEqualTo("1 file");
    assertThat(Prose.count(2, "file")).isEqualTo("2 files");
  }

  @Test
  void aListEndsWithAnd() {
    assertThat(Prose.list(List.of())).isEmpty();
    assertThat(Prose.list(List.of("a"))).isEqualTo("a");
    assertThat(Prose.list(List.of("a", "b"))).isEqualTo("a and b");
    assertThat(Prose.list(List.of("a", "b", "c"))).isEqualTo("a, b and c");
  }

  @Test
  void aLineIsBrokenWhereTheNextWordWouldNotFit() {
    assertThat(Prose.wrap("12345 789", 9)).containsExactly("12345 789");
    assertThat(Prose.wrap("12345 7890", 9)).containsExactly("12345", "  7890");
  }

  @Test
  void aWordLongerThanALineStaysWhole() {
    assertThat(Prose.wrap("a 1234567890 b", 5)).containsExactly("a", "  1234567890", "  b");
  }
}
