package dev.zcp.cli;

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
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = ends.strategies();
    String text = costs(strategies.all());
    if (!ends.areMissing()) {
      RawPath profile = shell.profile();
      List<RawPath> paths = ends.paths(this);
      Survey survey = Survey.of(strategies, paths.getFirst(), paths.getLast(), profile);
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
        0);
    return text.toString();
  }
}
