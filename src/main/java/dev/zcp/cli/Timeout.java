package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.OptionSpec;

/// A time that somebody is willing to wait, as it is typed: `500ms`, `3s`, `2m`, `1h`.
final class Timeout {

  /// Longer than any transfer, and short enough that a deadline never overflows.
  private static final long HOURS_MAX = 24 * 365;

  private Timeout() {}

  /// The value of `option` in nanoseconds, at least a millisecond.
  ///
  /// @throws Failure USAGE if it is no such time
  static long of(OptionSpec option) throws Failure {
    String typed = RawText.printable(Options.valueOf(option));
    long elapsedNs = parse(typed);
    if (elapsedNs <= 0) {
      throw Failure.of(
          ExitCode.USAGE,
          option.longestName(),
          "'" + typed + "' is not a time; use a form such as 500ms, 3s, 2m or 1h");
    }
    return elapsedNs;
  }

  /// Nanoseconds, or 0 if `typed` is no time.
  static long parse(String typed) {
    int digits = 0;
    while (digits < typed.length() && typed.charAt(digits) >= '0' && typed.charAt(digits) <= '9') {
      digits++;
    }
    TimeUnit unit =
        switch (typed.substring(digits)) {
          case "ms" -> TimeUnit.MILLISECONDS;
          case "s" -> TimeUnit.SECONDS;
          case "m" -> TimeUnit.MINUTES;
          case "h" -> TimeUnit.HOURS;
          default -> null;
        };
    // 18 digits fit a long.
    if (unit == null || digits == 0 || digits > 18) {
      return 0;
    }
    long amount = Long.parseLong(typed.substring(0, digits));
    return unit.toHours(amount) > HOURS_MAX ? 0 : unit.toNanos(amount);
  }
}
