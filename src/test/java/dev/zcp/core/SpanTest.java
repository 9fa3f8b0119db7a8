package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SpanTest {

  @Test
  void neitherOffsetNorLengthNorEndIsBeyondALong() {
    assertThat(new Span(0, 0).isEmpty()).isTrue();
    assertThat(new Span(0, Long.MAX_VALUE).end()).isEqualTo(Long.MAX_VALUE);
    assertThat(new Span(Long.MAX_VALUE, 0).end()).isEqualTo(Long.MAX_VALUE);
    assertThatIllegalArgumentException().isThrownBy(() -> new Span(-1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Span(0, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Span(1, Long.MAX_VALUE));
    assertThatIllegalArgumentException().isThrownBy(() -> new Span(Long.MAX_VALUE, 1));
  }

  @Test
  void skippingGoesUpToTheEndAndNotPastIt() {
    Span span = new Span(10, 5);
    assertThat(span.skip(0)).isEqualTo(span);
    assertThat(span.skip(2)).isEqualTo(new Span(12, 3));
    assertThat(span.skip(5)).isEqualTo(new Span(15, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> span.skip(6));
    assertThatIllegalArgumentException().isThrownBy(() -> span.skip(-1));
  }

  @Test
  void theFirstBytesAreNeverMoreThanThereAre() {
    Span span = new Span(10, 5);
    assertThat(span.first(0)).isEqualTo(new Span(10, 0));
    assertThat(span.first(4)).isEqualTo(new Span(10, 4));
    assertThat(span.first(5)).isEqualTo(span);
    assertThat(span.first(Long.MAX_VALUE)).isEqualTo(span);
    assertThatIllegalArgumentException().isThrownBy(() -> span.first(-1));
  }

  @Test
  void whatComesFirstAndWhatIsLeftAreTheWhole() {
    Span span = new Span(7, 1000);
    for (long bytes = 0; bytes <= span.length(); bytes++) {
      assertThat(span.first(bytes).end()).isEqualTo(span.skip(bytes).offset());
      assertThat(span.skip(bytes).end()).isEqualTo(span.end());
    }
  }

  @Test
  void spansAreEqualByOffsetAndLength() {
    Span span = new Span(7, 1000);
    assertThat(new Span(7, 1000)).isEqualTo(span).hasSameHashCodeAs(span);
    assertThat(new Span(8, 1000)).isNotEqualTo(span).doesNotHaveSameHashCodeAs(span);
    assertThat(new Span(7, 999)).isNotEqualTo(span).doesNotHaveSameHashCodeAs(span);
    assertThat(span).isNotEqualTo(null).isNotEqualTo("7 1000");
  }
}
