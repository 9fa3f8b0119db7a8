package dev.zcp.cli;

import dev.zcp.bench.Bench;
import dev.zcp.bench.BenchRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.tree.OutputFiles;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp bench`.
final class BenchCommand implements Command {

  private final CommonOptions common = new CommonOptions();
  private final BenchPlanOptions plan = new BenchPlanOptions();
  private final BenchRunOptions run = new BenchRunOptions();
  private final BenchReports.OutputOptions output = new BenchReports.OutputOptions();
  private final OptionSpec tune = TuneRun.option();
  private final PositionalParamSpec experiments =
      Options.operands("0..*", "EXPERIMENT").completionCandidates(BenchPlanOptions.WORDS).build();
  private final CommandSpec spec = Options.spec(this);

  BenchCommand() {
    plan.addTo(spec);
    run.addTo(spec);
    output.addTo(spec);
    spec.addOption(tune);
    common.addTo(spec);
    spec.addPositional(experiments);
  }

  @Override
  public String title() {
    return "zcp bench";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "measure the ways of moving bytes on this machine",
        "[OPTIONS] EXPERIMENT... | --tune SOURCE TARGET",
        List.of(
            "EXPERIMENT is read, write, copy, send, receive, force, or all. Each is done again and"
                + " again by every strategy that can serve, with files made for it in the current"
                + " directory or --dir, which are removed afterwards.",
            "The runs of the cells of one table, a strategy with a size of its calls, take turns in"
                + " random order; tables come one after the other, and cold and warm are two. The"
                + " first run of each stands apart; the next count once warming up makes no"
                + " difference any more. Every run is checked. A file that was written is compared"
                + " in full once the clock has stopped. Of bytes that end in memory or at the other"
                + " end of a connection, a timed run counts all and looks at one of each 4096; one"
                + " run of each cell, apart and without a clock, looks at all. A cell that fails a"
                + " check has no time, and the exit code is 7.",
            "The table marks the fastest and all that may be as fast, as far as the noise lets one"
                + " tell. Run nothing else meanwhile.",
            "With --tune, tries every strategy but mmap, which auto never takes, on the way from"
                + " SOURCE to TARGET, the best of them with several chunks, and keeps what each MiB"
                + " took in a profile, by which --strategy=auto then goes for files of 256M and"
                + " more between these file systems, or to this host; 'zcp explain' tells how."
                + " SOURCE is a file, or a directory in which one of --size is made. TARGET is a"
                + " directory, or the ADDRESS of a 'zcp receive --discard'. What was made is"
                + " removed. What falls far behind is left out after a few of the --runs; a trial"
                + " under 256M says little about longer files."),
        List.of(
            new Manual.Example("zcp bench copy", "Which strategy copies fastest here?"),
            new Manual.Example(
                "zcp bench --strategy=direct,heap --chunk-size=4K,64K,1M read",
                "What the size of a call does to two of them."),
            new Manual.Example(
                "zcp bench --dir=/mnt/disk --size=4G --cache=cold copy",
                "Copy large files on another disk, not from memory."),
            new Manual.Example(
                "zcp bench --article=A1,D --size-scale=0.1",
                "Two tables of articles, with files of a tenth."),
            new Manual.Example(
                "zcp bench --json --html=today.html all > today.json", "Keep the findings."),
            new Manual.Example(
                "zcp bench --tune /data /backup", "Find what is fastest from here to there.")),
        ProfilePath.with(
            List.of(
                new Manual.Variable("PATH", "Where --strace looks for strace."),
                new Manual.Variable("COLUMNS", "How wide the line of progress may be."))));
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
    if (Options.isSet(tune)) {
      return new TuneRun(spec, Options.valuesOf(experiments), shell).run(strategies);
    }
    BenchRequest request = request(strategies);
    BenchReports.Output output = output();
    OutputFiles outputs = new OutputFiles().addStandardOutput().add("--html", output.page());
    outputs.requireApart(request.file(), "is what --file reads");
    BenchReports reports = new BenchReports(output, request.seed(), shell);
    return reports.finish(Bench.run(request, strategies, reports.listener()));
  }

  BenchReports.Output output() throws Failure {
    return output.output();
  }

  Strategies strategies() throws Failure {
    return plan.strategies();
  }

  BenchRequest request(Strategies strategies) throws Failure {
    RawPath file = run.file();
    return run.request(
        plan.groups(Options.valuesOf(experiments), strategies, file),
        CommandLineText.of(spec),
        file);
  }
}
