package dev.zcp.cli;

import dev.zcp.copy.Survey;
import dev.zcp.core.ByteSize;
import dev.zcp.report.Table;
import dev.zcp.spi.Model;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
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

  /// What each strategy says of one route; `lines` is in the order in which auto would try them.
  static String verdicts(List<Survey.StrategyVerdict> lines) {
    Table table = new Table().left(NAME_COLUMNS_MIN, "STRATEGY").left("HERE");
    boolean taken = false;
    for (Survey.StrategyVerdict line : lines) {
      String verdict =
          switch (line.verdict()) {
            case Verdict.Refused(String reason) -> "no: " + reason;
            case Verdict.Usable(Verdict.Cost _, long chunkBytes) -> usable(chunkBytes, !taken);
          };
      taken |= line.verdict() instanceof Verdict.Usable;
      table.row(Table.Mark.NONE, List.of(line.strategy().name()), verdict);
    }
    return text(table);
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
