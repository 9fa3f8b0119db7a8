package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Verdicts;
import dev.zcp.wire.Wants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One connection, as its receiver knows it: what arrived and is not acknowledged, and what there
/// is to say.
final class ReceivingConnection {

  final int number;
  private final Deque<ReceivedUnit> units = new ArrayDeque<>();
  private final List<Answer> answers = new ArrayList<>();
  private final List<Rejection> rejections = new ArrayList<>();
  private final List<Wants> wants = new ArrayList<>();

  /// The numbers of looks that are not answered.
  private final Set<Long> looks = new HashSet<>();

  private long arrivedUnits;

  /// Units that are done, and it is still to be said.
  private int doneUnits;

  private long bytesUnderWay;

  /// The block whose trailer is due: its file, or null if it is not wanted; and which bytes.
  ReceivedEntry blockOf;

  long blockFileId;
  Span block;

  boolean isTermsDue;
  boolean isLastWordDue;
  boolean hasSaidLastWord;

  ReceivingConnection(int number) {
    this.number = number;
  }

  /// Before the raw bytes of a unit.
  void requireRoom(long bytes, long window) throws ProtocolException {
    if (bytesUnderWay > 0 && bytes > window - bytesUnderWay) {
      throw new ProtocolException(
          bytes
              + " bytes over a window of "
              + window
              + ", of which "
              + bytesUnderWay
              + " are under way");
    }
  }

  ReceivedUnit arrived(long bytes, Span span) throws ProtocolException {
    if (units.size() + doneUnits >= Limits.UNITS_UNDER_WAY_MAX) {
      throw new ProtocolException("more than " + Limits.UNITS_UNDER_WAY_MAX + " units under way");
    }
    ReceivedUnit unit = new ReceivedUnit(this, arrivedUnits, bytes, span);
    arrivedUnits++;
    bytesUnderWay += bytes;
    units.addLast(unit);
    return unit;
  }

  /// The unit of this number that is not done, or null.
  ReceivedUnit unit(long number) {
    for (ReceivedUnit unit : units) {
      if (unit.number == number) {
        return unit;
      }
    }
    return null;
  }

  Iterable<ReceivedUnit> units() {
    return units;
  }

  /// Counts the units that are done, up to the first that is not.
  void advance() {
    while (!units.isEmpty() && units.peekFirst().isDone()) {
      bytesUnderWay -= units.pollFirst().bytes;
      doneUnits++;
    }
  }

  /// Whether some of these bytes are being written for this connection.
  boolean hasInHand(ReceivedEntry entry, Span span) {
    if (blockOf == entry && overlap(block, span)) {
      return true;
    }
    for (ReceivedUnit unit : units) {
      if (unit.inHandOf() == entry && overlap(unit.span, span)) {
        return true;
      }
    }
    return false;
  }

  private static boolean overlap(Span one, Span other) {
    return one.offset() < other.end() && other.offset() < one.end();
  }

  void looking(long number) throws ProtocolException {
    if (looks.size() == Limits.LOOKS_UNDER_WAY_MAX || !looks.add(number)) {
      throw new ProtocolException(
          "look "
              + number
              + " twice, or more than "
              + Limits.LOOKS_UNDER_WAY_MAX
              + " looks under way");
    }
  }

  void say(Answer answer) {
    answers.add(answer);
  }

  void say(Wants answer) {
    wants.add(answer);
  }

  void reject(Rejection rejection) {
    rejections.add(rejection);
  }

  boolean hasFrames() {
    boolean isAnyAnswer = !answers.isEmpty() || !wants.isEmpty();
    return doneUnits > 0 || isAnyAnswer || !rejections.isEmpty();
  }

  /// Adds all that was to be said. What is told of a unit comes before its acknowledgement.
  void takeFrames(List<Frame> frames) {
    frames.addAll(Reply.of(answers));
    answers.clear();
    frames.addAll(wants);
    wants.forEach(each -> looks.remove(each.number()));
    wants.clear();
    frames.addAll(Verdicts.of(doneUnits, rejections));
    rejections.clear();
    doneUnits = 0;
  }
}
