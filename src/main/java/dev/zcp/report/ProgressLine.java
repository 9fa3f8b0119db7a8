package dev.zcp.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Prose;
import dev.zcp.core.Rate;
import dev.zcp.core.Width;
import dev.zcp.insight.Event.Live;

/// The state of a transfer at one moment, in one line.
///
/// @param name the file that is under way, as the screen can show it; may be empty
record ProgressLine(Live now, Rate rate, Rate durableRate, long elapsedNs, String name) {

  private static final int SIZE_COLUMNS = 8;
  private static final int RATE_COLUMNS = 10;
  private static final int CLOCK_COLUMNS = 5;

  /// A name cut shorter than this tells nothing and is left out.
  private static final int NAME_COLUMNS_MIN = 8;

  private static final long CLOCK_SECONDS_MAX = 99 * 3600 + 59 * 60 + 59;

  /// ` 30% 1.20 GiB of 4.00 GiB 2.91 GiB/s 0:12 left 3/10 photo.raw`, or as long as nobody knows
  /// how much there is, `1.20 GiB 2.91 GiB/s 0:05 1,234 files photo.raw`; in fewer than `columns`:
  /// the last column stays free, since some terminals wrap as soon as it is written. What does not
  /// fit whole is left out, the total first.
  String text(int columns, boolean unicode) {
    StringBuilder line = figures(true);
    if (line.length() >= columns) {
      line = figures(false);
    }
    int nameColumns = columns - 1 - line.length();
    if (nameColumns >= NAME_COLUMNS_MIN) {
      line.append(Width.cutMiddle(name, nameColumns, unicode));
    } else if (nameColumns < 0) {
      // At a gap: half a quantity would be another one.
      line.setLength(Math.max(0, line.lastIndexOf("  ", columns - 1)));
    }
    return line.toString().stripTrailing();
  }

  private StringBuilder figures(boolean withTotal) {
    StringBuilder line = new StringBuilder();
    if (now.bytesAll() > 0) {
      right(line, percent() + "%  ", 6);
    }
    right(line, new ByteSize(now.bytesMoved()).toString(), SIZE_COLUMNS);
    // With two rates there is no room for it, and the share says the same.
    if (withTotal && now.bytesAll() > 0 && now.bytesDurable() < 0) {
      line.append(" of ").append(new ByteSize(now.bytesAll()));
    }
    line.append("  ");
    right(line, rate.toString(), RATE_COLUMNS);
    line.append("  ");
    if (now.bytesDurable() >= 0) {
      right(line, durableRate.toString(), RATE_COLUMNS);
      line.append(" durable  ");
    }
    if (now.bytesAll() > 0) {
      right(line, timeLeft(), CLOCK_COLUMNS);
      line.append(" left");
    } else {
      right(line, clock(elapsedNs / 1_000_000_000), CLOCK_COLUMNS);
    }
    line.append("  ");
    if (now.filesAll() > 1) {
      line.append(Prose.grouped(Math.min(now.filesEnded() + 1, now.filesAll())));
      line.append('/').append(Prose.grouped(now.filesAll())).append(' ');
    } else if (now.filesAll() < 0 && now.filesEnded() > 1) {
      line.append(Prose.count(now.filesEnded(), "file")).append("  ");
    }
    return line;
  }

  /// Rounded down, so that 100 is not shown before all is moved.
  private int percent() {
    return Math.clamp((long) (now.bytesMoved() * 100.0 / now.bytesAll()), 0, 100);
  }

  /// Until all is moved, and if somebody sees to that, until it is on the device.
  private String timeLeft() {
    boolean toDevice = now.bytesDurable() >= 0;
    double perSecond = (toDevice ? durableRate : rate).bytesPerSecond();
    long bytesLeft =
        Math.max(0, now.bytesAll() - (toDevice ? now.bytesDurable() : now.bytesMoved()));
    return perSecond <= 0 ? "-:--" : clock((long) Math.ceil(bytesLeft / perSecond));
  }

  /// `0:12`, `12:34`, `1:23:45`.
  private static String clock(long seconds) {
    long shown = Math.min(seconds, CLOCK_SECONDS_MAX);
    long minutes = shown / 60;
    String clock = twoDigits(shown % 60);
    return minutes < 60
        ? minutes + ":" + clock
        : minutes / 60 + ":" + twoDigits(minutes % 60) + ":" + clock;
  }

  private static String twoDigits(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }

  private static void right(StringBuilder line, String text, int columns) {
    line.repeat(' ', Math.max(0, columns - text.length())).append(text);
  }
}
