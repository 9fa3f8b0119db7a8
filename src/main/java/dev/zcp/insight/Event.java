package dev.zcp.insight;

import dev.zcp.core.Failure;
import java.util.List;
import java.util.function.LongSupplier;

/// Something worth telling while a command runs. Names are printable.
public sealed interface Event {

  /// The command begins.
  ///
  /// @param command `copy`, `send` or `receive`
  /// @param strategy the strategy asked for
  /// @param files how many files, or -1 where only the peer knows
  /// @param bytes how many bytes in all, or -1 where that is not known
  /// @param bytesMoved the bytes moved so far, at any later moment and from any thread
  record Started(String command, String strategy, int files, long bytes, LongSupplier bytesMoved)
      implements Event {}

  /// A receiver waits at `url`, which holds the key.
  record Listening(String url) implements Event {}

  /// A peer has proved that it knows the key.
  record Connected(Link link) implements Event {}

  /// @param bytes the size, or -1 where it is not known
  record FileStarted(String name, long bytes) implements Event {}

  /// A file is complete and, where it has a name, published.
  record FileDone(String name, long bytes, long elapsedNs, List<Ran> ran, Verified verified)
      implements Event {}

  /// A file failed; others may go on. The failure's message names the file.
  record FileFailed(String name, Failure failure) implements Event {}

  /// The command as a whole failed, for a cause that no [FileFailed] has told.
  record Failed(Failure failure) implements Event {}

  /// Something a user should know that ends nothing: a refused connection, a fall-back.
  record Noted(String message) implements Event {}

  /// The last event.
  record Finished(Result result) implements Event {}
}
