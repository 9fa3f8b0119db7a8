package dev.zcp.bench.run;

import java.nio.channels.SocketChannel;

/// What a contender is to do in one run. It opens and closes files itself, while the clock runs;
/// sockets are connected before, and stay open.
sealed interface Task {

  /// How many bytes there are to be moved.
  long bytes();

  /// Reads a file and shows `sink` all of it, in order.
  record Read(Place source, CheckingSink sink, long bytes) implements Task {}

  /// Writes what `source` gives to a file that does not exist yet.
  ///
  /// @param forcer is told of what was written, and forces it when it is time
  record Write(MemorySource source, Place target, Forcer forcer, long bytes) implements Task {}

  /// Copies a file to one that does not exist yet.
  record Copy(Place source, Place target, long bytes) implements Task {}

  /// Sends a file.
  record Send(Place source, SocketChannel socket, long bytes) implements Task {}

  /// Writes what comes from a socket to a file that does not exist yet.
  record Receive(SocketChannel socket, Place target, long bytes) implements Task {}
}
