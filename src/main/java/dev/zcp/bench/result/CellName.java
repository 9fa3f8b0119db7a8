package dev.zcp.bench.result;

import dev.zcp.bench.plan.Cell;
import dev.zcp.core.ByteSize;
import dev.zcp.engine.Choice;

/// How a sentence names a cell: `read 8.00 MiB warm by direct (64.0 KiB a call)`.
final class CellName {

  private CellName() {}

  static String of(Cell cell) {
    return cell.experiment().word()
        + " "
        + new ByteSize(cell.fileBytes())
        + " "
        + cell.cache().word()
        + " by "
        + cell.contender()
        + chunk(cell.chunkBytes());
  }

  private static String chunk(long bytes) {
    if (bytes == Choice.ADAPTIVE) {
      return "";
    }
    return bytes == Choice.WHOLE ? " (whole)" : " (" + new ByteSize(bytes) + " a call)";
  }
}
