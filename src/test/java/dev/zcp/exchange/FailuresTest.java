package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Part;
import org.junit.jupiter.api.Test;

class FailuresTest {

  private static final long APART = 1 << 18;

  private final Failures failures = new Failures();

  /// The texts alone took 20 MB.
  @Test
  void ofLongTextsTheBeginningIsKept() {
    String text = "no room ".repeat(Limits.TEXT_BYTES_MAX / 8);
    long chars = 0;
    for (int id = 0; id < Limits.ENTRIES_UNDER_WAY_MAX; id++) {
      failures.add(Answer.failed(id, ExitCode.DESTINATION, text));
      Answer kept = failures.answer(id);
      assertThat(kept.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(text).startsWith(kept.text());
      chars += kept.text().length();
    }
    assertThat(chars).isBetween(2_000_000L, 3_000_000L);
  }

  /// A million of them took 67 MB.
  @Test
  void ofFailuresApartTheEldestAreForgotten() {
    for (long id = 0; id < APART; id++) {
      failures.add(Answer.failed(2 * id, ExitCode.SOURCE, "gone"));
    }
    assertThat(failures.failure(0)).isNull();
    assertThat(failures.failure(2 * (APART - 1)).text()).isEqualTo("gone");
    int files = Limits.PARTS_UNDER_WAY_MAX * Part.FILES_MAX;
    assertThat(failures.failure(2 * (APART - files)).text()).isEqualTo("failed before, long ago");
  }
}
