package dev.zcp.cli;

import dev.zcp.bench.tune.TuneRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// `zcp bench --tune`: the flag, and what the other options of the command mean beside it.
final class TuneOptions {

  static final String SIZE = "--size";
  static final String RUNS = "--runs";
  static final String SEED = "--seed";
  static final String JSON = "--json";
  static final String QUIET = "--quiet";

  /// What may be given besides.
  private static final List<String> OF_USE =
      List.of(
          "--tune",
          SIZE,
          RUNS,
          SEED,
          JSON,
          QUIET,
          "--strategy-path",
          "--debug",
          "--help",
          "--version");

  private static final long SIZE_BYTES = 256L << 20;

  private static final int RUNS_MAX = 1000;

  private final OptionSpec tune =
      Options.flag(
          "Find what is fastest from SOURCE to TARGET, and have auto go by it from now on.",
          "--tune");

  void addTo(CommandSpec spec) {
    spec.addOption(tune);
  }

  boolean isWanted() {
    return Options.isSet(tune);
  }

  /// @param spec the command's, parsed
  /// @param operands SOURCE and TARGET as typed
  /// @throws Failure USAGE where something is missing, no value, or of no use
  TuneRequest request(CommandSpec spec, List<String> operands, Shell shell) throws Failure {
    refuseWhatIsOfNoUse(spec);
    Options.atMost(2, operands);
    List<RawPath> ends = Options.paths(operands);
    if (ends.size() < 2) {
      throw Failure.of(
          ExitCode.USAGE,
          ends.isEmpty()
              ? "--tune: SOURCE and TARGET are missing"
              : "--tune: TARGET is missing after " + ends.getFirst());
    }
    RawPath profile = ProfilePath.of(shell);
    if (profile == null) {
      throw Failure.of(ExitCode.USAGE, "--tune: there is no place for a profile")
          .with("ZCP_PROFILE is empty, or there is neither XDG_CONFIG_HOME nor HOME");
    }
    return new TuneRequest(
        ends.getFirst(),
        ends.getLast(),
        PeerOptions.keyWithoutOption(shell),
        size(spec.findOption(SIZE)),
        (int) BenchRunOptions.number(spec.findOption(RUNS), TuneRequest.RUNS_MIN, RUNS_MAX),
        BenchRunOptions.seed(spec.findOption(SEED)),
        profile,
        Version.LINE);
  }

  private static void refuseWhatIsOfNoUse(CommandSpec spec) throws Failure {
    for (OptionSpec option : spec.options()) {
      if (Options.isGiven(option) && !OF_USE.contains(option.longestName())) {
        throw Failure.of(ExitCode.USAGE, option.longestName() + " is of no use to --tune");
      }
    }
  }

  private static long size(OptionSpec size) throws Failure {
    List<Long> sizes = Lists.sizes(size);
    if (sizes.size() > 1) {
      throw Failure.of(ExitCode.USAGE, "--size: --tune takes one");
    }
    return sizes.isEmpty() ? SIZE_BYTES : sizes.getFirst();
  }
}
