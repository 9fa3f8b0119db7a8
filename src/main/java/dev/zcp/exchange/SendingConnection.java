package dev.zcp.exchange;

import dev.zcp.exchange.SentEntry.UnsentSpan;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.ProtocolException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One connection, as its sender knows it.
final class SendingConnection {

  final int number;

  final boolean isControl;

  private final Deque<SentUnit> units = new ArrayDeque<>();

  /// The connections that were lost, and it is still to be said here.
  final List<Integer> lost = new ArrayList<>();

  /// The parts that the receiver was asked about here, by the number of the look.
  final Map<Long, SentPart> looks = new HashMap<>();

  /// What is to be said of chunks of files, in the order of each file.
  final Deque<Chunks> chunks = new ArrayDeque<>();

  /// How many files are [cut][SentEntry.SentStage#CUTTING], and [rebuilt][SentEntry.SentStage].
  int cutting;

  int rebuilding;

  /// What the last turn is still to be told of by [SendingEnd#saying]: a block, a part, or a
  /// stream.
  SentEntry blockTurn;

  UnsentSpan spanTurn;
  SentEntry streamTurn;
  SentPart partTurn;

  /// What the turn holds of the window until its unit does.
  long reservedBytes;

  SendingConnection(int number, boolean isControl) {
    this.number = number;
    this.isControl = isControl;
  }

  /// The turn with a part, if there is one, is over.
  void endPartTurn(SentParts parts) {
    if (partTurn != null) {
      partTurn = null;
      parts.turnOver();
    }
  }

  void add(SentUnit unit) {
    units.addLast(unit);
  }

  /// A stream that is being sent has none while its producer pauses.
  int underWay() {
    boolean inTurn = blockTurn != null || partTurn != null;
    return units.size() + (inTurn ? 1 : 0);
  }

  boolean isAnyUnderWay() {
    return !units.isEmpty();
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
