package dev.zcp.cli;

import dev.zcp.copy.Survey;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp strategies`.
final class StrategiesCommand implements Command {

  private final CommonOptions common = new CommonOptions();
  private final StrategyJars jars = new StrategyJars();
  private final PositionalParamSpec source = Options.operands("0", "SOURCE").arity("0..1").build();
  private final PositionalParamSpec target = Options.operands("1..*", "TARGET").build();
  private final CommandSpec spec = Options.spec(this);

  StrategiesCommand() {
    jars.addTo(spec);
    common.addTo(spec);
    spec.addPositional(source);
    spec.addPositional(target);
  }

  @Override
  public String title() {
    return "zcp strategies";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "show the ways of moving bytes, and what each costs",
        "[OPTIONS] [SOURCE TARGET]",
        List.of(
            "Lists every strategy: the switches between user and kernel mode that one chunk on its"
                + " way to a socket costs, and the copies that the processor makes of each byte,"
                + " between user and kernel memory (U/K) and inside the kernel (K/K).",
            "With SOURCE and TARGET, says of each whether it can copy the one to the other, if not"
                + " why not, and which one auto would take. Nothing is copied."),
        List.of(
            new Manual.Example("zcp strategies", "What there is."),
            new Manual.Example(
                "zcp strategies disk.img /backup/",
                "What can serve this copy, and what auto takes."),
            new Manual.Example(
                "zcp strategies --strategy-path=mine.jar", "Is my own strategy found?")),
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
    List<String> from = Options.valuesOf(source);
    List<String> to = Options.valuesOf(target);
    Options.atMost(1, to);
    if (!from.isEmpty() && to.isEmpty()) {
      throw Failure.of(
          ExitCode.USAGE, "TARGET is missing after " + RawText.printable(from.getFirst()));
    }
    Strategies strategies = jars.load();
    String table = StrategyTable.costs(strategies.all());
    if (!from.isEmpty()) {
      table +=
          "\n"
              + StrategyTable.verdicts(
                  Survey.of(
                      strategies,
                      RawText.path(from.getFirst()),
                      RawText.path(to.getFirst()),
                      ProfilePath.of(shell)));
    }
    shell.out().print(table);
    return ExitCode.OK;
  }
}
