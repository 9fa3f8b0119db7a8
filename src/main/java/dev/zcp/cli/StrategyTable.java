package dev.zcp.cli;

import dev.zcp.core.ByteSize;
import dev.zcp.session.Survey;
import dev.zcp.spi.Model;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.Collection;
import java.util.List;

/// The tables of `zcp strategies`, 80 columns wide.
final class StrategyTable {

  private static final int NAME_COLUMNS = 15;
  private static final int SWITCH_COLUMNS = 8;
  private static final int COPY_COLUMNS = 5;
  private static final int TEXT_COLUMN = NAME_COLUMNS + SWITCH_COLUMNS + 2 * COPY_COLUMNS + 2;

  private StrategyTable() {}

  /// What each strategy costs, by its own account.
  static String costs(Collection<TransferStrategy> strategies) {
    StringBuilder table = new StringBuilder();
    name(table, "STRATEGY");
    table.append("SWITCHES  U/K  K/K  WHAT CARRIES A BYTE\n");
    for (TransferStrategy strategy : strategies) {
      Model model = strategy.model();
      name(table, strategy.name());
      number(table, model.modeSwitches(), SWITCH_COLUMNS);
      number(table, model.userKernelCopies(), COPY_COLUMNS);
      number(table, model.kernelKernelCopies(), COPY_COLUMNS);
      table.append("  ");
      Wrapping.append(table, strategy.summary(), TEXT_COLUMN, TEXT_COLUMN);
    }
    Wrapping.append(
        table.append('\n'),
        "SWITCHES: mode switches for one chunk to a socket. U/K: copies between user and kernel"
            + " memory. K/K: copies inside the kernel.",
        0,
        0);
    return table.toString();
  }

  /// What each strategy says of one route; `lines` is in the order in which auto would try them.
  static String verdicts(List<Survey.Line> lines) {
    StringBuilder table = new StringBuilder();
    name(table, "STRATEGY");
    table.append("HERE\n");
    boolean taken = false;
    for (Survey.Line line : lines) {
      name(table, line.strategy().name());
      String verdict =
          switch (line.verdict()) {
            case Verdict.Refused(String reason) -> "no: " + reason;
            case Verdict.Usable(Verdict.Cost _, long chunkBytes) -> usable(chunkBytes, !taken);
          };
      taken |= line.verdict() instanceof Verdict.Usable;
      Wrapping.append(table, verdict, NAME_COLUMNS, NAME_COLUMNS);
    }
    return table.toString();
  }

  private static String usable(long chunkBytes, boolean first) {
    String chunks =
        chunkBytes == Long.MAX_VALUE ? "" : ", in chunks of up to " + new ByteSize(chunkBytes);
    return "yes" + chunks + (first ? "; auto takes it" : "");
  }

  private static void name(StringBuilder table, String name) {
    table.append(name).repeat(' ', Math.max(1, NAME_COLUMNS - name.length()));
  }

  private static void number(StringBuilder table, int number, int columns) {
    String digits = Integer.toString(number);
    table.repeat(' ', Math.max(1, columns - digits.length())).append(digits);
  }
}
