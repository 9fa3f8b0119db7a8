package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

  private static final List<String> STRATEGIES =
      List.of("copyFileRange", "direct", "heap", "mmap", "reflink", "splice", "transferTo");

  private static final List<String> COMMANDS = List.of("bench", "copy", "plan", "receive", "send");

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
    "mpa,           mmap",
  })
  void aSlipOfTheFingersFindsItsWord(String typed, String meant) {
    assertThat(Nearest.to(typed, STRATEGIES)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"cp, copy", "copi, copy", "sned, send", "recv, receive", "scp, copy"})
  void soDoesACommandThatSomebodyKnowsByAnotherName(String typed, String meant) {
    assertThat(Nearest.to(typed, COMMANDS)).contains(meant);
  }

  @Test
  void wordsOfWhichOnlySomeLettersStandInTheSamePlacesAreNotNear() {
    assertThat(Nearest.to("sync", COMMANDS)).isEmpty();
    assertThat(Nearest.to("scan", COMMANDS)).isEmpty();
  }

  @Test
  void someLettersMayBeMissingOrOthersAndNoMore() {
    assertThat(Nearest.to("sp", List.of("splice"))).contains("splice");
    assertThat(Nearest.to("s", List.of("splice"))).isEmpty();
    assertThat(Nearest.to("abcice", List.of("splice"))).isEmpty();
    assertThat(Nearest.to("abplice", List.of("splice"))).contains("splice");
  }

  @Test
  void nothingComesNearNothing() {
    assertThat(Nearest.to("mmap", List.of())).isEmpty();
    assertThat(Nearest.to("", STRATEGIES)).isEmpty();
    assertThat(Nearest.to("banana", STRATEGIES)).isEmpty();
  }
}
