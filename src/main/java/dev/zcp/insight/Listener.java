package dev.zcp.insight;

import dev.zcp.core.Failure;

/// Hears the events of a command, one at a time, in order. Must not throw.
@FunctionalInterface
public interface Listener {

  void on(Event event);

  /// Makes sure that what it was told has got to where it must.
  ///
  /// @throws Failure DESTINATION if it was lost
  default void requireHeard() throws Failure {}

  /// Whether it wants [Event.FileStarted], [Event.FileDone] and each [Event.Kept]: a tree has a
  /// million of them, and if nobody listens they are not made. Must not change.
  default boolean hearsEachFile() {
    return true;
  }

  /// Whether it is worth some work to know early how much there is to do: for nobody but a person
  /// who watches. Must not change.
  default boolean wantsTotals() {
    return false;
  }
}
