package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimePrecisionTest {

  @Test
  void aTimeMayBeCutToAStepThatFileSystemsCountIn() {
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123456789Z")).isTrue();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123456700Z")).isTrue();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123456Z")).isTrue();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123Z")).isTrue();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09Z")).isTrue();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:08Z")).isTrue();
  }

  @Test
  void anyOtherTimeIsAnother() {
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123456788Z")).isFalse();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.124Z")).isFalse();
    assertThat(kept("2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:10Z")).isFalse();
    assertThat(kept("2024-05-06T07:08:08Z", "2024-05-06T07:08:06Z")).isFalse();
    assertThat(kept("2024-05-06T07:08:09Z", "2024-05-06T07:08:08.5Z")).isFalse();
  }

  @Test
  void itHoldsBefore1970() {
    assertThat(kept("1901-02-03T04:05:07.123456789Z", "1901-02-03T04:05:07.1234567Z")).isTrue();
    assertThat(kept("1901-02-03T04:05:07.5Z", "1901-02-03T04:05:06Z")).isTrue();
    assertThat(kept("1901-02-03T04:05:07.5Z", "1901-02-03T04:05:08Z")).isFalse();
  }

  private static boolean kept(String source, String target) {
    return Metadata.isTimeKept(
        FileTime.from(Instant.parse(source)), FileTime.from(Instant.parse(target)));
  }
}
