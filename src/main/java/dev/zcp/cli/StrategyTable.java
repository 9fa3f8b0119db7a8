package dev.zcp.cli;

import dev.zcp.copy.Explanation;
import dev.zcp.copy.Survey;
import dev.zcp.core.ByteSize;
import dev.zcp.engine.Engine;
import dev.zcp.report.Table;
import dev.zcp.spi.Model;
import dev.zcp.spi.TransferStrategy;
import java.util.Collection;
import java.util.List;

/// The tables of `zcp strategies`, 80 columns wide.
final class StrategyTable {

  /// Enough for every built-in name.
  static final int NAME_COLUMNS_MIN = 13;

  private StrategyTable() {}

  /// What each strategy costs, by its own account.
  static String costs(Collection<TransferStrategy> strategies) {
    Table table =
        new Table()
            .left(NAME_COLUMNS_MIN, "STRATEGY")
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
    StringBuilder text = new StringBuilder(text(table)).append('\n');
    Help.append(
        text,
        "SWITCHES: mode switches for one chunk to a socket. U/K: copies between user and kernel"
            + " memory. K/K: copies inside the kernel.",
        0,
        0);
    return text.toString();
  }

  /// What each strategy says of one route, in the order in which auto would try them.
  static String verdicts(Survey survey) {
    Table table = new Table().left(NAME_COLUMNS_MIN, "STRATEGY").left("HERE");
    for (Engine.Candidate each : survey.usable()) {
      String name = each.strategy().name();
      boolean isFirst = each == survey.usable().getFirst();
      table.row(Table.Mark.NONE, List.of(name), usable(each.verdict().chunkBytes(), isFirst));
    }
    for (Explanation.Refusal each : survey.refusals()) {
      table.row(Table.Mark.NONE, List.of(each.strategy().name()), "no: " + each.reason());
    }
    StringBuilder text = new StringBuilder(text(table)).append('\n');
    Help.append(text, survey.trial(), 0, 0);
    return text.toString();
  }

  static String text(Table table) {
    return String.join("\n", table.lines(Help.COLUMNS)) + "\n";
  }

  private static String usable(long chunkBytes, boolean first) {
    String chunks =
        chunkBytes == Long.MAX_VALUE ? "" : ", in chunks of up to " + new ByteSize(chunkBytes);
    return "yes" + chunks + (first ? "; auto takes it" : "");
  }
}
