package dev.zcp.cli;

import dev.zcp.bench.Bench;
import dev.zcp.bench.BenchRequest;
import dev.zcp.cli.Manual.Example;
import dev.zcp.cli.Manual.Variable;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import dev.zcp.tree.OutputFiles;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

final class BenchCommand extends Command {

  private final BenchOptions options = group(new BenchOptions());
  private final BenchReports.OutputOptions output = group(new BenchReports.OutputOptions());
  private final OptionSpec tune =
      option(
          "--tune",
          "Find what is fastest from SOURCE to TARGET, and have auto go by it from now on.");
  private final PositionalParamSpec experiments =
      operands("0..*", "EXPERIMENT", BenchOptions.WORDS);

  BenchCommand() {
    super("zcp bench");
  }

  @Override
  public Manual manual() {
    return new Manual(
        "measure the ways of moving bytes on this machine",
        "[OPTIONS] EXPERIMENT... | --tune SOURCE TARGET",
        List.of(
            "EXPERIMENT is read, write, copy, send, receive, force, or all. Every strategy that can"
                + " do it runs many times, on files that are made in the current directory or in"
                + " --dir and removed afterwards.",
            "A cell of a table is a strategy with a size of its calls. The runs of all cells of a"
                + " table take turns in random order. Tables come one after the other; cold and"
                + " warm are two tables. The first run of a cell is shown apart, and the next runs"
                + " do not count until they stop getting faster.",
            "Every run is checked. A written file is compared in full after the clock has stopped."
                + " If the bytes end in memory or at the other end of a connection, a timed run"
                + " counts them all and looks at one of each 4096, and one run of each cell without"
                + " a clock looks at all. A cell that fails a check has no time, and the exit code"
                + " is 7.",
            "The table marks the fastest cell and all that cannot be told from it. Run nothing else"
                + " meanwhile.",
            "With --tune, tries every strategy that auto may take from SOURCE to TARGET, and the"
                + " best of them with several chunks. The time for each MiB is kept in a profile."
                + " --strategy=auto uses it for files of 256M and more between these file systems,"
                + " or to this host; 'zcp explain' shows how. SOURCE is a file, or a directory in"
                + " which a file of --size is made. TARGET is a directory, or the ADDRESS of a 'zcp"
                + " receive --discard'. What was made is removed. A strategy that is far behind is"
                + " given up after a few of the --runs. A trial with less than 256M says little"
                + " about longer files."),
        List.of(
            new Example("zcp bench copy", "Which strategy copies fastest here?"),
            new Example(
                "zcp bench --strategy=direct,heap --chunk-size=4K,64K,1M read",
                "What the size of a call does to two of them."),
            new Example(
                "zcp bench --dir=/mnt/disk --size=4G --cache=cold copy",
                "Copy large files on another disk, not from memory."),
            new Example(
                "zcp bench --article=A1,D --size-scale=0.1",
                "Two tables of articles, with files of a tenth."),
            new Example(
                "zcp bench --json --html=today.html all > today.json", "Keep the findings."),
            new Example(
                "zcp bench --tune /data /backup", "Find what is fastest from here to there.")),
        Manual.withProfile(
            List.of(
                new Variable("PATH", "Where --strace looks for strace."),
                new Variable(
                    "COLUMNS",
                    "How wide the line of progress may be, if the terminal does not tell."))));
  }

  @Override
  public List<OptionConflict> conflicts() {
    return List.of(
        OptionConflict.of("--file", "--size --content", "--file names one that is there"),
        OptionConflict.of("--file", "--article", "an article has its own file"));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = strategies();
    if (isSet(tune)) {
      return new TuneRun(spec(), experiments, shell).run(strategies);
    }
    BenchRequest request = request(strategies);
    BenchReports.BenchOutput output = output();
    OutputFiles outputs = new OutputFiles().addStandardOutput().add("--html", output.page());
    outputs.requireApart(request.file(), "is what --file reads");
    BenchReports reports = new BenchReports(output, request.seed(), shell);
    return reports.finish(Bench.run(request, strategies, reports.listener()));
  }

  BenchReports.BenchOutput output() throws Failure {
    return output.output();
  }

  Strategies strategies() throws Failure {
    return options.strategies();
  }

  BenchRequest request(Strategies strategies) throws Failure {
    return options.request(valuesOf(experiments), commandLine(), strategies);
  }

  /// What was typed, for a record that somebody may want to repeat: options first, in the order of
  /// the help. A word with blanks or the like stands in quotes, as sh(1) takes them.
  private String commandLine() {
    StringBuilder text = new StringBuilder(title());
    for (OptionSpec option : spec().options()) {
      for (String value : option.originalStringValues()) {
        text.append(' ').append(option.longestName());
        if (Help.takesValue(option)) {
          text.append('=').append(quoted(value));
        }
      }
    }
    for (String operand : valuesOf(experiments)) {
      text.append(' ').append(quoted(operand));
    }
    return text.toString();
  }

  private static String quoted(String latin1) {
    String shown = RawText.printable(latin1);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      boolean isPlain = Character.isLetterOrDigit(c) || "-_./,:=@%+".indexOf(c) >= 0;
      if (!isPlain) {
        return "'" + shown.replace("'", "'\\''") + "'";
      }
    }
    return shown.isEmpty() ? "''" : shown;
  }
}
