package dev.zcp.session.send;

import dev.zcp.core.Level;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.insight.SessionFacts;
import dev.zcp.session.BelievedBytes;
import dev.zcp.session.Checksum;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Digest;

/// What the receiver of a session agreed to, above all how far it proves the arrival, and what the
/// report is told of that. Until it has, there is one connection.
///
/// Any thread may call it, with the session's monitor or without.
final class Agreement {

  private static final String PROOF_AGAIN = "each file read again there before it got its name";

  private static final String PROOF_MEDIA =
      "each file read from the device there before it got its name";

  private final SendingEnd end;
  private final Insight insight;
  private final String peer;
  private final Level asked;
  private final BelievedBytes believed = new BelievedBytes();

  /// Null as long as there are none, and never again. The session wakes whoever waits for them.
  private volatile Accept terms;

  Agreement(SendingEnd end, Insight insight, String peer, Level asked) {
    this.end = end;
    this.insight = insight;
    this.peer = peer;
    this.asked = asked;
  }

  /// The receiver has said its terms. The user is told if they prove less than was asked for, so
  /// this is to be called without the monitor.
  void reach(Accept accepted) {
    terms = accepted;
    tellWhereLess(accepted.level());
  }

  boolean isReached() {
    return terms != null;
  }

  /// The level that was agreed on, or null as long as none was.
  Level level() {
    return terms == null ? null : terms.level();
  }

  /// What digests are to be made by; only once it is [reached][#isReached].
  Digest.Algorithm digest() {
    return terms.digest();
  }

  /// What touched bytes here for their digest, as [SessionFacts#proved] has it.
  void proved(String how) {
    insight.ofSession().proved(how);
  }

  /// Files that the receiver had before were compared by their digests.
  void provedThere() {
    proved(Checksum.labelOfPresent(digest(), "there"));
  }

  /// Tells the report, once nothing more comes, what was not compared digest by digest: what the
  /// receiver did besides, and what either end took on trust.
  void tell() {
    Level agreed = level();
    if (agreed == null) {
      return;
    }
    Level there = end.peerReached();
    Level reached = there == null ? agreed : there;
    if (reached.compareTo(Level.READBACK) >= 0) {
      insight.ofSession().proved(reached == Level.MEDIA ? PROOF_MEDIA : PROOF_AGAIN);
    }
    believed.tell(insight);
    insight.ofSession().peerReached(agreed, there, "receiver");
  }

  /// So many bytes of an entry count as arrived, and were not read again at this end.
  void believed(long bytes) {
    believed.add(bytes);
  }

  /// What the receiver keeps; 0 as long as that was not said.
  int keeps() {
    return terms == null ? 0 : terms.keeps();
  }

  int connectionsMax() {
    return terms == null || terms.inOrder() ? 1 : terms.connectionsMax();
  }

  /// Whether all goes to the receiver's standard output, which takes it as fast as its reader does.
  boolean isInOrder() {
    return terms != null && terms.inOrder();
  }

  private void tellWhereLess(Level accepted) {
    if (accepted.compareTo(asked) < 0) {
      String why =
          accepted == Level.WIRE
              ? "what it receives goes to a stream and cannot be read again"
              : "its directory is in memory and has no device to read from";
      insight.note(
          peer + ": verifies to " + label(accepted) + ", not " + label(asked) + ": " + why);
    }
  }

  private static String label(Level level) {
    return level.label();
  }
}
