package dev.zcp.cli;

import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.bench.Content;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` that say how it is measured, and with which files.
final class BenchRunOptions {

  private static final int RUNS_MAX = 1000;

  /// Short enough to be typed again.
  private static final int RANDOM_SEED_MAX = 1_000_000;

  private static final List<String> CONTENTS =
      Arrays.stream(Content.Kind.values()).map(Content.Kind::word).toList();

  private final OptionSpec runs =
      Options.value(
              "N",
              "Count N runs of each cell, 1 to " + RUNS_MAX + ", after the first and a warm-up.",
              "--runs")
          .defaultValue("10")
          .build();
  private final OptionSpec cellTime =
      Options.value(
              "TIME",
              "Give a cell no further runs once it has run for TIME, such as 500ms, 10s or 2m.",
              "--cell-time")
          .defaultValue("60s")
          .build();
  private final OptionSpec seed =
      Options.value(
              "N",
              "Repeat the order of the runs and the content of the files of an earlier benchmark;"
                  + " each prints its seed.",
              "--seed")
          .build();
  private final OptionSpec directory =
      Options.value(
              "DIRECTORY",
              "Make the files in DIRECTORY, and remove them afterwards. It is its file system that"
                  + " is measured.",
              "--dir")
          .defaultValue(".")
          .build();
  private final OptionSpec file =
      Options.value(
              "FILE",
              "Read FILE instead of a file made for it; for read, copy, send and receive.",
              "--file")
          .build();
  private final OptionSpec content =
      Options.value(
              "KIND",
              "Fill the files with random bytes, with text, or with holes between random bytes.",
              "--content")
          .defaultValue(Content.Kind.RANDOM.word())
          .completionCandidates(CONTENTS)
          .build();
  private final OptionSpec strace =
      Options.flag("Count system calls with strace, in one more run of each cell.", "--strace");

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(runs, cellTime, seed, directory, file, content, strace)) {
      spec.addOption(option);
    }
  }

  /// The file of the user's own, or null.
  ///
  /// @throws Failure USAGE where it is to be made as well
  RawPath file() throws Failure {
    String typed = Options.valueOf(file);
    if (typed == null) {
      return null;
    }
    if (Options.isGiven(content)) {
      throw Failure.of(
          ExitCode.USAGE, "--content is for files that are made, and --file names one");
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
        RawText.path(Options.valueOf(directory)),
        userFile,
        content(),
        (int) number(runs, 1, RUNS_MAX),
        Timeout.of(cellTime),
        seed(),
        Options.isSet(strace));
  }

  private Content.Kind content() throws Failure {
    String typed = RawText.printable(Options.valueOf(content));
    String word = Lists.oneOf(CONTENTS, typed, content.longestName());
    return Content.Kind.values()[CONTENTS.indexOf(word)];
  }

  private long seed() throws Failure {
    return seed(seed);
  }

  /// The seed that was typed, or a random one.
  static long seed(OptionSpec seed) throws Failure {
    return Options.valueOf(seed) == null
        ? ThreadLocalRandom.current().nextInt(RANDOM_SEED_MAX)
        : number(seed, 0, Long.MAX_VALUE);
  }

  /// @throws Failure USAGE where what was typed is no whole number, or out of its range
  static long number(OptionSpec option, long min, long max) throws Failure {
    String typed = RawText.printable(Options.valueOf(option));
    try {
      long number = Long.parseLong(typed);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below, in the words of any other wrong number.
    }
    throw Failure.of(
        ExitCode.USAGE,
        option.longestName(),
        "'" + typed + "' is no whole number from " + min + " to " + max);
  }
}
