package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final Table.Mark BEST = new Table.Mark("*", "best", "the best");

  @Test
  void columnsAreAsWideAsWhatIsInThem() {
    Table table = new Table().left("name").right("n", "bytes");
    table.row(List.of("a long name", "1", "2"));
    table.row(List.of("日本", "12345", "7"));
    assertThat(table.lines(80))
        .containsExactly(
            "name             n  bytes", "a long name      1      2", "日本         12345      7");
    assertThat(table.lines(20).getFirst())
        .as("one space apart")
        .isEqualTo("name            n bytes");
  }

  @Test
  void aColumnMayHaveAWidthOfItsOwn() {
    Table table = new Table().left(6, "a").right(4, "b");
    table.row(List.of("x", "1"));
    assertThat(table.lines(80)).containsExactly("a          b", "x          1");
  }

  @Test
  void aMessageIsBrokenBelowItsBeginning() {
    Table table = new Table().left(4, "name").right("n").left("and a header");
    table.row(Table.Mark.NONE, List.of("a", "1"), "one two three four five six");
    assertThat(table.lines(30))
        .containsExactly(
            "name  n  and a header", "a     1  one two three four", "         five six");
  }

  @Test
  void signsStandCloseToTheirRows() {
    Table table = new Table().left("name").signs();
    table.row(BEST, List.of("a"));
    table.row(List.of("b"));
    assertThat(table.lines(80)).containsExactly("  name", "* a", "  b");
  }

  @Test
  void bandsStandAboveWhatTheyJoin() {
    Table table = new Table().left("name").band("times").right("first", "mean").band("");
    table.right("n");
    table.row(List.of("a", "1", "2", "3"));
    assertThat(table.lines(80))
        .containsExactly("      times -----", "name  first  mean  n", "a         1     2  3");
  }

  @Test
  void theSameInHtml() {
    Table table = new Table().left("name").band("times").right("first", "mean").signs();
    table.row(BEST, List.of("<a>", "1", "2"));
    table.row(Table.Mark.NONE, List.of("b"), "failed");
    HtmlPage page = new HtmlPage("title");
    table.write(page, "What was measured");
    assertThat(page.html())
        .contains(
            "<caption>What was measured</caption>",
            "<th scope=\"col\" class=\"number\">times: first</th>"
                + "<th scope=\"col\" class=\"number\">mean</th>",
            "<tr class=\"best\"><th scope=\"row\">&lt;a&gt; <span class=\"badge\">the best</span>"
                + "</th><td class=\"number\">1</td><td class=\"number\">2</td></tr>",
            "<td colspan=\"2\" class=\"words\">failed</td>");
  }

  @Test
  void aRowWithoutAMessageHasAllItsCells() {
    Table table = new Table().left("a", "b");
    assertThatThrownBy(() -> table.row(List.of("x"))).isInstanceOf(IllegalArgumentException.class);
    assertThat(table.isEmpty()).isTrue();
  }
}
