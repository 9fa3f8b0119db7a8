package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "4096, 4096",
    "4096B, 4096",
    "64K, 65536",
    "64k, 65536",
    "64KB, 65536",
    "64KiB, 65536",
    "64kib, 65536",
    "1M, 1048576",
    "2G, 2147483648",
    "3T, 3298534883328",
    "1P, 1125899906842624",
    "7E, 8070450532247928832",
    "' 8K ', 8192",
    "007, 7",
  })
  void aSizeIsDigitsAndAtMostOneSuffix(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "K", "banana", "-1", "+1", "1.5M", "1 K", "1KK", "1Ki", "1X", "1bib", "0x10", "١"
      })
  void whatIsNoSizeIsRefusedWithItsText(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'" + text + "' is not a size; use a number of bytes such as 4096, 64K, 1M or 2G");
  }

  @Test
  void theLargestLongIsASizeAndOneMoreIsTooLarge() {
    assertThat(ByteSize.parse("9223372036854775807").bytes()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> ByteSize.parse("9223372036854775808"))
        .hasMessage("'9223372036854775808' is too large");
  }

  @Test
  void sevenExbibytesFitAndEightDoNot() {
    assertThat(ByteSize.parse("7E").bytes()).isEqualTo(7L << 60);
    assertThatThrownBy(() -> ByteSize.parse("8E")).hasMessage("'8E' is too large");
  }

  @Test
  void zeroIsASizeAndLessIsNone() {
    assertThat(new ByteSize(0)).hasToString("0 B");
    assertThatThrownBy(() -> new ByteSize(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1023, 1023 B",
    "1024, 1.00 KiB",
    "1536, 1.50 KiB",
    "10234, 9.99 KiB",
    "10235, 10.0 KiB",
    "102348, 99.9 KiB",
    "102349, 100 KiB",
    "1048575, 1024 KiB",
    "1048576, 1.00 MiB",
    "4294967296, 4.00 GiB",
    "9223372036854775807, 8.00 EiB",
  })
  void threeFiguresAreShownOnBothSidesOfEachBoundary(long bytes, String text) {
    assertThat(new ByteSize(bytes)).hasToString(text);
  }
}
