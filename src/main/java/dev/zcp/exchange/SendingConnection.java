package dev.zcp.exchange;

import dev.zcp.wire.ProtocolException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// One connection, as its sender knows it.
final class SendingConnection {

  final int number;

  final boolean isControl;

  private final Deque<SentUnit> units = new ArrayDeque<>();

  /// The connections that were lost, and it is still to be said here.
  final List<Integer> lost = new ArrayList<>();

  /// What the last turn is still to be told of by [SendingEnd#saying]: a block, or files of a
  /// batch, or a stream.
  SentEntry blockTurn;

  UnsentSpan spanTurn;
  List<SentEntry> batchTurn = List.of();
  SentEntry streamTurn;
  SentPart partTurn;

  /// What the turn holds of the window until its unit does.
  long reservedBytes;

  SendingConnection(int number, boolean isControl) {
    this.number = number;
    this.isControl = isControl;
  }

  void add(SentUnit unit) {
    units.addLast(unit);
  }

  /// A stream that is being sent has none while its producer pauses.
  int underWay() {
    boolean inTurn = blockTurn != null || !batchTurn.isEmpty() || partTurn != null;
    return units.size() + (inTurn ? 1 : 0);
  }

  /// The units that are done if so many more are.
  List<SentUnit> acknowledge(int count) throws ProtocolException {
    if (count > units.size()) {
      throw new ProtocolException(count + " units acknowledged, of " + units.size());
    }
    List<SentUnit> done = new ArrayList<>(count);
    while (done.size() < count) {
      done.add(units.pollFirst());
    }
    return done;
  }

  /// All units that are under way, oldest first.
  Iterable<SentUnit> units() {
    return units;
  }
}
