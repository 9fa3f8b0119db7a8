package dev.zcp.cli;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import picocli.CommandLine.Model.OptionSpec;

/// Options whose value is one number, or one size.
final class Numbers {

  private Numbers() {}

  /// @param or what else could have been typed, with a space before it: ` or auto`; may be empty
  /// @throws Failure USAGE where what was typed is no number from `min` to `max`
  static long between(OptionSpec option, long min, long max, String or) throws Failure {
    String typed = RawText.printable(Options.valueOf(option));
    try {
      long number = Long.parseLong(typed);
      // What parseLong takes besides: a sign, and digits of other scripts.
      if (number >= min && number <= max && isOfDigits(typed)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw Failure.of(
        ExitCode.USAGE,
        option.longestName() + ": '" + typed + "' is no number from " + min + " to " + max + or);
  }

  /// @throws Failure USAGE where what was typed is no size of at least `min` bytes
  static long bytes(OptionSpec option, long min) throws Failure {
    return bytes(option, min, Long.MAX_VALUE);
  }

  /// @throws Failure USAGE where what was typed is no size from `min` to `max` bytes
  static long bytes(OptionSpec option, long min, long max) throws Failure {
    String typed = RawText.printable(Options.valueOf(option));
    String why;
    try {
      long bytes = ByteSize.parse(typed).bytes();
      if (bytes >= min && bytes <= max) {
        return bytes;
      }
      why =
          bytes < min
              ? "' is less than " + new ByteSize(min) + ", the least it can be"
              : "' is more than " + new ByteSize(max) + ", the most it can be";
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, option.longestName(), e.getMessage()).because(e);
    }
    throw Failure.of(ExitCode.USAGE, option.longestName(), "'" + typed + why);
  }

  private static boolean isOfDigits(String typed) {
    for (int i = 0; i < typed.length(); i++) {
      if (typed.charAt(i) < '0' || typed.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
