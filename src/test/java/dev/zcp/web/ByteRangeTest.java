package dev.zcp.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ranges of RFC 9110, of a file of 100 bytes.
class ByteRangeTest {

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, 1",
    "bytes=5-, 5, 95",
    "bytes=5-1000, 5, 95",
    "bytes=99-, 99, 1",
    "bytes=-3, 97, 3",
    "bytes=-1000, 0, 100",
  })
  void aRangeIsServed(String header, long start, long bytes) {
    assertThat(ByteRange.of(header, 100))
        .isEqualTo(new ByteRange(start, bytes, false))
        .returns(true, ByteRange::isThere);
  }

  @ParameterizedTest
  @CsvSource({"bytes=100-", "bytes=-0", "bytes=100-200"})
  void whatIsNotThereIsRefused(String header) {
    assertThat(ByteRange.of(header, 100).isThere()).isFalse();
    assertThat(ByteRange.of(header, 100).header(100)).isEqualTo("bytes */100");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=5-4",
    "bytes=a-b",
    "bytes=",
    "bytes=-",
    "bytes=1",
    "lines=1-2",
    "'bytes=1-2,4-5'",
    "bytes=99999999999999999999-",
    "bytes=--5",
    "bytes=+1-2",
    "bytes=1-x"
  })
  void ofWhatIsNoRangeAllIsServed(String header) {
    assertThat(ByteRange.of(header, 100)).isEqualTo(new ByteRange(0, 100, true));
    assertThat(ByteRange.of(null, 100).isWhole()).isTrue();
  }
}
