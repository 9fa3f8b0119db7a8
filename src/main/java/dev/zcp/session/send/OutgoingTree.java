package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.insight.Insight;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Surroundings;
import dev.zcp.tree.Losses;
import java.io.Closeable;

/// What a send command takes with it: the operands, and with `-r` what is in them, found on the way
/// that a copy of trees goes.
final class OutgoingTree implements Closeable {

  /// Looks at the operands, and at nothing in them.
  ///
  /// @param losses gets what cannot be sent of an entry besides its bytes
  /// @throws Failure USAGE where two operands would get the same name, or a directory is named
  ///   without `-r`; SOURCE where the only one cannot be sent. Of several, one that cannot be is
  ///   told to `insight`, and is left out
  static OutgoingTree of(
      SendRequest request, Surroundings surroundings, Insight insight, Losses losses)
      throws Failure {
    throw new UnsupportedOperationException();
  }

  /// What is to come, in all.
  ///
  /// @param entries how many of all kinds, or -1 where that is not known
  /// @param bytes the sum of the sizes of regular files, or -1
  /// @param files how many regular files, or -1
  record Totals(long entries, long bytes, long files) {

    static final Totals UNKNOWN = new Totals(-1, -1, -1);
  }

  /// Whether no operand can be sent.
  boolean isEmpty() {
    throw new UnsupportedOperationException();
  }

  /// Counts what is to come, by a walk of its own over names and statuses.
  Totals count() {
    throw new UnsupportedOperationException();
  }

  /// Bits of [dev.zcp.wire.Keep]: what is to be kept, where the receiver does.
  int keeps() {
    throw new UnsupportedOperationException();
  }

  /// Walks, and gives every entry to `outlet`; directories before what is in them. Returns when
  /// there is nothing more to be offered, or after [#stop]. What cannot be sent is told to the
  /// insight.
  void walk(Outlet outlet) {
    throw new UnsupportedOperationException();
  }

  /// The session is over: the walk ends soon.
  void stop() {
    throw new UnsupportedOperationException();
  }

  /// Closes the directories that are open, when no entry is under way any more.
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
