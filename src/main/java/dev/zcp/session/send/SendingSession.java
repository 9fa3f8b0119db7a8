package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Quietly;
import dev.zcp.core.Span;
import dev.zcp.exchange.SenderAction;
import dev.zcp.exchange.SenderEvent;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.exchange.SentEntry;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.linux.Processors;
import dev.zcp.session.PeerSession;
import dev.zcp.session.PeerTimings;
import dev.zcp.session.Savings;
import dev.zcp.session.SendRequest;
import dev.zcp.session.SessionConnections;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.LimitedBy;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.Timings;
import java.util.List;
import java.util.function.BooleanSupplier;

/// One session of a sender, over all its connections: knows of each entry under way what it is
/// here, and does what the receiver's words ask for.
///
/// Everything hangs on the monitor of the [SendingEnd]. Threads that send wait on it for their
/// turns, woken by whatever changes; who waits for something certain does so among the [Waiters].
final class SendingSession implements PeerSession {

  /// How long a receiver that is told why the session ends may take to hear it, and the threads of
  /// a connection to leave it.
  private static final long GOODBYE_NS = 2_000_000_000L;

  /// A network that takes more bytes a second is taken for faster than looking for what differs.
  private static final double FAST_BYTES = 250e6;

  /// So many must have gone before that is known: less is in the buffers of sockets.
  private static final long RATED_BYTES_MIN = 64 << 20;

  private static final double NS_A_SECOND = 1e9;

  /// In place of a time: nothing waits for acknowledgements.
  private static final long NOT_FULL = 0;

  /// What a sender needs to serve a connection.
  ///
  /// @param rate over all connections
  /// @param patienceNs how long the session may be without a connection
  /// @param partFileBytesMax files up to this size go in parts; -1 for none
  /// @param partBytesMax what a part holds, if it has more than one file
  /// @param savings what is done to send fewer bytes
  record LineTerms(
      Engines engines,
      RateLimit rate,
      int connectionsMax,
      long patienceNs,
      int partFileBytesMax,
      long partBytesMax,
      Savings savings) {}

  private final SendingEnd end;
  private final String peer;
  private final Insight insight;
  private final SentOutcomes outcomes;
  private final Agreement agreement;
  private final LineTerms terms;

  /// What the kernel was asked for, or null.
  private final String congestion;

  private final SessionConnections<SenderConnection> connections;

  private volatile Runnable whenOver = () -> {};
  private volatile long bytesAll = -1;

  /// Whether nobody could change bytes unseen on any connection so far.
  private volatile boolean tamperProof = true;

  private volatile RoomThere room = RoomThere.UNSAID;

  /// Whether a connection leaves this machine, or may.
  private volatile boolean isFar;

  /// Whether the receiver discards what it gets.
  private volatile boolean discards;

  /// Whether the session began by ssh.
  private volatile boolean hasControl;

  /// Run with the first connection that is up, and if there is none. Guarded by this; null after.
  private Runnable whenBegun;

  // All below is guarded by `end`.
  private final Waiters waiters;
  private final UnderWay underWay = new UnderWay();
  private final Bunches bunches = new Bunches();
  private boolean forgotten;
  private long sentBytes;
  private long sentNs;
  private boolean over;
  private Failure failure;

  /// @param whenBegun called once: when there is a connection, or when there will be none
  SendingSession(
      SendingEnd end,
      Insight insight,
      String peer,
      SendRequest request,
      LineTerms terms,
      Runnable whenBegun) {
    this.end = end;
    this.insight = insight;
    this.peer = peer;
    this.terms = terms;
    this.whenBegun = whenBegun;
    this.congestion = request.peering().flow().congestion();
    this.connections = new SessionConnections<>(terms.connectionsMax());
    this.waiters = new Waiters(end);
    this.outcomes = new SentOutcomes(this, insight, request);
    this.agreement = new Agreement(end, insight, peer, request.sending().verify());
  }

  /// What the receiver agreed to, and what is told of proofs.
  Agreement agreement() {
    return agreement;
  }

  /// Has `run` called, by any thread, once the session is over; before a connection is up.
  void whenOver(Runnable run) {
    whenOver = run;
  }

  SentOutcomes outcomes() {
    return outcomes;
  }

  String peer() {
    return peer;
  }

  Insight insight() {
    return insight;
  }

  LineTerms terms() {
    return terms;
  }

  /// Why the session failed as a whole; null if it has not.
  Failure failure() {
    synchronized (end) {
      return failure;
    }
  }

  /// Ends all connections, once the session is over. If it failed, they have a while to tell the
  /// receiver.
  ///
  /// @param well whether the receiver has said its last word
  void close(boolean well) {
    if (well) {
      // One says what limited the session, and is left by that.
      connections.await(
          () -> connections.open().stream().noneMatch(SenderConnection::isEnding), GOODBYE_NS);
    } else {
      awaitNone();
    }
    for (SenderConnection line : connections.open()) {
      if (well && !line.isEnding()) {
        line.farewell();
      }
      line.hangUp();
    }
    awaitNone();
  }

  private void awaitNone() {
    connections.await(() -> connections.open().isEmpty(), GOODBYE_NS);
  }

  @Override
  public SessionConnections<SenderConnection> connections() {
    return connections;
  }

  @Override
  public Failure serve(int number, Connection connection, Link link) {
    SenderConnection line = new SenderConnection(this, number, connection);
    // The session must know of it before others can see that it is there.
    end.up(number, connection.isControl());
    wake();
    int open = connections.up(line);
    if (open == 0) {
      down(number);
      Quietly.close(connection);
      return null;
    }
    Failure loss = null;
    try {
      tamperProof &= connection.isTamperProof();
      room = connection.room();
      hasControl |= connection.isControl();
      isFar |= connection.isControl() || !connection.isLocal();
      discards = link.discards();
      welcome(link, open);
      loss = line.serve();
    } finally {
      if (hasControl && !connection.isControl()) {
        insight.ofSession().wentDirect(connection.movedBytes());
      }
      down(line, loss);
    }
    if (isRunning()) {
      return line.isRetired() ? null : loss == null ? left() : loss;
    }
    // The connection that heard the end may not have told yet: nobody is to open another one.
    connections.end(failure());
    return null;
  }

  private void welcome(Link link, int open) {
    insight.ofSession().connections(open);
    Runnable begun = takeBegun();
    if (begun != null) {
      insight.connected(link);
      if (congestion != null) {
        insight.ofSession().congestion(congestion);
      }
      begun.run();
    } else if (hasControl) {
      insight.alsoConnected(link);
    }
  }

  private synchronized Runnable takeBegun() {
    Runnable begun = whenBegun;
    whenBegun = null;
    return begun;
  }

  private void down(SenderConnection line, Failure loss) {
    try {
      down(line.number());
    } catch (RuntimeException | Error e) {
      fail(Reasons.defect(peer, e));
    } finally {
      connections.down(line, loss == null ? left() : loss);
      wake();
    }
  }

  private Failure left() {
    return Failure.of(ExitCode.NETWORK, peer, "the receiver ended a connection");
  }

  @Override
  public void leave() {
    try {
      connections.awaitReturn(terms.patienceNs());
      Failure ending = connections.ending();
      if (ending != null) {
        fail(ending.with(whatIsKept()));
      }
    } catch (InterruptedException e) {
      fail(Failure.of(ExitCode.INTERNAL, peer, "interrupted").because(e));
      Thread.currentThread().interrupt();
    }
    Runnable begun = connections.leave() ? takeBegun() : null;
    if (begun != null) {
      fail(Failure.of(ExitCode.NETWORK, peer, "the receiver left at once"));
      begun.run();
    }
  }

  @Override
  public void note(String message) {
    insight.note(message);
  }

  @Override
  public boolean giveWay() {
    boolean wasRunning = isRunning();
    fail(Failure.of(ExitCode.EXISTS, peer, "was idle, and made room for another receiver"));
    return wasRunning;
  }

  @Override
  public void lose(Failure cause) {
    connections.open().forEach(SenderConnection::hangUp);
    fail(cause);
  }

  @Override
  public int connectionsMax() {
    return agreement.connectionsMax();
  }

  @Override
  public boolean isAgreed() {
    return agreement.isReached();
  }

  @Override
  public long bytesAll() {
    return bytesAll;
  }

  boolean isTamperProof() {
    return tamperProof;
  }

  /// Of the receiver.
  RoomThere room() {
    return room;
  }

  /// Says what is to come. Nothing is said to the receiver before.
  void begin(Manifest manifest) {
    bytesAll = manifest.bytes();
    end.begin(manifest);
    wake();
  }

  /// Says that nothing more will be offered unless something changes or fails.
  void walked() {
    end.walked();
    wake();
  }

  /// Says that nothing more will be offered, and waits until the session is over.
  ///
  /// @throws Failure why it failed as a whole
  void finish() throws Failure {
    end.allOffered();
    wake();
    await(() -> !isRunning());
    if (failure() != null) {
      throw failure();
    }
  }

  /// What the receiver keeps, waited for; 0 if the session is over before.
  int keeps() {
    await(() -> !isRunning() || agreement.isReached());
    return agreement.keeps();
  }

  int underWay() {
    synchronized (end) {
      return underWay.count();
    }
  }

  /// Something that had changed and is to be offered anew, waited for; null if `goOn` says that
  /// there may be other things to do, and if the session is over.
  UnderWay.ToOffer nextToOffer(BooleanSupplier goOn) {
    await(() -> !isRunning() || underWay.hasToOffer() || goOn.getAsBoolean());
    synchronized (end) {
      return isRunning() ? underWay.pollToOffer() : null;
    }
  }

  /// Offers an entry once it has room; false if the session is over.
  boolean offer(Outgoing outgoing, List<Span> holes) {
    await(() -> !isRunning() || end.hasRoom(outgoing.kind()));
    synchronized (end) {
      return isRunning() && put(outgoing, holes);
    }
  }

  /// Offers an entry, unless it has to wait: for room, or for what has changed to be offered anew.
  boolean offerAtOnce(Outgoing outgoing, List<Span> holes) {
    synchronized (end) {
      boolean isFree = end.hasRoom(outgoing.kind()) && !underWay.hasToOffer();
      return isRunning() && isFree && put(outgoing, holes);
    }
  }

  /// To be called under the lock.
  private boolean put(Outgoing outgoing, List<Span> holes) {
    underWay.add(outgoing);
    end.offer(outgoing, holes);
    if (bunches.isDueByOneMore()) {
      changed();
    }
    return true;
  }

  /// Queues a part once there is room for it; does nothing if the session is over.
  void queue(OutgoingPart part) {
    await(() -> !isRunning() || end.hasRoomForPart());
    synchronized (end) {
      if (isRunning()) {
        end.queue(part);
        underWay.addPart();
        changed();
      }
    }
  }

  /// Queues what a part had no room for, or what the receiver wants after all.
  void queueNext(OutgoingPart part) {
    synchronized (end) {
      end.queueNext(part);
      underWay.addPart();
      changed();
    }
  }

  /// The files of a part are over.
  void partOver(OutgoingPart part) {
    synchronized (end) {
      underWay.partOver(part.count);
      changed();
    }
  }

  /// Has the files of a part offered one by one.
  void offerEach(OutgoingPart part) {
    synchronized (end) {
      underWay.offerEach(part);
      changed();
    }
  }

  /// Has files offered one by one that left their part, by whoever is about to say that.
  void offerAlone(OutgoingPart files) {
    synchronized (end) {
      end.moreToOffer();
      underWay.addPart();
      underWay.offerEach(files);
      changed();
    }
  }

  /// Has a file offered as it is now that left its part, by whoever is about to say that.
  void offerAnew(Outgoing outgoing) {
    synchronized (end) {
      end.moreToOffer();
      underWay.offerAnew(outgoing);
      changed();
    }
  }

  /// The next turn on a connection; waits while there is none.
  ///
  /// @param isOver whether the connection is, so that there will be none any more
  SenderAction turn(int connection, long blockBytesMax, BooleanSupplier isOver) {
    synchronized (end) {
      SenderAction turn = turnNow(connection, blockBytesMax);
      long fullSinceNs = fullSince(NOT_FULL);
      while (turn instanceof SenderAction.Wait && !isOver.getAsBoolean() && await()) {
        turn = turnNow(connection, blockBytesMax);
        fullSinceNs = fullSince(fullSinceNs);
      }
      return turn instanceof SenderAction.Wait ? new SenderAction.Leave() : turn;
    }
  }

  /// As [#turn], but does not wait.
  SenderAction turnNow(int connection, long blockBytesMax) {
    SenderAction turn = end.next(connection, blockBytesMax);
    if (turn instanceof SenderAction.Say(Frame frame) && frame.type() == FrameType.CHUNKS) {
      // Whoever cuts waits for room among them, and nothing else may be heard until the last.
      wake();
    }
    return turn;
  }

  /// Since when the turn waits for acknowledgements, or [#NOT_FULL]; books such a wait that is
  /// over.
  private long fullSince(long beforeNs) {
    boolean isFull = end.isTooMuchUnderWay();
    if (isFull == (beforeNs != NOT_FULL)) {
      return beforeNs;
    }
    long nowNs = System.nanoTime();
    if (!isFull) {
      insight.sample(Stage.WINDOW, nowNs - beforeNs);
    }
    return isFull ? nowNs : NOT_FULL;
  }

  /// Waits until another block of a stream may go.
  ///
  /// @return false if none may any more
  boolean awaitStreaming(Outgoing stream, long bytes) {
    synchronized (end) {
      long startedNs = System.nanoTime();
      boolean hasWaited = false;
      while (isRunning() && end.mayStream(stream) && !end.hasRoomFor(bytes)) {
        hasWaited = await();
      }
      if (hasWaited) {
        insight.sample(Stage.WINDOW, System.nanoTime() - startedNs);
      }
      return isRunning() && end.mayStream(stream);
    }
  }

  /// Waits until `isSo`, which is asked under the session's lock.
  void await(BooleanSupplier isSo) {
    synchronized (end) {
      // Before others are woken for the offers so far: mostly another one follows at once.
      if (isSo.getAsBoolean()) {
        return;
      }
      if (bunches.isAnyWaiting()) {
        changed();
      }
    }
    waiters.await(isSo);
    if (Thread.currentThread().isInterrupted()) {
      fail(Failure.of(ExitCode.INTERNAL, peer, "interrupted"));
    }
  }

  /// Wakes whoever waits for a turn, and those for whom it is time; to be called under the lock.
  private void changed() {
    bunches.woken();
    waiters.changed();
    end.notifyAll();
  }

  void wake() {
    synchronized (end) {
      changed();
    }
  }

  /// What limited the session, or null if it was too short to tell. The receiver's last word was
  /// heard.
  LimitedBy judge() {
    for (SenderConnection line : connections.open()) {
      line.tellNetwork();
    }
    return PeerTimings.judge(insight);
  }

  void tellWaits() {
    insight.starved(Processors.waitedNs());
  }

  /// What the last word tells of this end.
  Timings timings() {
    tellWaits();
    return PeerTimings.of(insight);
  }

  SendingEnd end() {
    return end;
  }

  boolean isRunning() {
    synchronized (end) {
      return !over && failure == null;
    }
  }

  @Override
  public long bytesDone() {
    synchronized (end) {
      return underWay.bytesAcknowledged();
    }
  }

  @Override
  public long progress() {
    synchronized (end) {
      return underWay.bytesAcknowledged() + underWay.over();
    }
  }

  @Override
  public String whatIsKept() {
    synchronized (end) {
      return underWay.whatIsKept(discards || agreement.isInOrder());
    }
  }

  @Override
  public void fail(Failure cause) {
    synchronized (end) {
      if (isRunning()) {
        failure = cause;
        end.giveUp(cause.exitCode(), cause.getMessage());
      }
      changed();
    }
    over();
  }

  private void over() {
    whenOver.run();
    connections.end(failure());
  }

  @Override
  public void forget(Failure cause) {
    synchronized (end) {
      forgotten = isRunning();
    }
    fail(cause);
  }

  /// Whether that is why it failed, so that another session may do.
  boolean isForgotten() {
    synchronized (end) {
      return forgotten;
    }
  }

  /// Gives an entry up for a reason of this end. If its source was replaced meanwhile, it may be
  /// read again.
  void giveUp(Outgoing outgoing, Failure cause) {
    if (outgoing.isUnchanged()) {
      outgoing.fail(cause);
    } else {
      outgoing.change(cause);
    }
    boolean isGone = cause.exitCode() == ExitCode.VANISHED;
    end(
        outgoing,
        isGone ? Status.VANISHED : outgoing.hasChanged() ? Status.CHANGED : Status.FAILED);
  }

  /// Of the bytes that the receiver holds, these are the source's, too.
  void claimed(Outgoing outgoing, List<Span> good) {
    List<SenderEvent> taken;
    synchronized (end) {
      taken = take(end.claimed(outgoing, good));
    }
    outcomes.take(taken);
  }

  /// Chunks of a file of which the receiver has another version; waits for room for them.
  ///
  /// @return false if they are of no use any more
  boolean tellChunks(int connection, Outgoing outgoing, Chunks chunks) {
    await(() -> !isRunning() || end.hasRoomForChunks(connection));
    synchronized (end) {
      end.chunks(connection, outgoing, chunks);
      changed();
      return isRunning() && end.isCutting(connection, outgoing);
    }
  }

  /// Whether only what differs from a version at the receiver is sent.
  boolean takesDifferences() {
    return switch (terms.savings().delta()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> isFar && !isFast();
    };
  }

  private boolean isFast() {
    int open = connections.open().size();
    synchronized (end) {
      return sentBytes >= RATED_BYTES_MIN
          && (double) sentBytes / sentNs * NS_A_SECOND * open > FAST_BYTES;
    }
  }

  /// It took so long to send a block.
  void sentBlock(long bytes, long elapsedNs) {
    synchronized (end) {
      sentBytes += bytes;
      sentNs += elapsedNs;
    }
  }

  /// What the bytes of a file are of which the receiver has a whole one.
  void shown(Outgoing outgoing, Show what) {
    end.shown(outgoing, what);
    wake();
  }

  /// A connection is lost, and both its threads have left it.
  void down(int connection) {
    List<SenderEvent> taken;
    synchronized (end) {
      taken = take(end.down(connection));
    }
    outcomes.take(taken);
  }

  void end(Outgoing outgoing, Status status) {
    end.end(outgoing, status);
    wake();
  }

  /// Takes what the receiver said on a connection.
  ///
  /// @return whether it owes something there after that, as [SendingEnd#isOwed]
  boolean hear(int connection, Frame frame) throws ProtocolException {
    if (frame instanceof Done done) {
      PeerTimings.tell(insight, done.timings(), WorkSide.RECEIVER);
    }
    List<SenderEvent> taken;
    boolean isOwed;
    synchronized (end) {
      taken = take(end.onFrame(connection, frame));
      isOwed = end.isOwed(connection);
    }
    outcomes.take(taken);
    return isOwed;
  }

  /// To be called under the lock.
  private List<SenderEvent> take(List<SenderEvent> heard) {
    for (SenderEvent each : heard) {
      if (each instanceof SenderEvent.Spoilt(SentEntry entry, ExitCode exitCode, String text)) {
        spoil((Outgoing) entry, exitCode, text);
      }
    }
    changed();
    return heard;
  }

  /// Another thread may soon hear that the receiver has let go of it, and must know the reason
  /// then.
  private static void spoil(Outgoing outgoing, ExitCode exitCode, String text) {
    // Digests that differ may be the doing of whoever writes to the source: that is looked at
    // later.
    if (outgoing.failure() == null && exitCode != ExitCode.INTEGRITY) {
      outgoing.fail(SentOutcomes.refusal(outgoing.label(), exitCode, text));
    }
  }

  /// Something that is not about one entry.
  void ofTheWhole(SenderEvent events) {
    if (events instanceof SenderEvent.Accepted(Accept accepted)) {
      agreement.reach(accepted);
      wake();
      connections.changed();
      return;
    }
    synchronized (end) {
      if (events instanceof SenderEvent.Over) {
        over = true;
      } else if (events instanceof SenderEvent.GaveUp(ExitCode exitCode, String text)
          && isRunning()) {
        failure = Failure.of(exitCode, peer, Printable.of(text)).ofPeer();
      }
      changed();
    }
    if (!isRunning()) {
      over();
    }
  }

  /// The receiver has acknowledged so many bytes.
  ///
  /// @return how many more than were known of
  long acknowledged(long bytes) {
    synchronized (end) {
      return underWay.acknowledged(bytes);
    }
  }

  /// An entry is over, and will be offered once more as it is now.
  void removeToOfferAnew(Outgoing outgoing) {
    synchronized (end) {
      underWay.removeToOfferAnew(outgoing);
      changed();
    }
  }

  /// An entry is over.
  ///
  /// @return false if it was before
  boolean remove(Outgoing outgoing) {
    synchronized (end) {
      boolean isFirst = underWay.remove(outgoing);
      if (underWay.isEmpty()) {
        changed();
      }
      return isFirst;
    }
  }

  /// @return false if the thread is interrupted, so that each wait would end at once
  private boolean await() {
    try {
      end.wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(Failure.of(ExitCode.INTERNAL, peer, "interrupted"));
    }
    return !Thread.currentThread().isInterrupted();
  }
}
