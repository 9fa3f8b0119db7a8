package dev.zcp.cli;

import dev.zcp.copy.Survey;
import dev.zcp.core.ByteSize;
import dev.zcp.spi.Model;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.Collection;
import java.util.List;

/// The tables of `zcp strategies`, 80 columns wide.
final class StrategyTable {

  /// Enough for every built-in name, and two blanks.
  private static final int NAME_COLUMNS_MIN = 15;

  private static final int SWITCH_COLUMNS = 8;
  private static final int COPY_COLUMNS = 5;

  private StrategyTable() {}

  /// What each strategy costs, by its own account.
  static String costs(Collection<TransferStrategy> strategies) {
    StringBuilder table = new StringBuilder();
    int names = nameColumns(strategies);
    int column = names + SWITCH_COLUMNS + 2 * COPY_COLUMNS + 2;
    name(table, "STRATEGY", names);
    table.append("SWITCHES  U/K  K/K  WHAT CARRIES A BYTE\n");
    for (TransferStrategy strategy : strategies) {
      Model model = strategy.model();
      name(table, strategy.name(), names);
      number(table, model.modeSwitches(), SWITCH_COLUMNS);
      number(table, model.userKernelCopies(), COPY_COLUMNS);
      number(table, model.kernelKernelCopies(), COPY_COLUMNS);
      Wrapping.append(table.append("  "), strategy.summary(), column, column);
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
    int names = nameColumns(lines.stream().map(Survey.Line::strategy).toList());
    name(table, "STRATEGY", names);
    table.append("HERE\n");
    boolean taken = false;
    for (Survey.Line line : lines) {
      name(table, line.strategy().name(), names);
      String verdict =
          switch (line.verdict()) {
            case Verdict.Refused(String reason) -> "no: " + reason;
            case Verdict.Usable(Verdict.Cost _, long chunkBytes) -> usable(chunkBytes, !taken);
          };
      taken |= line.verdict() instanceof Verdict.Usable;
      Wrapping.append(table, verdict, names, names);
    }
    return table.toString();
  }

  private static String usable(long chunkBytes, boolean first) {
    String chunks =
        chunkBytes == Long.MAX_VALUE ? "" : ", in chunks of up to " + new ByteSize(chunkBytes);
    return "yes" + chunks + (first ? "; auto takes it" : "");
  }

  private static int nameColumns(Collection<TransferStrategy> strategies) {
    int columns = NAME_COLUMNS_MIN;
    for (TransferStrategy strategy : strategies) {
      columns = Math.max(columns, strategy.name().length() + 2);
    }
    return columns;
  }

  private static void name(StringBuilder table, String name, int columns) {
    table.append(name).repeat(' ', columns - name.length());
  }

  private static void number(StringBuilder table, int number, int columns) {
    String digits = Integer.toString(number);
    table.repeat(' ', Math.max(1, columns - digits.length())).append(digits);
  }
}
