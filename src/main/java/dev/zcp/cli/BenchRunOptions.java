package dev.zcp.cli;

import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.CellGroup;
import dev.zcp.bench.Content;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` that say how it is measured, and with which files.
final class BenchRunOptions extends Options {

  private static final int RUNS_MAX = 1000;

  /// Short enough to be typed again.
  private static final int RANDOM_SEED_MAX = 1_000_000;

  private static final List<String> CONTENTS =
      Arrays.stream(Content.Kind.values()).map(Content.Kind::word).toList();

  private final OptionSpec runs =
      option(
          "--runs=N",
          "Count N runs of each cell, 1 to " + RUNS_MAX + ", after the first and a warm-up.",
          "10");
  private final OptionSpec cellTime =
      option(
          "--cell-time=TIME",
          "Give a cell no further runs once it has run for TIME, such as 500ms, 10s or 2m.",
          "60s");
  private final OptionSpec seed =
      option(
          "--seed=N",
          "Repeat the order of the runs and the content of the files of an earlier benchmark;"
              + " each prints its seed.");
  private final OptionSpec directory =
      option(
          "--dir=DIRECTORY",
          "Make the files in DIRECTORY, and remove them afterwards. It is its file system that"
              + " is measured.",
          ".");
  private final OptionSpec file =
      option(
          "--file=FILE",
          "Read FILE instead of a file made for it; for read, copy, send and receive.");
  private final OptionSpec content =
      option(
          "--content=KIND",
          "Fill the files with random bytes, with text, or with holes between random bytes.",
          Content.Kind.RANDOM.word(),
          CONTENTS);
  private final OptionSpec strace =
      option("--strace", "Count system calls with strace, in one more run of each cell.");

  /// The file of the user's own, or null.
  ///
  /// @throws Failure USAGE where it is to be made as well
  RawPath file() throws Failure {
    String typed = valueOf(file);
    if (typed == null) {
      return null;
    }
    if (isGiven(content)) {
      throw usage("--content is for files that are made, and --file names one");
    }
    return RawText.path(typed);
  }

  /// @param command the command line, for the record
  /// @throws Failure USAGE where one is no value
  BenchRequest request(List<CellGroup> groups, String command, RawPath userFile) throws Failure {
    return new BenchRequest(
        groups,
        command,
        Version.NUMBER,
        RawText.path(valueOf(directory)),
        userFile,
        content(),
        (int) number(runs, 1, RUNS_MAX),
        elapsedNs(cellTime),
        seed(),
        isSet(strace));
  }

  private Content.Kind content() throws Failure {
    String typed = printable(content);
    String word = oneOf(CONTENTS, typed, content.longestName());
    return Content.Kind.values()[CONTENTS.indexOf(word)];
  }

  private long seed() throws Failure {
    return seed(seed);
  }

  /// The seed that was typed, or a random one.
  static long seed(OptionSpec seed) throws Failure {
    return valueOf(seed) == null
        ? ThreadLocalRandom.current().nextInt(RANDOM_SEED_MAX)
        : number(seed, 0, Long.MAX_VALUE);
  }

  /// @throws Failure USAGE where what was typed is no whole number, or out of its range
  static long number(OptionSpec option, long min, long max) throws Failure {
    String typed = printable(option);
    try {
      long number = Long.parseLong(typed);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below, in the words of any other wrong number.
    }
    throw usage(option, "'" + typed + "' is no whole number from " + min + " to " + max);
  }
}
