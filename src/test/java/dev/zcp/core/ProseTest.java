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
    assertThat(Prose.count(12_345, "file")).isEqualTo("12,345 files");
    assertThat(Prose.grouped(999)).isEqualTo("999");
    assertThat(Prose.grouped(1_000)).isEqualTo("1,000");
    assertThat(Prose.grouped(123_456)).isEqualTo("123,456");
    assertThat(Prose.grouped(Long.MAX_VALUE)).isEqualTo("9,223,372,036,854,775,807");
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
