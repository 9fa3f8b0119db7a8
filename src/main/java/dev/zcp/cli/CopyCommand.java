package dev.zcp.cli;

import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.Placement;
import dev.zcp.copy.TreeCopy;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.tree.OutputFiles;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// `zcp copy`.
final class CopyCommand implements Command {

  private static final int JOBS_MAX = 1024;

  private final CommonOptions common = new CommonOptions();
  private final TransferOptions transfer = new TransferOptions();
  private final TreeOptions trees = new TreeOptions();
  private final FilterOptions filters = new FilterOptions();
  private final PolicyOptions policies = new PolicyOptions();
  private final AssuranceOptions assurances = new AssuranceOptions();
  private final TargetOptions targets = new TargetOptions();
  private final OptionSpec jobs =
      Options.value("N", "Copy up to N files at a time. By default zcp chooses N.", "-j", "--jobs")
          .build();
  private final OptionSpec dryRun =
      Options.flag("Show what would be done, but do nothing.", "--dry-run");
  private final CommandSpec spec = Options.spec(this);

  CopyCommand() {
    trees.addTo(spec);
    filters.addTo(spec);
    policies.addTo(spec);
    assurances.addTo(spec);
    targets.addTo(spec);
    spec.addOption(jobs);
    spec.addOption(dryRun);
    transfer.addTo(spec);
    common.addTo(spec);
  }

  @Override
  public String title() {
    return "zcp copy";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "copy files and trees on this machine",
        "[OPTIONS] SOURCE... TARGET",
        List.of(
            "Copies each SOURCE to TARGET. If TARGET is a directory, the copies go"
                + " into it; if not, TARGET is the name of the copy. Several sources need a"
                + " directory. '-' is standard input or output.",
            "Each file is written to a hidden partial file, which gets the final name"
                + " when it is complete. Devices, FIFOs and standard output are written to,"
                + " never replaced.",
            "Directories need -r, or -a, which also preserves all attributes. If a"
                + " target directory exists, the source is merged into it. If one entry"
                + " fails, the others are still copied, and each failure is named. Most"
                + " options are those of cp(1); zcp-copy(1) lists the differences. One of"
                + " them: if a target is a symbolic link, zcp replaces the link, not the file"
                + " it points to."),
        List.of(
            new Manual.Example("zcp copy disk.img /backup/", "Copy a file into a directory."),
            new Manual.Example(
                "zcp copy -a --verify=readback photos /backup/",
                "Copy a tree with all attributes, then read the copy and compare it."),
            new Manual.Example(
                "zcp copy -a --exclude=build/ --exclude='*.o' src/. /backup/src",
                "Copy the content of a directory, except what the patterns match."),
            new Manual.Example(
                "find . -newer stamp -print0 | zcp copy -p --files-from=- --from0 . /backup",
                "Copy the files that a program lists."),
            new Manual.Example("zcp copy -a --dry-run photos /backup/", "Show what would be done."),
            new Manual.Example(
                "zcp copy --strategy=mmap src dst",
                "Copy with this strategy, or fail with code 10."),
            new Manual.Example(
                "zcp copy -q --json a.iso b.iso /mnt", "Copy two files, and report to a program."),
            new Manual.Example("zcp copy - dst < src", "Copy from standard input.")),
        ProfilePath.VARIABLES);
  }

  @Override
  public CommandSpec spec() {
    return spec;
  }

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public ExitCode run(Shell shell) throws Failure {
    Strategies strategies = strategies();
    CopyRequest request = request(strategies);
    if (request.policy().asks() && !shell.canAsk()) {
      throw Failure.of(
          ExitCode.USAGE,
          "-i needs a terminal as standard input and standard error; use -n to"
              + " replace nothing without being asked");
    }
    OutputFiles outputs =
        transfer.outputs(request.selection()).add("--manifest", request.assurance().manifest());
    outputs.requireApart(
        request.sources(), request.target(), request.placement() == Placement.EXACTLY);
    Reports reports = Reports.of(transfer.report(writesToStandardOutput(request)), shell);
    return reports.finish(
        TreeCopy.run(
            request, shell.environment(strategies, reports.listener(), reports.consent())));
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  CopyRequest request(Strategies strategies) throws Failure {
    TargetOptions.Ends ends = targets.ends();
    CopyRequest request =
        new CopyRequest(
            ends.sources(),
            ends.target(),
            ends.placement(),
            transfer.choice(strategies),
            filters.selection(trees),
            trees.preserve(),
            policies.policy(),
            assurances.assurance(),
            jobs(),
            Options.isSet(dryRun));
    CopyRules.check(spec.commandLine().getParseResult(), request);
    return request;
  }

  private static boolean writesToStandardOutput(CopyRequest request) {
    RawPath manifest = request.assurance().manifest();
    return request.target().isStandardStream() || manifest != null && manifest.isStandardStream();
  }

  private int jobs() throws Failure {
    return Options.valueOf(jobs) == null
        ? CopyRequest.JOBS_MEASURED
        : (int) Numbers.between(jobs, 1, JOBS_MAX, "");
  }

  /// What of the command line of `zcp copy` does not go together. Told before anything is opened,
  /// since a script that asks for two things of which one is impossible should learn it on an empty
  /// disk too.
  static final class CopyRules {

    /// Two options, and why not both.
    private record Pair(String one, String other, String why) {}

    private static final String NOTHING_IS_WRITTEN = "nothing is written";

    private static final List<Pair> PAIRS =
        List.of(
            new Pair("--backup", "-n", "-n replaces nothing"),
            new Pair("-b", "-n", "-n replaces nothing"),
            new Pair("--suffix", "-n", "-n replaces nothing"),
            new Pair("--dry-run", "-i", "nothing is replaced"),
            new Pair("--dry-run", "--manifest", "nothing is read"),
            new Pair("--dry-run", "--verify-only", "use one of them"),
            new Pair("--verify-only", "-n", NOTHING_IS_WRITTEN),
            new Pair("--verify-only", "-u", NOTHING_IS_WRITTEN),
            new Pair("--verify-only", "-i", NOTHING_IS_WRITTEN),
            new Pair("--verify-only", "--backup", NOTHING_IS_WRITTEN),
            new Pair("--verify-only", "-b", NOTHING_IS_WRITTEN),
            new Pair("--verify-only", "--suffix", NOTHING_IS_WRITTEN),
            new Pair("--verify-only", "--fsync", NOTHING_IS_WRITTEN));

    /// What says something of files that a stream of bytes is not.
    private static final List<String> NOT_OF_STREAMS =
        List.of(
            "-r",
            "-a",
            "-p",
            "-d",
            "-P",
            "--preserve",
            "-u",
            "-i",
            "-b",
            "--backup",
            "--suffix",
            "--on-change",
            "--follow-target-links",
            "--files-from",
            "--manifest",
            "--verify-only",
            "--verify",
            "--fsync",
            "--jobs",
            "--dry-run");

    private CopyRules() {}

    /// @throws Failure USAGE if what was typed contradicts itself
    static void check(ParseResult typed, CopyRequest request) throws Failure {
      for (Pair pair : PAIRS) {
        if (typed.hasMatchedOption(pair.one()) && typed.hasMatchedOption(pair.other())) {
          throw Failure.of(
              ExitCode.USAGE,
              pair.one() + " and " + pair.other() + " cannot be combined: " + pair.why());
        }
      }
      if (request.target().isStandardStream() || holdsStream(request.sources())) {
        for (String option : NOT_OF_STREAMS) {
          if (typed.hasMatchedOption(option)) {
            throw Failure.of(
                ExitCode.USAGE,
                option + " cannot be used with '-', which is a stream; a file of that name is ./-");
          }
        }
      }
      if (typed.hasMatchedOption("-i")
          && request.selection().names() != null
          && request.selection().names().file().isStandardStream()) {
        throw Failure.of(ExitCode.USAGE, "-i and --files-from=- would both read standard input");
      }
      FilterOptions.check(typed, request.sources(), request.selection());
    }

    private static boolean holdsStream(List<RawPath> sources) {
      for (RawPath source : sources) {
        if (source.isStandardStream()) {
          return true;
        }
      }
      return false;
    }
  }
}
