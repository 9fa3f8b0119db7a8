package dev.zcp.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Prose;
import dev.zcp.core.Rate;
import dev.zcp.core.Width;

/// The state of a transfer at one moment, in one line.
///
/// @param bytesAll how many bytes there are to move, or -1 if that is not known
/// @param bytesDurable how many of `bytes` are on the device, or -1 if nobody sees to that
/// @param filesAll how many files, or -1 if that is not known
/// @param filesEnded how many of them are done or have failed
/// @param name the file that is under way, as the screen can show it; may be empty
record ProgressLine(
    long bytes,
    long bytesAll,
    Rate rate,
    long bytesDurable,
    Rate durableRate,
    long elapsedNs,
    long filesEnded,
    long filesAll,
    String name) {

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
    if (bytesAll > 0) {
      right(line, percent() + "%  ", 6);
    }
    right(line, new ByteSize(bytes).toString(), SIZE_COLUMNS);
    // With two rates there is no room for it, and the share says the same.
    if (withTotal && bytesAll > 0 && bytesDurable < 0) {
      line.append(" of ").append(new ByteSize(bytesAll));
    }
    line.append("  ");
    right(line, rate.toString(), RATE_COLUMNS);
    line.append("  ");
    if (bytesDurable >= 0) {
      right(line, durableRate.toString(), RATE_COLUMNS);
      line.append(" durable  ");
    }
    if (bytesAll > 0) {
      right(line, timeLeft(), CLOCK_COLUMNS);
      line.append(" left");
    } else {
      right(line, clock(elapsedNs / 1_000_000_000), CLOCK_COLUMNS);
    }
    line.append("  ");
    if (filesAll > 1) {
      line.append(Prose.grouped(Math.min(filesEnded + 1, filesAll)));
      line.append('/').append(Prose.grouped(filesAll)).append(' ');
    } else if (filesAll < 0 && filesEnded > 1) {
      line.append(Prose.count(filesEnded, "file")).append("  ");
    }
    return line;
  }

  /// Rounded down, so that 100 is not shown before all is moved.
  private int percent() {
    return Math.clamp((long) (bytes * 100.0 / bytesAll), 0, 100);
  }

  /// Until all is moved, and if somebody sees to that, until it is on the device.
  private String timeLeft() {
    boolean toDevice = bytesDurable >= 0;
    double perSecond = (toDevice ? durableRate : rate).bytesPerSecond();
    long bytesLeft = Math.max(0, bytesAll - (toDevice ? bytesDurable : bytes));
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
