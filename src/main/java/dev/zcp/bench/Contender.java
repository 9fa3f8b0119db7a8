package dev.zcp.bench;

import dev.zcp.engine.RefusedException;
import dev.zcp.engine.TransferException;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/// One way of doing what cells ask for. It keeps nothing from one run to the next, so that every
/// run pays for all that it needs.
interface Contender {

  /// Its name, as a user types it.
  String word();

  /// What its calls cost by theory.
  ///
  /// @param ran the name of what really moved the bytes: another than [#word] if that chose
  Model model(String ran);

  /// Why it cannot do what `cell` asks for, as a phrase a user can read; empty if it can, or if
  /// only trying tells.
  Optional<String> refusal(Cell cell);

  /// Does `task`. Whether the right bytes arrived is looked at by others: what it claims counts for
  /// nothing.
  ///
  /// @param chunkBytes as in [Cell]
  /// @param meter must be told of every call, in the form of an observer of a transfer
  /// @throws IOException if a file or a socket fails
  /// @throws TransferException likewise, if it is known how far it came
  /// @throws RefusedException if it cannot do that here
  void run(Task task, long chunkBytes, Meter meter)
      throws IOException, TransferException, RefusedException;

  /// What a contender is to do in one run. It opens and closes files itself, while the clock runs;
  /// sockets are connected before, and stay open.
  sealed interface Task {

    /// How many bytes there are to be moved.
    long bytes();

    /// Reads a file and shows `sink` all of it, in order.
    record Read(BenchFile source, MemoryEnds.CheckingSink sink, long bytes) implements Task {}

    /// Writes what `source` gives to a file that does not exist yet.
    ///
    /// @param forcer must be told how to force the file before the first byte, and that all was
    ///   written
    record Write(MemoryEnds.Memory source, BenchFile target, Forcer forcer, long bytes)
        implements Task {}

    /// Copies a file to one that does not exist yet.
    record Copy(BenchFile source, BenchFile target, long bytes) implements Task {}

    /// Sends a file.
    record Send(BenchFile source, SocketChannel socket, long bytes) implements Task {}

    /// Writes what comes from a socket to a file that does not exist yet.
    record Receive(SocketChannel socket, BenchFile target, long bytes) implements Task {}
  }
}
