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
        "list the strategies, and what each costs",
        "[OPTIONS] [SOURCE TARGET]",
        List.of(
            "Lists every strategy and its cost: the switches between user and kernel"
                + " mode for one chunk on its way to a socket, and how often the processor"
                + " copies each byte, between user and kernel memory (U/K) and inside the"
                + " kernel (K/K).",
            "With SOURCE and TARGET, shows which strategies can copy SOURCE to TARGET,"
                + " why the others cannot, and which one auto would use. Nothing is copied."),
        List.of(
            new Manual.Example("zcp strategies", "List all strategies."),
            new Manual.Example(
                "zcp strategies disk.img /backup/",
                "Show which strategies can serve this copy, and which one auto uses."),
            new Manual.Example(
                "zcp strategies --strategy-path=mine.jar", "Check that my own strategy is found.")),
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
