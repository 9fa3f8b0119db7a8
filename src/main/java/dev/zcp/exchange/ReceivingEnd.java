package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Frame;
import dev.zcp.wire.ProtocolException;
import java.util.List;

/// The receiver's end of one session. Checks all that the sender says against all that was said
/// before, over any of its connections, and bounds what it can make this end remember.
///
/// Any thread may call any method. Frames of a connection come in the order of the wire.
public final class ReceivingEnd {

  public ReceivingEnd() {
    throw new UnsupportedOperationException();
  }

  /// A connection has proved the key. Numbers are never used again.
  public synchronized void up(int connection) {
    throw new UnsupportedOperationException();
  }

  /// A connection is lost. What it had brought whole stays.
  public synchronized void down(int connection) {
    throw new UnsupportedOperationException();
  }

  /// How many connections are up.
  public synchronized int connections() {
    throw new UnsupportedOperationException();
  }

  /// Takes what the sender said; the caller does what comes back, in that order.
  ///
  /// @throws ProtocolException where it may not say that now
  public synchronized List<Task> heard(int connection, Frame frame) throws ProtocolException {
    throw new UnsupportedOperationException();
  }

  /// The sender may go on, on these terms.
  public synchronized void accept(Accept terms) {
    throw new UnsupportedOperationException();
  }

  /// Another window from now on.
  public synchronized void credit(long windowBytes) {
    throw new UnsupportedOperationException();
  }

  /// What is wanted of an entry that was offered. An entry that is over by this, and well, is
  /// counted in the digest of the whole.
  public synchronized void answer(Answer answer) {
    throw new UnsupportedOperationException();
  }

  /// The bytes of a block are in the file, or it is a hole now.
  ///
  /// @param fits whether they are what the trailer says; else the sender is asked for them again
  /// @param crc32c of the bytes; of a hole, anything
  public synchronized void blockDone(long fileId, Span span, boolean fits, int crc32c) {
    throw new UnsupportedOperationException();
  }

  /// A file is published, a directory completed: it is over, and well. Also of a piece of a batch.
  public synchronized void published(long fileId) {
    throw new UnsupportedOperationException();
  }

  /// A piece of a batch did not arrive as it was sent: the sender is asked for it again.
  public synchronized void damaged(long fileId) {
    throw new UnsupportedOperationException();
  }

  /// A file failed here: it is over, and the sender is told.
  public synchronized void failed(long fileId, ExitCode exitCode, String text) {
    throw new UnsupportedOperationException();
  }

  /// A unit was dealt with; may be told in another order than that of the wire.
  public synchronized void unitDone(int connection, long unit) {
    throw new UnsupportedOperationException();
  }

  /// The next frame to say on `connection`, or null. Ask after every call of the methods above, for
  /// each connection.
  public synchronized Frame next(int connection) {
    throw new UnsupportedOperationException();
  }

  /// Ends the session for a reason of this end: what [#next] gives says so.
  public synchronized void giveUp(ExitCode exitCode, String text) {
    throw new UnsupportedOperationException();
  }

  /// Ends the session well, once [Task.Over] was told: what [#next] gives is the last word.
  ///
  /// @param exitCode the receiver's own
  public synchronized void sayGoodbye(ExitCode exitCode, String text) {
    throw new UnsupportedOperationException();
  }
}
