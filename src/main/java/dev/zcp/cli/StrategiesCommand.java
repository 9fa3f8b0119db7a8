package dev.zcp.cli;

import dev.zcp.cli.Manual.Example;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp strategies`.
final class StrategiesCommand extends Command {

  private final OptionSpec jars = strategyPath();
  private final PositionalParamSpec source = operands("0", "SOURCE");
  private final PositionalParamSpec target = operands("1..*", "TARGET");

  StrategiesCommand() {
    super("zcp strategies");
  }

  @Override
  public Manual manual() {
    return new Manual(
        "list the strategies, and what each costs",
        "[OPTIONS] [SOURCE TARGET]",
        List.of(
            "Lists every strategy and its cost: the switches between user and kernel mode for"
                + " one chunk on its way to a socket, and how often the processor copies each"
                + " byte, between user and kernel memory (U/K) and inside the kernel (K/K).",
            "With SOURCE and TARGET, shows which strategies can copy SOURCE to TARGET,"
                + " why the others cannot, and which one auto would use. Nothing is copied;"
                + " zcp-explain(1) says how it is found out, and more."),
        List.of(
            new Example("zcp strategies", "List all strategies."),
            new Example(
                "zcp strategies disk.img /backup/",
                "Show which strategies can serve this copy, and which one auto uses."),
            new Example(
                "zcp strategies --strategy-path=mine.jar", "Check that my own strategy is found.")),
        Manual.withProfile(List.of()));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<String> from = valuesOf(source);
    List<String> to = valuesOf(target);
    atMost(1, to);
    if (!from.isEmpty() && to.isEmpty()) {
      throw usage("TARGET is missing after " + RawText.printable(from.getFirst()));
    }
    Strategies strategies = load(jars);
    String table = StrategyTable.costs(strategies.all());
    if (!from.isEmpty()) {
      table +=
          "\n"
              + StrategyTable.verdicts(
                  survey(strategies, from.getFirst(), to.getFirst(), shell.profile()));
    }
    shell.out().print(table);
    return ExitCode.OK;
  }
}
