package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import dev.zcp.wire.Held;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoverageTest {

  private final Coverage coverage = new Coverage();

  @Test
  void piecesInAnyOrderJoinToTheWholeAndItsDigest() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Cells cells = Cells.random(random, 1, 400);
    List<Span> spans = new ArrayList<>();
    for (long at = 0; at < 400; at += 8) {
      spans.add(new Span(at, 8));
    }
    Collections.shuffle(spans, random);
    for (Span each : spans) {
      assertThat(coverage.isWhole(400)).isFalse();
      coverage.add(each, cells.at(each).crc32c());
    }
    assertThat(coverage.isWhole(400)).isTrue();
    assertThat(coverage.isWhole(399)).isFalse();
    assertThat(coverage.isWhole(401)).isFalse();
    assertThat(coverage.crc32c()).as("seed %d", seed).isEqualTo(cells.crc32c());
    assertThat(coverage.pieces()).isEqualTo(1);
  }

  @Test
  void anEmptyFileIsWholeAtOnce() {
    assertThat(coverage.isWhole(0)).isTrue();
    assertThat(coverage.crc32c()).isZero();
  }

  @Test
  void whatIsHeldCountsUntilItIsWrittenOver() {
    coverage.hold(new Held(new Span(0, 10), 1));
    coverage.hold(new Held(new Span(10, 10), 2));
    assertThat(coverage.isWhole(20)).isTrue();
    coverage.drop(new Span(5, 2));
    assertThat(coverage.isWhole(20)).isFalse();
    coverage.add(new Span(0, 10), 3);
    assertThat(coverage.isWhole(20)).isTrue();
    assertThat(coverage.crc32c()).isEqualTo(Crc32c.combined(3, 2, 10));
  }

  @Test
  void aBlockThatOverlapsAnotherIsTold() {
    coverage.add(new Span(10, 10), 1);
    assertThat(coverage.straddles(new Span(5, 5))).isFalse();
    assertThat(coverage.straddles(new Span(5, 6))).isTrue();
    assertThat(coverage.straddles(new Span(10, 10))).isFalse();
    assertThat(coverage.contains(new Span(12, 3))).isTrue();
    assertThat(coverage.straddles(new Span(19, 2))).isTrue();
    assertThat(coverage.straddles(new Span(20, 2))).isFalse();
    assertThat(coverage.straddles(new Span(0, 100))).isTrue();
  }
}
