package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {

  private final Page page = new Page();

  @Test
  void withoutAStatusLinesAreJustLines() {
    page.screen().lines(List.of("one", "two"));
    assertThat(page.text()).isEqualTo("one\ntwo\n");
  }

  @Test
  void aLineGoesAboveTheStatus() {
    Screen screen = page.screen();
    screen.status("10%");
    screen.line("one");
    assertThat(page.text()).isEqualTo("10%\r\u001b[Kone\n10%");
  }

  @Test
  void anEmptyStatusErasesTheLastOne() {
    Screen screen = page.screen();
    screen.status("10%");
    screen.status("");
    screen.line("one");
    assertThat(page.text()).isEqualTo("10%\r\u001b[Kone\n");
  }

  @Test
  void theSameStatusIsNotDrawnTwice() {
    Screen screen = page.screen();
    screen.status("10%");
    screen.status("10%");
    assertThat(page.text()).isEqualTo("10%");
  }

  @Test
  void aClosedScreenTakesLinesAndNoStatus() {
    Screen screen = page.screen();
    screen.status("10%");
    screen.close();
    screen.status("20%");
    screen.line("one");
    assertThat(page.text()).isEqualTo("10%\r\u001b[Kone\n");
  }

  @Test
  void whatIsNotAsciiIsEscapedOnlyWhereTheScreenIsAscii() {
    page.screen().line("café 😀.raw");
    page.asciiScreen().line("café 😀.raw");
    assertThat(page.text()).isEqualTo("café 😀.raw\ncaf\\u{e9} \\u{1f600}.raw\n");
  }

  @Test
  void aQuestionKeepsTheStatusAwayUntilItIsAnswered() {
    Screen screen = page.screen();
    screen.status("10%");
    screen.ask("well? ");
    screen.status("20%");
    screen.line("one");
    screen.answered(true);
    screen.status("30%");
    assertThat(page.text()).isEqualTo("10%\r\u001b[Kwell? \r\u001b[Kone\nwell? 30%");
  }

  @Test
  void aQuestionThatNobodyAnsweredIsErased() {
    Screen screen = page.screen();
    screen.ask("well? ");
    screen.answered(false);
    screen.line("one");
    assertThat(page.text()).isEqualTo("well? \r\u001b[Kone\n");
  }
}
