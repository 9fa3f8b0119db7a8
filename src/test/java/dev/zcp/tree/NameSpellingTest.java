package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameSpellingTest {

  @Test
  void aNameIsFoundByItsOtherCaseADotMoreAndOtherAccents() {
    assertThat(others("Ab1")).containsExactlyInAnyOrder("aB1", "Ab1.");
    assertThat(others("\u0424")).containsExactlyInAnyOrder("\u0444", "\u0424.");
    assertThat(others("1\u00e9")).containsExactlyInAnyOrder("1\u00c9", "1\u00e9.", "1e\u0301");
    assertThat(others("12")).containsExactly("12.");
  }

  @Test
  void aSpellingThatNoFileSystemTakesIsLeftOut() {
    String longest = "1".repeat(255);
    assertThat(others(longest)).isEmpty();
    // What FAT counts in UTF-16.
    String longer = "\u0444".repeat(200);
    assertThat(others(longer)).containsExactly("\u0424".repeat(200));
  }

  @Test
  void ofANameThatIsNoTextTheAsciiLettersHaveTwoCases() {
    byte[] name = {'a', (byte) 0xe9, 'Z'};
    assertThat(NameSpelling.others(name))
        .containsExactlyInAnyOrder(
            new byte[] {'A', (byte) 0xe9, 'z'}, new byte[] {'a', (byte) 0xe9, 'Z', '.'});
  }

  @Test
  void namesAreAlikeUpToCaseAccentsAndDotsAtTheEnd() {
    assertThat(areAlike("R.E.M.", "r.e.m")).isTrue();
    assertThat(areAlike("STRASSE", "stra\u00dfe")).isTrue();
    assertThat(areAlike("\u00c9", "e\u0301")).isTrue();
    assertThat(areAlike("a.b", "ab")).isFalse();
    assertThat(areAlike("e", "\u00e9")).isFalse();
  }

  private static List<String> others(String name) {
    return NameSpelling.others(bytes(name)).stream()
        .map(each -> new String(each, StandardCharsets.UTF_8))
        .toList();
  }

  private static boolean areAlike(String one, String other) {
    return NameSpelling.areAlike(bytes(one), bytes(other));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
