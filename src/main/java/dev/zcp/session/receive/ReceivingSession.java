package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.exchange.ReceivingEnd;
import dev.zcp.exchange.Task;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.session.BelievedBytes;
import dev.zcp.session.Levels;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;

/// One sender's session, over however many connections: what the exchange wants done is done, and
/// what came of it is told to the exchange, which knows what to say.
///
/// Each connection has a thread that reads it and takes the bytes of blocks ([Intake]); what may
/// take long is left to the [Hands] ([Chores]).
final class ReceivingSession implements FileWork {

  /// Connections at a time.
  static final int CONNECTIONS_MAX = 16;

  /// What may be under way. Blocks go past the memory of this process, and batches wait in the
  /// socket while [BatchBuffers] are in use, so it only bounds what a sender must remember: some
  /// ten of the longest blocks.
  private static final long WINDOW_BYTES = 1L << 30;

  /// As the report tells it.
  private static final String PROOF_AGAIN = "each file read again before it got its name";

  private static final String PROOF_MEDIA = "each file read from the device before it got its name";

  private final Means means;
  private final String peer;
  private final BiConsumer<ReceivingSession, Result> whenClosed;
  private final Insight insight;
  private final ReceivingEnd end = new ReceivingEnd();
  private final Arrivals arrivals;
  private final Attendance attendance;
  private final Departures departures;
  private final Hands hands;
  private final BatchBuffers.Share buffers;

  /// Whether all goes to standard output.
  private final boolean inOrder;

  private final BelievedBytes believed = new BelievedBytes();

  /// What the arrival is to be proved to, once the manifest was accepted.
  private volatile Level level = Level.NONE;

  /// What blocks and batches are compared by, likewise.
  private volatile Digest.Algorithm digest = Digest.Algorithm.NONE;

  /// Whether all connections so far stay on this machine.
  private volatile boolean isLocal = true;

  private volatile ExitCode firstFailure = ExitCode.OK;

  /// The sender's last word; null before.
  private volatile Task.Over saidLast;

  /// When something was last done for its sender, besides hearing that it lives.
  private volatile long activeNs = System.nanoTime();

  // All below is guarded by this.
  private Place place;
  private boolean connected;
  private boolean toldOfBatches;

  /// @param peer who began it, for messages
  /// @param whenClosed told when nobody is left in the session, with its result; with null if it
  ///   never began
  ReceivingSession(Means means, String peer, BiConsumer<ReceivingSession, Result> whenClosed) {
    this.means = means;
    this.peer = peer;
    this.whenClosed = whenClosed;
    this.hands = means.hands().get();
    this.buffers = means.buffers().share();
    this.insight = new Insight("receive", means.engine().asked(), means.listener());
    this.arrivals = new Arrivals(this, new Allowance(means.request().admission()));
    this.inOrder = means.request().directory().isStandardStream();
    this.attendance = new Attendance(inOrder ? 1 : CONNECTIONS_MAX);
    this.departures = new Departures(end, attendance, means.request().flow().stallTimeoutNs());
  }

  Means means() {
    return means;
  }

  /// Who began it, for messages.
  String peer() {
    return peer;
  }

  Hands hands() {
    return hands;
  }

  BatchBuffers.Share buffers() {
    return buffers;
  }

  Insight insight() {
    return insight;
  }

  ReceivingEnd end() {
    return end;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  Attendance attendance() {
    return attendance;
  }

  Departures departures() {
    return departures;
  }

  Level level() {
    return level;
  }

  Digest.Algorithm digest() {
    return digest;
  }

  /// Whether all goes to standard output.
  boolean isInOrder() {
    return inOrder;
  }

  /// The session's place; only once the manifest was accepted.
  synchronized Place place() {
    return place;
  }

  /// Serves one connection to its end. Whoever calls this was let in by [Attendance#join].
  void serve(int number, Connection connection, Link link) {
    Outbox outbox = new Outbox(number, end, connection);
    int open = attendance.up(outbox);
    if (open == 0) {
      return;
    }
    welcome(link, open);
    isLocal &= connection.isLocal();
    Failure loss = null;
    end.up(number);
    try (Intake intake = new Intake(this, outbox, link.peer())) {
      outbox.start();
      speak();
      loss = intake.run();
    } catch (RuntimeException | Error e) {
      giveUp(Reasons.defect(peer, e));
      Intake.drain(connection);
    } finally {
      connection.cut();
      outbox.close();
      end.down(number);
      departures.tellThatOneIsDown();
      int left = attendance.down(outbox, loss);
      tellLoss(loss, left);
      speak();
    }
  }

  private void welcome(Link link, int open) {
    boolean first;
    synchronized (this) {
      first = !connected;
      connected = true;
    }
    if (first) {
      insight.connected(link);
      String congestion = means.request().flow().congestion();
      if (congestion != null) {
        insight.congestion(congestion);
      }
    }
    insight.connections(open);
  }

  private void tellLoss(Failure loss, int left) {
    if (loss != null && left > 0 && !attendance.isOver()) {
      insight.note(loss.getMessage() + " (the session goes on over " + left + " more)");
    }
  }

  /// After a connection is closed: waits for another one where it was the last, and closes the
  /// session where nobody is left in it.
  void leave() {
    try {
      // What went to standard output cannot be sent there again.
      long usualNs = means.request().flow().stallTimeoutNs();
      attendance.awaitReturn(inOrder ? 0 : arrivals.patienceNs(usualNs));
    } catch (InterruptedException e) {
      attendance.end(Failure.of(ExitCode.NETWORK, peer, "interrupted").because(e));
      Thread.currentThread().interrupt();
    }
    out();
  }

  private void out() {
    if (attendance.leave()) {
      close();
    }
  }

  /// Something is done for the sender.
  void act() {
    activeNs = System.nanoTime();
  }

  /// For how long nothing was done for the sender.
  long idleNs() {
    return System.nanoTime() - activeNs;
  }

  /// Ends the session for another sender. Does not wait for this one to hear of it.
  ///
  /// @return whether it was not over before
  boolean giveWay() {
    Failure failure =
        Failure.of(ExitCode.EXISTS, peer, "was idle, and made room for another sender");
    boolean ended = attendance.end(failure);
    if (ended) {
      end.giveUp(failure.exitCode(), failure.reason());
      hands.take(() -> perform(this::sayLastWords));
    }
    return ended;
  }

  /// So many bytes were read again: the sender, who hears of nothing else meanwhile, is told by the
  /// next beats.
  ///
  /// @throws CancellationException if the session is over, and so is the reading
  @Override
  public void readAgain(long bytes) {
    if (attendance.isOver()) {
      throw new CancellationException("the session is over");
    }
    act();
    for (Outbox outbox : attendance.outboxes()) {
      outbox.connection().worked(bytes);
    }
  }

  @Override
  public void sample(Stage stage, long elapsedNs) {
    insight.sample(stage, elapsedNs);
  }

  /// Has said on each connection what there is to say there.
  void speak() {
    for (Outbox outbox : attendance.outboxes()) {
      outbox.speak();
    }
  }

  /// Does a chore, unless the session is over: it may have waited for long. Throws nothing.
  ///
  /// @param after run in any case
  void perform(Runnable chore, Runnable after) {
    if (attendance.enter()) {
      try {
        perform(
            () -> {
              act();
              chore.run();
              act();
              speak();
            });
      } finally {
        out();
      }
    }
    perform(after);
  }

  private void perform(Runnable chore) {
    try {
      chore.run();
    } catch (CancellationException e) {
      // The session is over, and what was being read is of no use: see readAgain.
    } catch (RuntimeException | Error e) {
      giveUp(Reasons.defect(peer, e));
    }
  }

  void admit(Manifest manifest) {
    arrivals.expect(manifest.entries());
    try {
      Place mine = beginPlace();
      int keeps = mine.admit(manifest);
      level = mine.provable(levelFor(manifest.level()));
      digest = manifest.digest().stronger(Digest.Algorithm.of(level, isLocal));
      insight.started(-1, manifest.bytes());
      insight.acknowledged(0);
      end.accept(
          new Accept(
              level,
              digest,
              keeps,
              inOrder,
              inOrder ? 1 : CONNECTIONS_MAX,
              inOrder ? BlockBuffer.BYTES_MAX : WINDOW_BYTES,
              mine.filesMax()));
    } catch (Failure failure) {
      // Which directory this is, is nothing to the sender.
      giveUp(failure, failure.reason());
    }
  }

  private synchronized Place beginPlace() throws Failure {
    if (place == null) {
      place = means.grounds().begin(this);
    }
    return place;
  }

  private Level levelFor(Level asked) {
    Verified least = means.request().admission().verify();
    Level own = least == null ? Level.NONE : Levels.of(least);
    return own.compareTo(asked) > 0 ? own : asked;
  }

  /// A file has arrived.
  ///
  /// @param bytesBelieved how many of its bytes were not read again
  void done(FileLog log, Level reached, long bytesBelieved) {
    believed.add(bytesBelieved);
    if (reached.compareTo(Level.READBACK) >= 0) {
      insight.proved(reached == Level.MEDIA ? PROOF_MEDIA : PROOF_AGAIN);
    }
    log.done(Levels.reached(reached));
  }

  /// Small files come many at once, and go through memory: who asked for a strategy is told.
  void tellOfBatches() {
    synchronized (this) {
      if (toldOfBatches || means.request().choice().isAuto()) {
        return;
      }
      toldOfBatches = true;
    }
    insight.note(
        "small files come in batches, which go through memory ("
            + means.engine().asked()
            + " takes the others; a sender's own --strategy sends all by themselves)");
  }

  /// Something did not go well: the first of such decides what this end tells the other.
  synchronized void note(ExitCode outcome) {
    if (firstFailure == ExitCode.OK) {
      firstFailure = outcome;
    }
  }

  /// All is over, as the sender says, too.
  void over(Task.Over over) {
    arrivals.tellWhatWasGivenUp();
    ExitCode own = firstFailure;
    saidLast = over;
    long losses = place() == null ? 0 : place().notKept();
    end.sayGoodbye(own == ExitCode.OK ? over.exitCode() : own, losses, "");
    attendance.end(null);
    sayLastWords();
  }

  /// Ends the session for a reason of this end, and tells the sender of it.
  void giveUp(Failure failure) {
    giveUp(failure, failure.getMessage());
  }

  private void giveUp(Failure failure, String said) {
    if (attendance.end(failure)) {
      end.giveUp(failure.exitCode(), said);
      sayLastWords();
    }
  }

  /// The sender gave the session up, or the counts of both ends differ.
  void gaveUp(Task.GaveUp gaveUp) {
    String why = gaveUp.text().isEmpty() ? "" : ": " + Printable.of(gaveUp.text());
    String what =
        gaveUp.exitCode() == ExitCode.INTEGRITY
            ? "what arrived is not what was sent"
            : "the sender gave up";
    giveUp(Failure.of(gaveUp.exitCode(), peer, what + why));
  }

  private void sayLastWords() {
    for (Outbox outbox : attendance.outboxes()) {
      outbox.sayTheLast();
    }
  }

  /// Nobody is left in the session.
  private void close() {
    Result result = attendance.hasBegun() ? result() : null;
    hands.close();
    departures.tellThatAllLeft();
    whenClosed.accept(this, result);
  }

  private Result result() {
    Failure why = attendance.ending();
    try {
      String kept = closePlace();
      tellWhatTheSenderCouldNot();
      Levels.tellPeers(insight, level, end.peerReached(), "sender");
      believed.tell(insight);
      if (why != null) {
        insight.failed(
            kept.isEmpty() && why.exitCode() != ExitCode.NETWORK ? why : why.with(remedy(kept)));
      }
    } catch (RuntimeException | Error e) {
      insight.failed(why != null ? why : Reasons.defect(peer, e));
    }
    return insight.finish();
  }

  /// Only where no file tells, which another thread may have dropped after the last word was heard.
  private void tellWhatTheSenderCouldNot() {
    Task.Over over = saidLast;
    if (over != null && over.exitCode() != ExitCode.OK && firstFailure == ExitCode.OK) {
      String why = over.text().isEmpty() ? "" : ": " + Printable.of(over.text());
      insight.failed(
          Failure.of(over.exitCode(), peer, "the sender could not send everything" + why));
    }
  }

  /// @return what is kept of files that are not whole, in words; empty if nothing is
  private String closePlace() {
    Place mine = place();
    if (mine == null) {
      return "";
    }
    try (mine) {
      arrivals.tellWhatWasGivenUp();
      for (Loss loss : mine.losses()) {
        insight.lost(loss.kind().label(), loss.files(), loss.firstName(), loss.reason());
      }
      return arrivals.keep();
    }
  }

  private static String remedy(String kept) {
    return kept.isEmpty()
        ? "files that were not complete were not published; send them again"
        : kept + "; the same command again goes on";
  }
}
