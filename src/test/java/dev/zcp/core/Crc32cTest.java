package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class Crc32cTest {

  @Test
  void theSumOfTwoRunsIsThatOfBothTogether() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = new byte[random.nextInt(5000)];
      random.nextBytes(bytes);
      int cut = random.nextInt(bytes.length + 1);
      int first = crc32c(bytes, 0, cut);
      int second = crc32c(bytes, cut, bytes.length);
      assertThat(Crc32c.combined(first, second, bytes.length - cut))
          .as("seed %d", seed)
          .isEqualTo(crc32c(bytes, 0, bytes.length));
    }
  }

  @Test
  void zerosAreSummedWithoutBytes() {
    for (int length : new int[] {0, 1, 7, 8, 4095, 4096, 1_000_003}) {
      assertThat(Crc32c.ofZeros(length)).isEqualTo(crc32c(new byte[length], 0, length));
    }
  }

  @Test
  void aRunOfEveryLengthThatAFileMayHaveIsTheSumOfItsHalves() {
    for (int power = 20; power < 62; power++) {
      long half = 1L << power;
      int zeros = Crc32c.ofZeros(half);
      assertThat(Crc32c.combined(zeros, zeros, half)).isEqualTo(Crc32c.ofZeros(2 * half));
    }
  }

  private static int crc32c(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
