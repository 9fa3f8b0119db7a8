package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Event;
import org.junit.jupiter.api.Test;

class UrlLineTest {

  @Test
  void theUrlStandsAloneOnItsLineAndIsFlushed() {
    Page page = new Page();
    UrlLine line = new UrlLine(page.out());
    line.on(new Event.Noted("something else"));
    line.on(new Event.Listening("zcp+plain://KEY@127.0.0.1:5230"));
    assertThat(page.text()).isEqualTo("zcp+plain://KEY@127.0.0.1:5230\n");
  }
}
