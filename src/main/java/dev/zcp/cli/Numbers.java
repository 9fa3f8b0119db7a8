package dev.zcp.cli;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import picocli.CommandLine.Model.OptionSpec;

/// Options whose value is one number, or one size.
final class Numbers {

  private static final String WHOLE = "whole";

  private Numbers() {}

  /// @param or what else could have been typed, with a space before it: ` or auto`; may be empty
  /// @throws Failure USAGE if what was typed is no number from `min` to `max`
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
        option.longestName() + ": '" + typed + "' is not a number from " + min + " to " + max + or);
  }

  /// @throws Failure USAGE if what was typed is no size of at least `min` bytes
  static long bytes(OptionSpec option, long min) throws Failure {
    return bytes(option, min, Long.MAX_VALUE);
  }

  /// @throws Failure USAGE if what was typed is no size from `min` to `max` bytes
  static long bytes(OptionSpec option, long min, long max) throws Failure {
    return bytes(option, RawText.printable(Options.valueOf(option)), min, max);
  }

  /// The size that `typed` is, one of the values of `option`.
  ///
  /// @throws Failure USAGE if it is no size from `min` to `max` bytes
  static long bytes(OptionSpec option, String typed, long min, long max) throws Failure {
    try {
      long bytes = ByteSize.parse(typed).bytes();
      if (bytes >= min && bytes <= max) {
        return bytes;
      }
      String why =
          bytes < min
              ? "' is less than the minimum, " + new ByteSize(min)
              : "' is more than the maximum, " + new ByteSize(max);
      throw Failure.of(ExitCode.USAGE, option.longestName(), "'" + typed + why);
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, option.longestName(), e.getMessage()).because(e);
    }
  }

  /// The most bytes of one call: a size, or `whole` for [Choice#WHOLE].
  ///
  /// @throws Failure USAGE if it is neither
  static long chunkBytes(OptionSpec option, String typed) throws Failure {
    return typed.equalsIgnoreCase(WHOLE) ? Choice.WHOLE : bytes(option, typed, 1, Long.MAX_VALUE);
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
