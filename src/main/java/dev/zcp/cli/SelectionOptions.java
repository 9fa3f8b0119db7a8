package dev.zcp.cli;

import dev.zcp.bench.plan.Cache;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.plan.Selection;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` that choose cells of its experiments.
final class SelectionOptions {

  private static final List<String> CACHES =
      Arrays.stream(Cache.values()).map(Cache::word).toList();

  private final OptionSpec strategy =
      Options.values(
              "LIST",
              "Measure these strategies, each with every chunk size, instead of all that serve."
                  + " Besides those of 'zcp strategies' there are fileStream, randomAccessFile,"
                  + " mappedOnce, mappedBuffer, and singleByte, which takes minutes.",
              "--strategy")
          .completionCandidates(new ContenderNames())
          .build();
  private final OptionSpec chunkSize =
      Options.values(
              "LIST",
              "Move at most so many bytes in one call: sizes such as 4K,1M, or 'whole'.",
              "--chunk-size")
          .build();
  private final OptionSpec size =
      Options.values(
              "LIST",
              "Make files of these sizes; 256M where nothing is said, 64M for force.",
              "--size")
          .build();
  private final OptionSpec cache =
      Options.values(
              "LIST",
              "Begin with the file in the page cache (warm), on its device (cold), or each in turn"
                  + " (warm,cold); for read, copy and send.",
              "--cache")
          .completionCandidates(CACHES)
          .build();

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(strategy, chunkSize, size, cache)) {
      spec.addOption(option);
    }
  }

  /// @param file a file of the user's own, or null
  /// @throws Failure USAGE where one is no value, or of no use to `experiments`
  Selection selection(List<Experiment> experiments, Strategies strategies, RawPath file)
      throws Failure {
    refuseWhatIsOfNoUse(experiments, file);
    return new Selection(
        experiments,
        ContenderNames.proper(Lists.words(strategy), strategies),
        Lists.chunks(chunkSize),
        Lists.sizes(size),
        file,
        caches());
  }

  private List<Cache> caches() throws Failure {
    List<Cache> caches = new ArrayList<>();
    for (String typed : Lists.words(cache)) {
      String word = Lists.oneOf(CACHES, typed, cache.longestName());
      caches.add(Cache.values()[CACHES.indexOf(word)]);
    }
    return caches.stream().distinct().toList();
  }

  private void refuseWhatIsOfNoUse(List<Experiment> experiments, RawPath file) throws Failure {
    if (experiments.isEmpty()) {
      for (OptionSpec option : List.of(strategy, chunkSize, size, cache)) {
        if (Options.isGiven(option)) {
          throw Failure.of(
              ExitCode.USAGE,
              option.longestName() + " is for experiments, and an article has its own");
        }
      }
    } else if (Options.isGiven(cache) && experiments.stream().noneMatch(Experiment::readsFile)) {
      throw Failure.of(ExitCode.USAGE, "--cache is for read, copy and send, which read a file");
    }
    if (file != null && Options.isGiven(size)) {
      throw Failure.of(ExitCode.USAGE, "--size is for files that are made, and --file names one");
    }
  }
}
