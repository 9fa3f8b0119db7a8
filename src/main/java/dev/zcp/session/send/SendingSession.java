package dev.zcp.session.send;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Span;
import dev.zcp.exchange.Heard;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.exchange.Turn;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Verified;
import dev.zcp.session.copy.OnChange;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Level;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Status;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// One session of a sender, over all its connections: knows of each entry under way what it is
/// here, and does what the receiver's words ask for.
///
/// Everything hangs on one monitor, that of the [SendingEnd]: whoever waits for the session to go
/// on waits there, and whatever changes wakes all that wait.
final class SendingSession implements Outlet {

  private static final long NS_A_MS = 1_000_000;

  private final SendingEnd end;
  private final Insight insight;
  private final OnChange onChange;
  private final String peer;
  private final Claims claims;
  private final Level asked;

  private volatile Runnable stopWalk = () -> {};

  // All below is guarded by `end`.
  private final Map<Long, Sent> underWay = new HashMap<>();

  /// What had changed, to be offered anew.
  private final ArrayDeque<Sent> changed = new ArrayDeque<>();

  private Accept terms;
  private long unanswered;
  private long bytesAcknowledged;
  private long entriesOver;
  private boolean saidGoodbye;
  private boolean forgotten;
  private boolean over;
  private Failure failure;

  /// @param asked how far the arrival is to be proved
  SendingSession(
      SendingEnd end, Insight insight, OnChange onChange, Claims claims, String peer, Level asked) {
    this.end = end;
    this.insight = insight;
    this.onChange = onChange;
    this.claims = claims;
    this.peer = peer;
    this.asked = asked;
  }

  /// How the level that was agreed on is reached, and what touches the bytes for it; empty where
  /// nothing was agreed on.
  String proof() {
    synchronized (end) {
      return terms == null || terms.level() == Level.NONE
          ? ""
          : "CRC32C of each block, read here from the page cache beside the transfer";
    }
  }

  /// Has `stop` called once there is no use in walking on, by any thread; to be called before the
  /// first connection is up.
  void whenOver(Runnable stop) {
    stopWalk = stop;
  }

  /// Waits until the session is over, offering anew what had changed; to be called once the walk is
  /// through.
  ///
  /// @throws Failure why it failed as a whole
  void finish() throws Failure {
    await(underWay::isEmpty);
    synchronized (end) {
      end.allOffered();
      end.notifyAll();
      while (isRunning()) {
        await();
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  @Override
  public int keeps() {
    synchronized (end) {
      while (isRunning() && terms == null) {
        await();
      }
      return terms == null ? 0 : terms.keeps();
    }
  }

  @Override
  public boolean offer(Outgoing entry) {
    await(end::hasRoom);
    return offer(Sent.first(entry, insight));
  }

  @Override
  public void await(BooleanSupplier goOn) {
    Sent next = nextChanged(goOn);
    while (next != null) {
      offerAnew(next);
      next = nextChanged(goOn);
    }
  }

  @Override
  public void ended(Outgoing directory) {
    synchronized (end) {
      Sent sent = underWay.get(directory.fileId());
      if (sent != null) {
        end.end(new Ending(directory.fileId(), Status.OK, 0, 0));
        end.notifyAll();
      }
    }
  }

  /// The next turn on a connection; waits while there is none.
  ///
  /// @param isLost whether the connection is, so that there will be none any more
  Turn turn(int connection, long blockBytesMax, BooleanSupplier isLost) {
    synchronized (end) {
      Turn turn = end.next(connection, blockBytesMax);
      while (turn instanceof Turn.Wait && !isLost.getAsBoolean()) {
        await();
        turn = end.next(connection, blockBytesMax);
      }
      if (turn instanceof Turn.Say(Frame frame)) {
        expect(frame);
      }
      return turn instanceof Turn.Wait ? new Turn.Leave() : turn;
    }
  }

  /// Whether the receiver owes something on this connection: an answer, or an acknowledgement.
  boolean isOwed(int connection) {
    synchronized (end) {
      return end.unitsUnderWay(connection) > 0 || terms == null || unanswered > 0 || saidGoodbye;
    }
  }

  /// Keeps count of what the receiver has to answer. Guarded by `end`.
  private void expect(Frame frame) {
    saidGoodbye |= frame.type() == FrameType.DONE;
    if (frame.type() == FrameType.OFFER) {
      for (Offered each : ((Offer) frame).entries()) {
        Sent sent = underWay.get(each.fileId());
        unanswered += sent != null && sent.awaitAnswer() ? 1 : 0;
      }
    }
  }

  /// The mirror of [#expect].
  private void answered(Sent sent) {
    unanswered -= sent != null && sent.takeAnswer() ? 1 : 0;
  }

  /// Waits until another block of a stream may go.
  ///
  /// @return false where none may any more
  boolean awaitStreaming(long fileId, long bytes) {
    synchronized (end) {
      while (isRunning() && end.mayStream(fileId) && !end.hasRoomFor(bytes)) {
        await();
      }
      return isRunning() && end.mayStream(fileId);
    }
  }

  /// Waits until `isSo`, which is asked under the session's lock, at most so long.
  void await(BooleanSupplier isSo, long limitNs) {
    long untilNs = System.nanoTime() + limitNs;
    synchronized (end) {
      long leftNs = limitNs;
      while (!isSo.getAsBoolean() && leftNs > 0) {
        await(leftNs / NS_A_MS + 1);
        leftNs = untilNs - System.nanoTime();
      }
    }
  }

  @Override
  public void wake() {
    synchronized (end) {
      end.notifyAll();
    }
  }

  /// The entry, or null where it is over already.
  Sent sent(long fileId) {
    synchronized (end) {
      return underWay.get(fileId);
    }
  }

  SendingEnd end() {
    return end;
  }

  /// Whether digests are to be made.
  boolean isDigested() {
    synchronized (end) {
      return terms == null || terms.level() != Level.NONE;
    }
  }

  int connectionsMax() {
    synchronized (end) {
      return terms == null ? 1 : terms.inOrder() ? 1 : terms.connectionsMax();
    }
  }

  boolean isRunning() {
    synchronized (end) {
      return !over && failure == null;
    }
  }

  long bytesAcknowledged() {
    synchronized (end) {
      return bytesAcknowledged;
    }
  }

  /// Something that grows whenever the session gets on.
  long progress() {
    synchronized (end) {
      return bytesAcknowledged + entriesOver;
    }
  }

  /// What of the session stays where it ends now, and what to do, as a phrase.
  String whatIsKept() {
    synchronized (end) {
      return new ByteSize(bytesAcknowledged)
          + " had arrived and are kept; the same command again sends the rest";
    }
  }

  /// The session is over by this failure; the first one counts. The receiver is told.
  void fail(Failure cause) {
    synchronized (end) {
      if (isRunning()) {
        failure = cause;
        end.giveUp(cause.exitCode(), cause.getMessage());
      }
      end.notifyAll();
    }
    stopWalk.run();
  }

  /// The receiver knows nothing of this session any more, and no connection is left of it.
  void forget(Failure cause) {
    synchronized (end) {
      forgotten = isRunning();
      fail(cause);
    }
  }

  /// Whether that is why it failed, so that another session may do.
  boolean isForgotten() {
    synchronized (end) {
      return forgotten;
    }
  }

  /// Gives an entry up for a reason of this end.
  void giveUp(long fileId, Sent sent, Failure cause) {
    sent.fail(cause);
    end(new Ending(fileId, Status.FAILED, 0, 0));
  }

  /// Of the bytes that the receiver holds, these are the source's, too.
  void claimed(long fileId, List<Span> good) {
    List<Heard> all;
    synchronized (end) {
      all = end.claimed(fileId, good);
      end.notifyAll();
    }
    takeAll(all);
  }

  /// A connection has proved the key.
  void up(int connection) {
    synchronized (end) {
      end.up(connection);
      end.notifyAll();
    }
  }

  /// A connection is lost, and both its threads have left it.
  void down(int connection) {
    List<Heard> all;
    synchronized (end) {
      all = end.down(connection);
      end.notifyAll();
    }
    takeAll(all);
  }

  void end(Ending ending) {
    synchronized (end) {
      end.end(ending);
      end.notifyAll();
    }
  }

  /// Takes what the receiver said on a connection.
  void hear(int connection, Frame frame) throws ProtocolException {
    List<Heard> all;
    synchronized (end) {
      if (frame.type() == FrameType.REPLY) {
        for (Answer answer : ((Reply) frame).answers()) {
          answered(underWay.get(answer.fileId()));
        }
      }
      all = end.heard(connection, frame);
      end.notifyAll();
    }
    takeAll(all);
  }

  private void takeAll(List<Heard> all) {
    for (Heard heard : all) {
      take(heard);
    }
  }

  // A chain and no switch over the patterns, whose first use costs every process 3 ms.
  private void take(Heard heard) {
    if (heard instanceof Heard.Done(long fileId, long bytesResumed)) {
      done(fileId, bytesResumed);
    } else if (heard instanceof Heard.Progress(long bytes)) {
      progress(bytes);
    } else if (heard instanceof Heard.AllArrived(long fileId)) {
      allArrived(fileId);
    } else if (heard instanceof Heard.Failed(long fileId, ExitCode exitCode, String text)) {
      failed(fileId, exitCode, text);
    } else if (heard instanceof Heard.GivenUp(long fileId)) {
      failed(fileId, ExitCode.SOURCE, "given up");
    } else if (heard instanceof Heard.Declined(long fileId, String text)) {
      declined(fileId, text);
    } else if (heard instanceof Heard.Claimed claimed) {
      claims.check(this, sent(claimed.fileId()), claimed);
    } else if (heard instanceof Heard.ClaimedWhole claimed) {
      claims.check(this, sent(claimed.fileId()), claimed);
    } else if (heard instanceof Heard.Damaged(long _, Span span)) {
      insight.resent(span.length());
    } else {
      ofTheWhole(heard);
    }
  }

  private void ofTheWhole(Heard heard) {
    synchronized (end) {
      if (heard instanceof Heard.Accepted(Accept accepted)) {
        terms = accepted;
        tellWhereLess(accepted.level());
      } else if (heard instanceof Heard.Over) {
        over = true;
      } else if (heard instanceof Heard.GaveUp(ExitCode exitCode, String text) && isRunning()) {
        failure = Failure.of(exitCode, peer, "the receiver gave up: " + Printable.of(text));
      }
      end.notifyAll();
    }
    if (!isRunning()) {
      stopWalk.run();
    }
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
    return level.name().toLowerCase(Locale.ROOT);
  }

  private void progress(long bytes) {
    long more;
    synchronized (end) {
      more = bytes - bytesAcknowledged;
      bytesAcknowledged = bytes;
    }
    insight.acknowledged(more);
  }

  private void allArrived(long fileId) {
    Sent sent = sent(fileId);
    if (sent == null) {
      return;
    }
    sent.needNoBytes();
    Outgoing outgoing = sent.outgoing();
    if (outgoing.isUnchanged()) {
      end(new Ending(fileId, Status.OK, outgoing.size(), 0));
    } else if (accepts(outgoing)) {
      end(new Ending(fileId, Status.OK, outgoing.size(), 0));
    } else {
      sent.change(Changes.failure(outgoing));
      end(new Ending(fileId, Status.CHANGED, 0, 0));
    }
  }

  /// Whether a source that changed is to go on as if it had not; the user is told then.
  boolean accepts(Outgoing outgoing) {
    if (onChange != OnChange.ACCEPT) {
      return false;
    }
    insight.note(outgoing.label() + ": " + Changes.ACCEPTED);
    return true;
  }

  private void done(long fileId, long bytesResumed) {
    Sent sent = remove(fileId);
    if (sent == null) {
      return;
    }
    if (sent.failure() != null) {
      over(sent, sent.failure());
      return;
    }
    if (sent.isFile()) {
      if (bytesResumed > 0) {
        insight.resumed(bytesResumed);
      }
      sent.log().done(verified());
    } else {
      insight.made(Kinds.made(sent.outgoing().kind()));
    }
    over(sent, null);
  }

  private void declined(long fileId, String text) {
    Sent sent = remove(fileId);
    if (sent == null) {
      return;
    }
    Outgoing outgoing = sent.outgoing();
    if (!outgoing.isBelowRefused()) {
      insight.declined(Kinds.label(outgoing.kind()), outgoing.label(), Printable.of(text));
    }
    outgoing.over(false);
  }

  private void failed(long fileId, ExitCode exitCode, String text) {
    Sent sent = sent(fileId);
    if (sent == null) {
      return;
    }
    Outgoing outgoing = sent.outgoing();
    if (sent.failure() == null && exitCode == ExitCode.INTEGRITY && !outgoing.isUnchanged()) {
      // Digests that differ over a source that was written to meanwhile are the writer's doing.
      sent.change(Changes.failure(outgoing));
    }
    boolean once = sent.hasChanged() && onChange != OnChange.FAIL && !sent.isSecondTry();
    synchronized (end) {
      remove(fileId);
      if (once) {
        changed.add(sent);
        return;
      }
    }
    Failure own = sent.failure();
    over(sent, own != null ? own : refusal(outgoing, exitCode, text));
  }

  private static Failure refusal(Outgoing outgoing, ExitCode exitCode, String text) {
    String label = outgoing.label().toString();
    return Failure.of(exitCode, label, "refused there: " + Printable.of(text));
  }

  /// @param cause null where all is well
  private void over(Sent sent, Failure cause) {
    if (cause != null && !sent.outgoing().isBelowRefused()) {
      sent.log().failed(cause);
    }
    sent.outgoing().over(cause == null);
  }

  private Sent remove(long fileId) {
    synchronized (end) {
      Sent sent = underWay.remove(fileId);
      answered(sent);
      entriesOver++;
      if (underWay.isEmpty()) {
        end.notifyAll();
      }
      return sent;
    }
  }

  private Verified verified() {
    synchronized (end) {
      return switch (terms.level()) {
        case NONE -> Verified.NONE;
        case WIRE -> Verified.WIRE;
        case READBACK -> Verified.READBACK;
        case MEDIA -> Verified.MEDIA;
      };
    }
  }

  /// Something that had changed, or null where `goOn` says that there may be other things to do.
  private Sent nextChanged(BooleanSupplier goOn) {
    synchronized (end) {
      while (isRunning() && changed.isEmpty() && !goOn.getAsBoolean()) {
        await();
      }
      return isRunning() ? changed.poll() : null;
    }
  }

  private void offerAnew(Sent sent) {
    try {
      offer(sent.again(sent.outgoing().anew()));
    } catch (Failure cause) {
      over(sent, cause);
    }
  }

  private boolean offer(Sent sent) {
    Outgoing outgoing = sent.outgoing();
    List<Span> holes = holesOf(sent);
    long fileId;
    synchronized (end) {
      while (isRunning() && !end.hasRoom()) {
        await();
      }
      if (!isRunning()) {
        return false;
      }
      fileId = end.nextFileId();
    }
    // Reads attributes, so nobody is to wait for it. There is one thread that offers.
    Offered offered = outgoing.offered(fileId);
    synchronized (end) {
      underWay.put(fileId, sent);
      end.offer(offered);
      if (!holes.isEmpty()) {
        end.holes(fileId, holes);
      }
      end.notifyAll();
      return true;
    }
  }

  /// A file that cannot be opened has none: that it cannot is told when its bytes are due.
  private static List<Span> holesOf(Sent sent) {
    try {
      return sent.isFile() ? sent.outgoing().holes() : List.of();
    } catch (Failure e) {
      return List.of();
    }
  }

  private void await() {
    await(0);
  }

  private void await(long limitMs) {
    try {
      end.wait(limitMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(Failure.of(ExitCode.INTERNAL, peer, "interrupted"));
    }
  }
}
