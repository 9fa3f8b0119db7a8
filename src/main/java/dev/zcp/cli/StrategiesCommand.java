package dev.zcp.cli;

import dev.zcp.cli.Manual.Example;
import dev.zcp.copy.Survey;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.report.Table;
import dev.zcp.spi.Model;
import dev.zcp.spi.TransferStrategy;
import java.util.Collection;
import java.util.List;

final class StrategiesCommand extends Command {

  private final ExplainCommand.SurveyOptions ends = group(new ExplainCommand.SurveyOptions());

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
            "With SOURCE and TARGET, also says what 'zcp explain' says: which strategies can serve"
                + " there, why the others cannot, and which one auto would use."),
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
    Strategies strategies = ends.strategies();
    String text = costs(strategies.all());
    if (!ends.areMissing()) {
      RawPath profile = shell.profile();
      Survey survey = ends.survey(this, strategies, profile);
      text += "\n" + ExplainText.of(survey, profile, shell.isUnicode());
    }
    shell.out().print(text);
    return ExitCode.OK;
  }

  static String costs(Collection<TransferStrategy> strategies) {
    Table table =
        new Table()
            .left(ExplainText.NAME_COLUMNS_MIN, "STRATEGY")
            .right("SWITCHES", "U/K", "K/K")
            .left("WHAT CARRIES A BYTE");
    for (TransferStrategy strategy : strategies) {
      Model model = strategy.model();
      List<String> cells =
          List.of(
              strategy.name(),
              Integer.toString(model.modeSwitches()),
              Integer.toString(model.userKernelCopies()),
              Integer.toString(model.kernelKernelCopies()));
      table.row(Table.Mark.NONE, cells, strategy.summary());
    }
    StringBuilder text = new StringBuilder(ExplainText.lines(table)).append('\n');
    Help.append(
        text,
        "SWITCHES: mode switches for one chunk to a socket. U/K: copies between user and kernel"
            + " memory. K/K: copies inside the kernel.",
        0,
        0);
    return text.toString();
  }
}
