package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

  private static final List<String> STRATEGIES =
      List.of("copyFileRange", "direct", "heap", "mmap", "reflink", "splice", "transferTo");

  @ParameterizedTest
  @CsvSource({
    "mmpa,          mmap",
    "mmap,          mmap",
    "MMAP,          mmap",
    "transferto,    transferTo",
    "transfer-to,   transferTo",
    "transferr,     transferTo",
    "slice,         splice",
    "copyfilerange, copyFileRange",
    "reflnik,       reflink",
    "hep,           heap",
  })
  void aSlipOfTheFingersFindsItsWord(String typed, String meant) {
    assertThat(Nearest.to(typed, STRATEGIES)).contains(meant);
  }

  @Test
  void halfTheLettersMayBeWrongAndNoMore() {
    assertThat(Nearest.to("abcice", List.of("splice"))).contains("splice");
    assertThat(Nearest.to("abcdce", List.of("splice"))).isEmpty();
    assertThat(Nearest.to("spl", List.of("splice"))).contains("splice");
    assertThat(Nearest.to("sp", List.of("splice"))).isEmpty();
  }

  @Test
  void aWordOfOneLetterMayBeOneLetterOff() {
    assertThat(Nearest.to("b", List.of("a"))).contains("a");
    assertThat(Nearest.to("bc", List.of("a"))).isEmpty();
  }

  @Test
  void nothingComesNearNothing() {
    assertThat(Nearest.to("mmap", List.of())).isEmpty();
    assertThat(Nearest.to("", STRATEGIES)).isEmpty();
    assertThat(Nearest.to("banana", STRATEGIES)).isEmpty();
  }
}
