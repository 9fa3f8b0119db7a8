package dev.zcp.session.send;

import dev.zcp.wire.Answer;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Reply;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// The entries of a session that were offered and are not over, at most as many as
/// [dev.zcp.exchange.SendingEnd#hasRoom] allows.
///
/// Whoever calls it must hold the session's monitor.
final class UnderWay {

  private final Map<Long, Sent> entries = new HashMap<>();

  /// What had changed, to be offered anew.
  private final ArrayDeque<Sent> changed = new ArrayDeque<>();

  private int unanswered;
  private long over;

  void put(long fileId, Sent sent) {
    entries.put(fileId, sent);
  }

  /// The entry, or null where it is over.
  Sent get(long fileId) {
    return entries.get(fileId);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// How many are over.
  long over() {
    return over;
  }

  /// An entry is over.
  ///
  /// @return null where it was before
  Sent remove(long fileId) {
    Sent sent = entries.remove(fileId);
    if (sent != null) {
      over++;
      answered(sent);
    }
    return sent;
  }

  /// An entry is over, and is to be offered once more.
  void removeToOfferAnew(long fileId) {
    Sent sent = remove(fileId);
    if (sent != null) {
      changed.add(sent);
    }
  }

  boolean hasChanged() {
    return !changed.isEmpty();
  }

  /// What is to be offered anew next, or null.
  Sent pollChanged() {
    return changed.poll();
  }

  /// Whether the receiver has to answer for some of them.
  boolean awaitsAnswers() {
    return unanswered > 0;
  }

  /// Counts what is to be answered by the receiver.
  void said(Frame frame) {
    if (frame.type() == FrameType.OFFER) {
      for (Offered each : ((Offer) frame).entries()) {
        Sent sent = entries.get(each.fileId());
        unanswered += sent != null && sent.awaitAnswer() ? 1 : 0;
      }
    }
  }

  /// The mirror of [#said].
  void heard(Frame frame) {
    if (frame.type() == FrameType.REPLY) {
      for (Answer answer : ((Reply) frame).answers()) {
        Sent sent = entries.get(answer.fileId());
        if (sent != null) {
          answered(sent);
        }
      }
    }
  }

  private void answered(Sent sent) {
    unanswered -= sent.takeAnswer() ? 1 : 0;
  }
}
