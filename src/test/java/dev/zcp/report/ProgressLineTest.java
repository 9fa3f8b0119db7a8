package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Rate;
import dev.zcp.core.Width;
import dev.zcp.insight.Event.Live;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private static final long GIB = 1L << 30;
  private static final long SECOND_NS = 1_000_000_000;

  @Test
  void aTransferOfKnownSizeShowsItsShareAndTheTimeLeft() {
    assertThat(line(GIB, 4 * GIB, GIB / 4, 0, 1, "photo.raw"))
        .isEqualTo(" 25%  1.00 GiB of 4.00 GiB   256 MiB/s   0:12 left  photo.raw");
  }

  @Test
  void aTransferOfUnknownSizeShowsTheTimeGoneBy() {
    assertThat(line(GIB, -1, GIB / 4, 0, -1, "photo.raw"))
        .isEqualTo("1.00 GiB   256 MiB/s   1:05  photo.raw");
  }

  @Test
  void severalFilesAreCounted() {
    assertThat(line(0, 4 * GIB, GIB, 2, 10, "c")).endsWith("left  3/10 c");
    assertThat(line(4 * GIB, 4 * GIB, GIB, 10, 10, "c")).endsWith("left  10/10 c");
  }

  @Test
  void asLongAsNobodyKnowsHowManyFilesThereAreThoseThatEndedAreCounted() {
    assertThat(line(GIB, -1, GIB / 4, 1, -1, "c")).isEqualTo("1.00 GiB   256 MiB/s   1:05  c");
    assertThat(line(GIB, -1, GIB / 4, 12_345, -1, "c"))
        .isEqualTo("1.00 GiB   256 MiB/s   1:05  12,345 files  c");
  }

  @Test
  void whatTheDeviceHasIsShownBesideWhatItTookAndDecidesTheTimeLeft() {
    Rate taken = new Rate(GIB, SECOND_NS);
    Rate durable = new Rate(GIB / 2, SECOND_NS);
    ProgressLine line =
        new ProgressLine(live(3 * GIB, 4 * GIB, GIB, 2, 3), taken, durable, SECOND_NS, "film.raw");
    assertThat(line.text(80, true))
        .isEqualTo(" 75%  3.00 GiB  1.00 GiB/s   512 MiB/s durable   0:06 left  3/3 film.raw");
  }

  @Test
  void aHundredPercentIsNotShownBeforeTheLastByte() {
    assertThat(line(4 * GIB - 1, 4 * GIB, GIB, 0, 1, "")).startsWith(" 99%");
    assertThat(line(4 * GIB, 4 * GIB, GIB, 0, 1, "")).startsWith("100%");
    assertThat(line(5 * GIB, 4 * GIB, GIB, 0, 1, "")).startsWith("100%").contains("0:00 left");
  }

  @Test
  void aStallHasNoTimeLeft() {
    assertThat(line(GIB, 4 * GIB, 0, 0, 1, "")).contains("0 B/s   -:-- left");
  }

  @Test
  void hoursAreShownFromTheFirstHourOn() {
    assertThat(line(0, 3_599, 1, 0, 1, "")).contains("59:59 left");
    assertThat(line(0, 3_600, 1, 0, 1, "")).contains("1:00:00 left");
    assertThat(line(0, 1L << 60, 1, 0, 1, "")).contains("99:59:59 left");
  }

  @Test
  void whatDoesNotFitIsLeftOutAsAWhole() {
    Rate rate = new Rate(GIB / 4, SECOND_NS);
    ProgressLine line =
        new ProgressLine(live(GIB, 4 * GIB, -1, 0, 1), rate, rate, 65 * SECOND_NS, "photo.raw");
    assertThat(line.text(60, true)).isEqualTo(" 25%  1.00 GiB of 4.00 GiB   256 MiB/s   0:12 left");
    assertThat(line.text(45, true)).isEqualTo(" 25%  1.00 GiB   256 MiB/s   0:12 left");
    assertThat(line.text(38, true)).isEqualTo(" 25%  1.00 GiB   256 MiB/s");
    assertThat(line.text(20, true)).isEqualTo(" 25%  1.00 GiB");
  }

  @Test
  void noLineFillsTheTerminal() {
    String name = "日本語-a-name-" + "x".repeat(600);
    for (int columns = 20; columns <= 500; columns++) {
      for (boolean unicode : new boolean[] {true, false}) {
        for (long bytesAll : new long[] {-1, 0, 4 * GIB}) {
          for (long durable : new long[] {-1, 0, GIB}) {
            Rate rate = new Rate(GIB, SECOND_NS);
            long filesAll = bytesAll < 0 ? -1 : 1_000_000;
            ProgressLine line =
                new ProgressLine(
                    live(GIB, bytesAll, durable, 123_456, filesAll), rate, rate, 0, name);
            assertThat(Width.of(line.text(columns, unicode))).isLessThan(columns);
          }
        }
      }
    }
  }

  private static String line(
      long bytes, long bytesAll, long bytesPerSecond, int ended, int all, String name) {
    Rate rate = new Rate(bytesPerSecond, SECOND_NS);
    return new ProgressLine(live(bytes, bytesAll, -1, ended, all), rate, rate, 65 * SECOND_NS, name)
        .text(80, true);
  }

  private static Live live(
      long bytes, long bytesAll, long bytesDurable, long filesEnded, long filesAll) {
    return new Live(bytes, bytesDurable, -1, filesEnded, filesAll, bytesAll, "");
  }
}
