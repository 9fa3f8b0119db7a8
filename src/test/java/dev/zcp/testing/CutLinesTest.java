package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CutLinesTest {

  @Test
  void aFailedAssertionPrintsTheEndsOfALongLineAndAllOfAShortOne() {
    String text = "short\n{" + "x".repeat(30_000) + "}\n";
    assertThatThrownBy(() -> assertThat(text).contains("missing"))
        .hasMessageContaining("short\n{xxx")
        .hasMessageContaining("xxx}")
        .hasMessageContaining("[and 29202 characters]")
        .extracting(error -> error.getMessage().length())
        .matches(length -> length < 1_000, "is brief");
  }
}
