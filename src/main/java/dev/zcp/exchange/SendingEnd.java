package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.ProtocolException;
import java.util.List;

/// The sender's end of one session.
///
/// Entries are [offered][#offer] in the order of the walk; the receiver answers for each what it
/// wants; small files then go in batches, others in blocks, the largest first, over whatever
/// connection asks for a [turn][#next]; each block or batch is a unit, acknowledged in the order of
/// its connection. What was under way on a connection that was [lost][#down] goes back to the
/// queue, and offers without an answer are repeated.
///
/// Any thread may call any method.
public final class SendingEnd {

  /// How often the bytes of a block, or a file of a batch, are sent in all, where they arrive
  /// damaged.
  public static final int TRIES_MAX = 4;

  /// @param batchFileBytesMax files up to this size go in batches; -1 for none
  /// @param batchBytesMax what a batch may hold, at most [dev.zcp.wire.Limits#BATCH_BYTES_MAX]
  public SendingEnd(Manifest manifest, int batchFileBytesMax, int batchBytesMax) {
    throw new UnsupportedOperationException();
  }

  /// Whether another entry may be offered now: else wait until something was heard.
  public synchronized boolean hasRoom() {
    throw new UnsupportedOperationException();
  }

  /// The id for the next entry.
  public synchronized long nextFileId() {
    throw new UnsupportedOperationException();
  }

  /// Queues an entry.
  ///
  /// @param entry with the id of [#nextFileId]
  public synchronized void offer(Offered entry) {
    throw new UnsupportedOperationException();
  }

  /// No more entries will be offered.
  public synchronized void allOffered() {
    throw new UnsupportedOperationException();
  }

  /// A connection has proved the key. Numbers are never used again.
  public synchronized void up(int connection) {
    throw new UnsupportedOperationException();
  }

  /// A connection is lost.
  public synchronized void down(int connection) {
    throw new UnsupportedOperationException();
  }

  /// What to do next on `connection`.
  ///
  /// @param blockBytesMax the longest block that suits this connection now
  public synchronized Turn next(int connection, long blockBytesMax) {
    throw new UnsupportedOperationException();
  }

  /// Tells of a frame that is about to be said which is no [Turn.Say]: a batch, a trailer. (Of data
  /// that its turn told of, nothing.)
  public synchronized void saying(int connection, Frame frame) {
    throw new UnsupportedOperationException();
  }

  /// Whether a stream may go on: it may not where it was refused, or its connection is lost.
  public synchronized boolean mayStream(long fileId) {
    throw new UnsupportedOperationException();
  }

  /// What of the bytes that the receiver [holds][Heard.Claimed] is the source's, too.
  ///
  /// @param good some of the spans that were claimed
  public synchronized void claimed(long fileId, List<Span> good) {
    throw new UnsupportedOperationException();
  }

  /// Those bytes of the file that its source keeps no room for: to be called, where there are any,
  /// right after [#offer].
  public synchronized void holes(long fileId, List<Span> holes) {
    throw new UnsupportedOperationException();
  }

  /// Ends a directory of which all is over, a file that [all has arrived of][Heard.AllArrived], one
  /// that was [claimed whole][Heard.ClaimedWhole], a stream; or gives a file up at any time, by any
  /// status but OK.
  ///
  /// @param ending its digest is of no interest for a file that went in blocks: this end knows it
  public synchronized void end(Ending ending) {
    throw new UnsupportedOperationException();
  }

  /// Takes what the receiver said.
  ///
  /// @throws ProtocolException where it may not say that now
  public synchronized List<Heard> heard(int connection, Frame frame) throws ProtocolException {
    throw new UnsupportedOperationException();
  }

  /// Ends the session for a reason of this end: the next turn of some connection says so.
  public synchronized void giveUp(dev.zcp.core.ExitCode exitCode, String text) {
    throw new UnsupportedOperationException();
  }

  /// Whether the receiver's last word has come.
  public synchronized boolean isOver() {
    throw new UnsupportedOperationException();
  }

  /// How many units are under way on `connection`: none of a connection that is not needed now.
  public synchronized int unitsUnderWay(int connection) {
    throw new UnsupportedOperationException();
  }
}
