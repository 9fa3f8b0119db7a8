package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrategiesTest {

  private static final String LONG_TEXT =
      "read(2) into a direct buffer, then write(2) from it: two calls and two copies";

  private record Named(String name, String summary, Model model) implements TransferStrategy {

    @Override
    public Verdict judge(Route route) {
      throw new AssertionError("the table asks the survey");
    }

    @Override
    public Mover open(Source source, Sink sink) {
      throw new AssertionError("the table moves nothing");
    }
  }

  private static final TransferStrategy FIRST = new Named("first", "one call", new Model(2, 0, 0));
  private static final TransferStrategy SECOND =
      new Named("aSecondOneOfLongName", LONG_TEXT, new Model(10, 2, 12));

  @Test
  void theCostsStandInColumnsOfEighty() {
    assertThat(StrategiesCommand.costs(List.of(FIRST, SECOND)).lines())
        .containsExactly(
            "STRATEGY              SWITCHES  U/K  K/K  WHAT CARRIES A BYTE",
            "first                        2    0    0  one call",
            "aSecondOneOfLongName        10    2   12  read(2) into a direct buffer, then",
            "                                          write(2) from it: two calls and two",
            "                                          copies",
            "",
            "SWITCHES: mode switches for one chunk to a socket. U/K: copies between user and",
            "kernel memory. K/K: copies inside the kernel.");
  }

  @Test
  void aLineIsFilledUpToTheLastColumnAndNoFurther() {
    String word = "x".repeat(Help.COLUMNS - 3);
    assertThat(wrapped(word + " 12")).isEqualTo(word + " 12\n");
    assertThat(wrapped(word + " 123")).isEqualTo(word + "\n123\n");
    assertThat(wrapped("1 " + "x".repeat(90))).isEqualTo("1\n" + "x".repeat(90) + "\n");
    assertThat(wrapped("")).isEqualTo("\n");
  }

  private static String wrapped(String text) {
    StringBuilder target = new StringBuilder();
    Help.append(target, text, 0);
    return target.toString();
  }
}
