package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// When a target has the time of its source. Its own file system's step shows in the time of its
/// last change, which nobody can set.
class FileAgeTest {

  private static final String SOURCE = "2024-05-06T07:08:09.123456789Z";
  private static final String FINE = "2024-05-06T08:00:00.987654321Z";

  @Test
  void aTimeMayBeCutToTheStepThatTheFileSystemCountsIn() {
    assertThat(kept(SOURCE, SOURCE, FINE)).isTrue();
    assertThat(kept(SOURCE, "2024-05-06T07:08:09.1234567Z", "2024-05-06T08:00:00.9876543Z"))
        .isTrue();
    assertThat(kept(SOURCE, "2024-05-06T07:08:09.123456Z", "2024-05-06T08:00:00.987654Z")).isTrue();
    assertThat(kept(SOURCE, "2024-05-06T07:08:09.123Z", "2024-05-06T08:00:00.987Z")).isTrue();
    assertThat(kept(SOURCE, "2024-05-06T07:08:09Z", "2024-05-06T08:00:01Z")).isTrue();
    assertThat(kept(SOURCE, "2024-05-06T07:08:08Z", "2024-05-06T08:00:00Z")).isTrue();
  }

  @Test
  void aFileSystemThatCountsInSmallerStepsWouldHaveKeptMoreOfIt() {
    assertThat(kept(SOURCE, "2024-05-06T07:08:09Z", FINE)).isFalse();
    assertThat(kept(SOURCE, "2024-05-06T07:08:08Z", FINE)).isFalse();
    assertThat(kept("2024-05-06T07:08:09Z", "2024-05-06T07:08:08Z", FINE)).isFalse();
    assertThat(kept(SOURCE, "2024-05-06T07:08:08Z", "2024-05-06T08:00:01Z")).isFalse();
  }

  @Test
  void anyOtherTimeIsAnother() {
    String coarse = "2024-05-06T08:00:00Z";
    assertThat(kept(SOURCE, "2024-05-06T07:08:09.123456788Z", FINE)).isFalse();
    assertThat(kept(SOURCE, "2024-05-06T07:08:09.124Z", coarse)).isFalse();
    assertThat(kept(SOURCE, "2024-05-06T07:08:10Z", coarse)).isFalse();
    assertThat(kept("2024-05-06T07:08:08Z", "2024-05-06T07:08:06Z", coarse)).isFalse();
    assertThat(kept("2024-05-06T07:08:09Z", "2024-05-06T07:08:08.5Z", coarse)).isFalse();
  }

  @Test
  void itHoldsBefore1970() {
    String coarse = "2024-05-06T08:00:00Z";
    assertThat(kept("1901-02-03T04:05:07.123456789Z", "1901-02-03T04:05:07.1234567Z", coarse))
        .isTrue();
    assertThat(kept("1901-02-03T04:05:07.5Z", "1901-02-03T04:05:06Z", coarse)).isTrue();
    assertThat(kept("1901-02-03T04:05:07.5Z", "1901-02-03T04:05:08Z", coarse)).isFalse();
  }

  private static boolean kept(String source, String target, String targetChanged) {
    return FileAge.isOfTime(status(target, targetChanged), status(source, FINE));
  }

  private static FileStatus status(String modified, String changed) {
    Instant at = Instant.parse(modified);
    Instant last = Instant.parse(changed);
    return new FileStatus(
        0,
        0,
        FileType.REGULAR,
        0,
        0,
        1,
        0,
        0,
        0,
        at.getEpochSecond(),
        at.getNano(),
        at.getEpochSecond(),
        at.getNano(),
        last.getEpochSecond(),
        last.getNano(),
        0);
  }
}
