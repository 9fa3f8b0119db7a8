package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WidthTest {

  @ParameterizedTest
  @CsvSource({"abc, 3", "µs, 2", "日本, 4", "😀, 2", "█┊…, 3", "ｱ, 1", "Ａ, 2"})
  void aTextIsAsWideAsTheTerminalDrawsIt(String text, int columns) {
    assertThat(Width.of(text)).isEqualTo(columns);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 0123456789, 0123456789",
    "9, 0123, 6789",
    "8, 0123, 789",
  })
  void aNameThatDoesNotFitIsCutInTheMiddle(int columns, String head, String tail) {
    String cut = Width.cutMiddle("0123456789", columns, true);
    assertThat(cut).isEqualTo(columns == 10 ? head : head + "…" + tail);
    assertThat(Width.of(cut)).isLessThanOrEqualTo(columns);
  }

  @Test
  void withoutUnicodeTheEllipsisIsThreeDots() {
    assertThat(Width.cutMiddle("0123456789", 9, false)).isEqualTo("012...789");
  }

  @Test
  void aWideCharacterIsNeverCutInTwo() {
    for (int columns = 0; columns < 20; columns++) {
      String cut = Width.cutMiddle("日本語😀の長い名前😀.raw", columns, true);
      assertThat(Width.of(cut)).isLessThanOrEqualTo(columns);
      assertThat(cut.codePoints()).noneMatch(c -> c >= 0xd800 && c < 0xe000);
    }
  }
}
