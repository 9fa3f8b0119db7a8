package dev.zcp.insight;

import dev.zcp.core.Level;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.Session;
import java.util.ArrayList;
import java.util.List;

/// What an [Insight] is told of a session besides its files. Any thread may call it.
public final class SessionFacts {

  /// A level is reached in very few ways; what comes after so many is not kept.
  private static final int PROOFS_MAX = 8;

  // All below is guarded by this.
  private int connections = 1;
  private long bytesDirect;

  /// -1 if nobody counts them.
  private long bytesAcknowledged = -1;

  private long bytesResumed;
  private long bytesThere;
  private long bytesReused;
  private long bytesResent;
  private String congestion = "";
  private long bytesCompressed;
  private long bytesCompressedTo;
  private String whyUncompressed = "";

  /// Null if the peer said nothing.
  private Level peerReached;

  private final List<String> proofs = new ArrayList<>(1);

  /// So many raw bytes went by a connection past the ssh that the session began by.
  public synchronized void wentDirect(long bytes) {
    bytesDirect += bytes;
  }

  /// So many connections of the session are open now. The result has the most there were.
  public synchronized void connections(int open) {
    connections = Math.max(connections, open);
  }

  synchronized int connectionsMost() {
    return connections;
  }

  /// So many more bytes have arrived for good: a sender knows that they are acknowledged, a
  /// receiver has written and verified them. From the first call on, progress counts these and not
  /// what was [moved][FileLog#moved], which may still be in a socket's buffer. So this must be
  /// called with 0 before the first file. Bytes that are [resumed][#resumed] do not count.
  public synchronized void acknowledged(long bytes) {
    bytesAcknowledged = Math.max(0, bytesAcknowledged) + bytes;
  }

  /// How many have [arrived][#acknowledged] so far.
  public synchronized long bytesAcknowledged() {
    return Math.max(0, bytesAcknowledged);
  }

  /// As [#bytesAcknowledged]; -1 if nobody counts them.
  synchronized long bytesArrived() {
    return bytesAcknowledged;
  }

  /// So many more bytes need not be sent, since the receiver has them from before.
  public synchronized void resumed(long bytes) {
    bytesResumed += bytes;
  }

  synchronized long bytesResumed() {
    return bytesResumed;
  }

  /// As [#resumed], of a file of which the receiver has all bytes.
  public synchronized void alreadyThere(long bytes) {
    resumed(bytes);
    bytesThere += bytes;
  }

  /// As [#resumed], of bytes that the receiver took from other versions of the files.
  public synchronized void reused(long bytes) {
    resumed(bytes);
    bytesReused += bytes;
  }

  /// So many more bytes had to be sent again, since they arrived damaged.
  public synchronized void resent(long bytes) {
    bytesResent += bytes;
  }

  /// So many more bytes went, or came, as so few.
  public synchronized void compressed(long bytes, long toBytes) {
    bytesCompressed += bytes;
    bytesCompressedTo += toBytes;
  }

  /// Why a connection compressed nothing, if it has not. The last call counts.
  public synchronized void uncompressed(String why) {
    whyUncompressed = why;
  }

  /// How the level of [FileLog#done] was reached: see [Session#proof]. If it is told again, it
  /// counts once.
  public synchronized void proved(String how) {
    if (!proofs.contains(how) && proofs.size() < PROOFS_MAX) {
      proofs.add(how);
    }
  }

  /// The other end's last word says how far it has verified arrivals. The result has the lower
  /// level of both ends.
  ///
  /// @param agreed how far arrivals were to be proved
  /// @param there null if no last word came, which leaves the result with what is known here
  /// @param who the other end: `sender` or `receiver`
  public synchronized void peerReached(Level agreed, Level there, String who) {
    peerReached = there;
    if (there != null && there.compareTo(agreed) < 0) {
      proved("the " + who + " says " + there.label() + " and no more");
    }
  }

  /// The kernel uses this TCP congestion control, as it was asked to.
  public synchronized void congestion(String name) {
    congestion = name;
  }

  /// How far arrivals are verified if this end has reached `own`.
  synchronized Level reached(Level own) {
    return peerReached == null ? own : own.lesser(peerReached);
  }

  synchronized Session result(Link link) {
    // Which of them was there first is chance.
    proofs.sort(null);
    String proof = String.join("; ", proofs);
    return new Session(
        link,
        connections,
        bytesDirect,
        bytesResumed,
        bytesThere,
        bytesReused,
        bytesResent,
        proof,
        congestion,
        new Compressed(
            bytesCompressed, bytesCompressedTo, bytesCompressed == 0 ? whyUncompressed : ""));
  }
}
