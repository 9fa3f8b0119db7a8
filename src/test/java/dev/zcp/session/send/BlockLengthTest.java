package dev.zcp.session.send;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BlockLengthTest {

  private static final long MIB = 1 << 20;
  private static final long SECOND_NS = 1_000_000_000L;

  private final BlockLength length = new BlockLength();

  @Test
  void blocksThatAreGoneAtOnceDoubleUpToTheLongest() {
    for (int i = 0; i < 10; i++) {
      length.took(length.bytes(), 1);
    }

    assertEquals(BlockLength.BYTES_MAX, length.bytes());
  }

  @Test
  void blocksThatTakeLongHalveDownToTheShortest() {
    for (int i = 0; i < 10; i++) {
      length.took(length.bytes(), 100 * SECOND_NS);
    }

    assertEquals(BlockLength.BYTES_MIN, length.bytes());
  }

  @Test
  void aSteadyRateFindsTheLengthOfAFifthOfASecond() {
    for (int i = 0; i < 10; i++) {
      length.took(length.bytes(), length.bytes() * SECOND_NS / (50 * MIB));
    }

    assertEquals(10 * MIB, length.bytes());
  }

  @Test
  void theShortEndOfAFileSaysNothing() {
    length.took(MIB, 1);

    assertEquals(BlockLength.BYTES_FIRST, length.bytes());
  }
}
