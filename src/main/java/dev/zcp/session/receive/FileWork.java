package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.insight.Samples;
import dev.zcp.insight.Stage;

/// Hears of the work on the files of a session. Who only wants to hear of progress implements
/// [#goesOn] alone. Any thread may call it.
@FunctionalInterface
interface FileWork extends Samples {

  /// Called again and again by work that takes long. What this throws ends the work.
  void goesOn();

  /// An entry is about to be made; [#giveBack] if it was not, after all.
  ///
  /// @param bytes how many are to come of it
  /// @throws java.util.concurrent.CancellationException if this is more than the user allows: the
  ///   session is over by that
  default void use(Object path, long bytes) {}

  /// What was [used][#use] is not there.
  default void giveBack(long bytes) {}

  /// Whether something has failed at this end, but for what vanished.
  default boolean isAnyFailed() {
    return false;
  }

  /// An entry was deleted, since the sender does not have it.
  ///
  /// @param name its `toString` is printable, and only called if it is told
  default void deleted(Object name) {}

  /// An entry would be deleted, and this is a dry run.
  ///
  /// @param name as [#deleted] has it
  /// @param path below the receiver's directory
  default void wouldDelete(Object name, byte[] path) {}

  /// An entry that the sender does not have could not be deleted.
  default void failed(Object name, Failure failure) {}

  @Override
  default void sample(Stage stage, long elapsedNs) {}
}
