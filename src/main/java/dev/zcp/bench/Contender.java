package dev.zcp.bench;

import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
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

  /// What a contender is to do in one run: move all bytes from one end to the other. It opens and
  /// closes files itself, while the clock runs; sockets are connected before, and stay open.
  ///
  /// @param to a file does not exist yet
  /// @param bytes how many there are
  /// @param forcer must be told how to force a file before its first byte, and that all was written
  record Task(Endpoint from, Endpoint to, long bytes, Forcer forcer) {

    /// The file that is read.
    BenchFile source() {
      return (BenchFile) from;
    }

    /// The file that is written.
    BenchFile target() {
      return (BenchFile) to;
    }
  }

  /// Where bytes come from, or where they go.
  sealed interface Endpoint
      permits Contender.BenchFile, Contender.Socket, MemoryEnds.Memory, MemoryEnds.CheckingSink {}

  record Socket(SocketChannel channel) implements Endpoint {}

  /// @param device `st_dev`, which strategies ask for
  record BenchFile(Path path, long device) implements Endpoint {}
}
