package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.TransferException;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.util.Optional;

/// One way of doing what cells ask for. It keeps nothing from one run to the next, so that every
/// run pays for all that it needs.
interface Contender {

  /// As a plan names it.
  String name();

  /// What its calls cost by theory.
  ///
  /// @param ran the name of what really moved the bytes: another than [#name] where that chose
  Model model(String ran);

  /// Why it cannot do what `cell` asks for, as a phrase a user can read; empty where it can, or
  /// where only trying tells.
  Optional<String> refusal(Cell cell);

  /// Does `task`. Whether the right bytes arrived is looked at by others: what it claims counts for
  /// nothing.
  ///
  /// @param chunkBytes as in [Cell]
  /// @param meter must be told of every call, in the form of an observer of a transfer
  /// @throws IOException where a file or a socket fails
  /// @throws TransferException likewise, where it is known how far it came
  /// @throws RefusedException where it cannot do that here
  void run(Task task, long chunkBytes, Meter meter)
      throws IOException, TransferException, RefusedException;
}
