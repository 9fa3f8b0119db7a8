package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Printable;
import dev.zcp.engine.Engine;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.exchange.ReceivingEnd;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.linux.Processors;
import dev.zcp.session.BelievedBytes;
import dev.zcp.session.Checksum;
import dev.zcp.session.Flow;
import dev.zcp.session.Kinds;
import dev.zcp.session.PeerSession;
import dev.zcp.session.PeerTimings;
import dev.zcp.session.SessionConnections;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Digest;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.LimitedBy;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Timings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/// One sender's session, over however many connections: what the exchange wants done is done, and
/// what came of it is told to the exchange, which knows what to say.
///
/// Each connection has a thread that reads it and takes the bytes of blocks ([Intake]); what may
/// take long is left to the [ReceivingWorkers] ([ConnectionTasks]).
final class ReceivingSession implements FileWork, PeerSession {

  private static final int RESERVE_BYTES = 1 << 20;

  /// What may be under way. Blocks go past the memory of this process, and parts wait in the socket
  /// while [PartBuffers] are in use, so it only bounds what a sender must remember: some ten of the
  /// longest blocks.
  private static final long WINDOW_BYTES = 1L << 30;

  /// As the report tells it.
  private static final String PROOF_AGAIN = "each file read again before it got its name";

  private static final String PROOF_MEDIA = "each file read from the device before it got its name";

  private final ReceiverContext context;
  private final String peer;
  private final BiConsumer<PeerSession, Result> whenClosed;
  private final Insight insight;
  private final ReceivingEnd end = new ReceivingEnd();
  private final IncomingEntries entries;
  private final Allowance.SessionAllowance allowance;
  private final int connectionsMax;
  private final SessionConnections<Outbox> connections;
  private final ConnectionTakeover takeover;
  private final ReceivingWorkers workers;
  private final PartBuffers.BufferShare buffers;

  /// Whether all goes to standard output.
  private final boolean inOrder;

  /// Made in time.
  private final Failure outOfMemory;

  /// Given back when the session ends, so that an end for want of memory has some to report with.
  private volatile byte[] reserve = new byte[RESERVE_BYTES];

  private final LastWork lastWork;
  private final BelievedBytes believed = new BelievedBytes();

  /// How many workers are at work.
  private final AtomicInteger working = new AtomicInteger();

  /// What the arrival is to be proved to, once the manifest was accepted.
  private volatile Level level = Level.NONE;

  /// What blocks and parts are compared by, likewise.
  private volatile Digest.Algorithm digest = Digest.Algorithm.NONE;

  /// Whether the session began by ssh.
  private volatile boolean hasControl;

  /// Whether all connections so far stay on this machine.
  private volatile boolean isTamperProof = true;

  /// What the sender has announced, once it was accepted; null before.
  private volatile Manifest agreed;

  private volatile boolean forgotten;
  private volatile boolean beginsAnew;

  // All below is guarded by this.
  private Place place;
  private boolean connected;
  private boolean toldOfParts;
  private boolean toldOfCompressed;

  /// @param peer who began it, for messages
  /// @param connectionsMax at a time, if the bytes need not come in order
  /// @param whenClosed told when nobody is left in the session, with its result; with null if it
  ///   never began
  ReceivingSession(
      ReceiverContext context,
      String peer,
      int connectionsMax,
      BiConsumer<PeerSession, Result> whenClosed) {
    this.context = context;
    this.peer = peer;
    this.whenClosed = whenClosed;
    this.outOfMemory = Reasons.defect(peer, new OutOfMemoryError());
    this.workers = context.workers().get();
    this.buffers = context.buffers().share();
    this.insight = context.insight(peer);
    if (context.rate().isLimited()) {
      insight.paced(Stage.RECEIVE, context.rate()::intervalNs);
    }
    this.lastWork = new LastWork(end, insight);
    this.entries = new IncomingEntries(this);
    this.allowance = context.allowance().new SessionAllowance();
    this.inOrder = context.request().directory().isStandardStream();
    this.connectionsMax = inOrder ? 1 : connectionsMax;
    this.connections = new SessionConnections<>(this.connectionsMax);
    this.takeover = new ConnectionTakeover(end, connections, flow().stallTimeoutNs());
  }

  ReceiverContext context() {
    return context;
  }

  ReceivingWorkers workers() {
    return workers;
  }

  PartBuffers.BufferShare buffers() {
    return buffers;
  }

  Insight insight() {
    return insight;
  }

  private Flow flow() {
    return context.request().peering().flow();
  }

  ReceivingEnd end() {
    return end;
  }

  IncomingEntries entries() {
    return entries;
  }

  Allowance.SessionAllowance allowance() {
    return allowance;
  }

  @Override
  public SessionConnections<Outbox> connections() {
    return connections;
  }

  ConnectionTakeover takeover() {
    return takeover;
  }

  Level level() {
    return level;
  }

  Digest.Algorithm digest() {
    return digest;
  }

  boolean isInOrder() {
    return inOrder;
  }

  /// The session's place; only once the manifest was accepted.
  synchronized Place place() {
    return place;
  }

  @Override
  public Failure serve(int number, Connection connection, Link link) {
    Failure loss = null;
    Outbox outbox = new Outbox(number, end, connection, this::timings, this::broken);
    connection.tellOfWork(() -> working.get() > 0);
    try (connection) {
      if (isTooFar(connection)) {
        connections.missed();
        return tooFar(link);
      }
      int open = connections.up(outbox);
      if (open > 0) {
        hasControl |= connection.isControl();
        welcome(link, open);
        loss = serve(number, outbox, link);
      }
    } catch (IOException e) {
      // All that was to be said on it was, or it was lost.
    }
    return loss;
  }

  private Failure serve(int number, Outbox outbox, Link link) {
    Failure loss = null;
    end.up(number);
    try (Intake intake = new Intake(this, outbox, link.peer())) {
      outbox.start();
      speak();
      loss = intake.run();
      // At once: another session may want what is being read for this one.
      connections.down(outbox, loss);
    } catch (RuntimeException | Error e) {
      broken(e);
      outbox.connection().drain();
    } finally {
      outbox.connection().cut();
      outbox.close();
      end.down(number);
      takeover.tellThatOneIsDown();
      connections.down(outbox, loss);
      if (connections.open().isEmpty() && !connections.isOver()) {
        // Its sender may have ended, and the same command may begin another session.
        allowance.release(true);
      }
      endPipe();
      speak();
      if (hasControl && !outbox.connection().isControl()) {
        insight.ofSession().wentDirect(outbox.connection().movedBytes());
      }
    }
    return outbox.connection().isSpent() ? null : loss;
  }

  /// The sender closes the other connections when it has heard the last word. It is freed from a
  /// pipe only if this end ends it.
  private void endPipe() {
    List<Outbox> left = connections.open();
    if (connections.isOver() && left.size() == 1 && left.getFirst().connection().isControl()) {
      left.getFirst().hangUp();
    }
  }

  /// Whether a connection leaves this machine, and blocks are compared by what only its root could
  /// steer.
  private synchronized boolean isTooFar(Connection connection) {
    boolean isFar = !connection.isTamperProof() && digest == Digest.Algorithm.CRC32C;
    isTamperProof &= isFar || connection.isTamperProof();
    return isFar;
  }

  private Failure tooFar(Link link) {
    Failure failure =
        Failure.of(
            ExitCode.PROTOCOL,
            link.peer(),
            "refused a connection from another machine: the session began on this one, and compares"
                + " blocks by CRC32C");
    if (connections.open().isEmpty()) {
      // Who has others tells that the session goes on over them.
      note(failure.getMessage());
    }
    return failure;
  }

  private void welcome(Link link, int open) {
    boolean first;
    synchronized (this) {
      first = !connected;
      connected = true;
    }
    if (first) {
      insight.connected(link);
      String congestion = flow().congestion();
      if (congestion != null) {
        insight.ofSession().congestion(congestion);
      }
    }
    insight.ofSession().connections(open);
    if (!first && hasControl) {
      insight.alsoConnected(link);
    }
  }

  @Override
  public void leave() {
    try {
      // What went to standard output cannot be sent there again.
      long usualNs = context.request().peering().endpoint().patienceNs(flow());
      connections.awaitReturn(inOrder ? 0 : entries.patienceNs(usualNs));
    } catch (InterruptedException e) {
      connections.end(Failure.of(ExitCode.NETWORK, peer, "interrupted").because(e));
      Thread.currentThread().interrupt();
    }
    out();
  }

  private void out() {
    if (connections.leave()) {
      close();
    }
  }

  /// Something is done for the sender.
  void act() {
    connections.act();
  }

  @Override
  public boolean giveWay() {
    Failure failure =
        Failure.of(ExitCode.EXISTS, peer, "was idle, and made room for another sender");
    boolean ended = connections.end(failure);
    if (ended) {
      end.giveUp(failure.exitCode(), failure.reason());
      workers.take(() -> perform(this::sayLastWords));
    }
    return ended;
  }

  /// @throws CancellationException if the session is over, and so is the work. It is if its sender
  ///   has not come back for so long
  @Override
  public void goesOn() {
    if (connections.isOver() || connections.endIfOrphaned(flow().stallTimeoutNs())) {
      throw new CancellationException("the session is over");
    }
    act();
  }

  @Override
  public void sample(Stage stage, long elapsedNs) {
    insight.sample(stage, elapsedNs);
  }

  @Override
  public void durable(long bytes) {
    insight.durable(bytes);
  }

  /// What the last word tells of this end. Nothing if the session failed: maybe there is no memory.
  private Timings timings() {
    return connections.ending() == null ? PeerTimings.of(insight) : Timings.NONE;
  }

  /// The sender has said what it has measured so far. It is to know of the thread that heard it,
  /// too.
  void hear(Timings measured) {
    insight.starved(Processors.waitedNs());
    PeerTimings.tell(insight, measured, WorkSide.SENDER);
  }

  /// The sender has said what limited the session.
  void hear(LimitedBy found) {
    PeerTimings.tell(insight, found);
  }

  /// Has said on each connection what there is to say there.
  void speak() {
    for (Outbox outbox : connections.open()) {
      if (end.hasToSay(outbox.number())) {
        outbox.speak();
      }
    }
  }

  /// Does some work, unless the session is over: it may have waited for long. Throws nothing.
  ///
  /// @param after run in any case
  void perform(Runnable work, Runnable after) {
    if (connections.enter()) {
      working.incrementAndGet();
      try {
        perform(
            () -> {
              act();
              work.run();
              settle(end.due());
              act();
              speak();
            });
      } finally {
        working.decrementAndGet();
        out();
      }
    }
    perform(after);
  }

  /// Does what is due, and what becomes due by that: a directory may be the last thing in another
  /// one.
  void settle(List<ReceiverAction> due) {
    for (List<ReceiverAction> now = due; !now.isEmpty() && !connections.isOver(); now = end.due()) {
      now.forEach(this::settle);
    }
  }

  /// Does what is due by no frame alone.
  void settle(ReceiverAction action) {
    if (action instanceof ReceiverAction.Complete complete) {
      entries.complete(complete.fileId());
    } else if (action instanceof ReceiverAction.Over over) {
      over(over);
    } else if (action instanceof ReceiverAction.GaveUp(ExitCode exitCode, String text)) {
      fail(Failure.of(exitCode, peer, Printable.of(text)));
    } else {
      throw new IllegalStateException("no such action: " + action);
    }
  }

  private void perform(Runnable work) {
    try {
      work.run();
    } catch (CancellationException e) {
      // The session is over, and what was being read is of no use: see goesOn.
    } catch (RuntimeException | Error e) {
      broken(e);
    }
  }

  /// The session is over by a defect, or since there is no memory for it. Others go on.
  private void broken(Throwable defect) {
    if (defect instanceof OutOfMemoryError) {
      // No text is made.
      giveUp(outOfMemory, outOfMemory.reason());
    } else {
      fail(Reasons.defect(peer, defect));
    }
  }

  void admit(Manifest manifest) {
    entries.expect(manifest.entries());
    try {
      if (manifest.dryRun() && inOrder) {
        throw Failure.of(ExitCode.USAGE, peer, "a dry run is for a directory");
      }
      allowance.reserve(
          inOrder ? "standard output" : context.request().directory(),
          manifest.bytes(),
          manifest.entries());
      Place mine = beginPlace();
      int keeps = mine.admit(manifest);
      synchronized (this) {
        level = mine.provable(levelFor(manifest.level()));
        digest = manifest.digest().stronger(Digest.Algorithm.of(level, isTamperProof));
      }
      insight.ofSession().acknowledged(0);
      if (level == Level.MEDIA) {
        insight.durable(0);
      }
      insight.started(-1, manifest.bytes());
      end.accept(
          new Accept(
              level,
              digest,
              keeps,
              inOrder,
              connectionsMax(),
              inOrder ? StreamPlace.BLOCK_BYTES_MAX : WINDOW_BYTES,
              mine.filesMax()));
      agreed = manifest;
      if (tellsPlan()) {
        insight.dryRun();
      } else if (manifest.dryRun()) {
        insight.note("a dry run: nothing is made");
      }
      connections.changed();
    } catch (Failure failure) {
      // Which directory this is, is nothing to the sender.
      giveUp(failure, failure.reason());
    }
  }

  private synchronized Place beginPlace() throws Failure {
    if (place == null) {
      place = context.places().begin(this);
    }
    return place;
  }

  private Level levelFor(Level asked) {
    Level least = context.request().admission().verify();
    Level own = least == null ? Level.NONE : least;
    return own.compareTo(asked) > 0 ? own : asked;
  }

  /// A file has arrived.
  ///
  /// @param bytesBelieved how many of its bytes were not read again
  /// @param bytesArrived how many of them came in this session
  void done(FileLog log, Level reached, long bytesBelieved, long bytesArrived) {
    believed.add(bytesBelieved);
    proved(reached, bytesArrived);
    log.done(reached);
  }

  /// A file was there, and is what was shown.
  void alreadyThere(long bytes) {
    insight.ofSession().alreadyThere(bytes);
    insight.ofSession().proved(Checksum.labelOfPresent(digest, "here"));
  }

  /// Files have arrived.
  ///
  /// @param reached null if there are none
  void proved(Level reached, long bytesArrived) {
    if (reached != null && reached.compareTo(Level.READBACK) >= 0) {
      insight.ofSession().proved(reached == Level.MEDIA ? PROOF_MEDIA : PROOF_AGAIN);
    }
    if (reached == Level.MEDIA && !context.request().admission().durable()) {
      // It was written out to be read from there.
      insight.durable(bytesArrived);
    }
  }

  /// Small files come many at once, and go through memory: who asked for a strategy is told.
  void tellOfParts() {
    synchronized (this) {
      if (toldOfParts || context.request().choice().isAuto()) {
        return;
      }
      toldOfParts = true;
    }
    insight.note(
        "small files come together, through memory ("
            + context.engine().asked()
            + " takes the others; a sender's own --strategy sends all by themselves)");
  }

  /// Moves the bytes of compressed blocks, through memory: who asked for a strategy is told.
  Engine engineOfCompressed() {
    boolean isNews;
    synchronized (this) {
      isNews = !toldOfCompressed && !context.request().choice().isAuto();
      toldOfCompressed |= isNews;
    }
    if (isNews) {
      insight.note(
          "what comes compressed goes through memory ("
              + context.engine().asked()
              + " takes the rest)");
    }
    return context.engine().ofMemory();
  }

  /// As [LastWork#note].
  void note(ExitCode outcome) {
    lastWork.note(outcome);
  }

  /// All is over, as the sender says, too. What is left to do may take long, so a worker does it.
  private void over(ReceiverAction.Over over) {
    entries.tellWhatWasGivenUp(over.exitCode());
    lastWork.heard(over);
    Place mine = place();
    if (mine == null || !mine.deletes() && !mine.durability().isDurable()) {
      sayGoodbye();
    } else if (lastWork.begin()) {
      workers.take(() -> perform(() -> finish(mine), () -> {}));
    }
  }

  private void finish(Place mine) {
    lastWork.run(mine, context.request().directory());
    sayGoodbye();
  }

  private void sayGoodbye() {
    // Before the sender hears that it is over, and another one comes.
    allowance.release(isAnyFailed());
    lastWork.sayGoodbye(place());
    connections.end(null);
    sayLastWords();
  }

  @Override
  public void use(Object path, long bytes) {
    try {
      allowance.use(path, bytes);
    } catch (Failure failure) {
      fail(failure);
      throw new CancellationException("the session is over");
    }
  }

  @Override
  public void giveBack(long bytes) {
    allowance.giveBack(bytes);
  }

  @Override
  public void deleted(Object name) {
    lastWork.deleted(name);
  }

  @Override
  public boolean isAnyFailed() {
    return insight.isAnyButVanishedFailed();
  }

  @Override
  public void wouldDelete(Object name, byte[] path) {
    lastWork.wouldDelete(path);
    if (tellsPlan()) {
      insight.planned(Planned.DELETE, targetOf(name), targetOf(name), -1);
    }
  }

  /// Whether the sender has asked for a dry run.
  boolean isDryRun() {
    return agreed != null && agreed.dryRun();
  }

  /// Whether this end's user is told what would be done.
  private boolean tellsPlan() {
    return context.request().admission().dryRun();
  }

  /// It was answered what would become of the entry.
  void planned(Offered entry, Planned plan) {
    if (!tellsPlan()) {
      return;
    }
    if (plan == Planned.KEEP && !insight.hearsEachFile()) {
      insight.plannedToKeep();
      return;
    }
    boolean isOfFile = entry.kind() == EntryKind.FILE && entry.hasSize();
    String name = entry.path().toString();
    String place = targetOf(entry.path());
    if (plan == Planned.REPLACE) {
      Planned asNew = Kinds.planned(entry.kind());
      insight.plannedToReplace(asNew, name, place, isOfFile ? entry.size() : -1);
    } else {
      boolean isMoved = isOfFile && plan == Planned.COPY;
      insight.planned(plan, name, place, isMoved ? entry.size() : -1);
    }
  }

  private String targetOf(Object below) {
    String directory = context.request().directory().toString();
    String path = below.toString();
    return path.isEmpty() || path.equals(".")
        ? directory
        : directory.equals(".")
            ? path
            : directory.endsWith("/") ? directory + path : directory + "/" + path;
  }

  @Override
  public void failed(Object name, Failure failure) {
    lastWork.failed(name, failure);
  }

  @Override
  public void fail(Failure cause) {
    giveUp(cause, cause.getMessage());
  }

  /// An entry failed. If every other one would fail alike, that ends the session: else the sender
  /// would go on to send what nobody can write, and both ends would tell of each.
  void failed(EntryPath path, FileLog log, Failure failure) {
    boolean endsAll =
        failure.exitCode() == ExitCode.DESTINATION
            && Reasons.isOfFullTarget(failure.getCause())
            && !entries.isSingle()
            && place().isOfAll(path, failure.getCause());
    if (endsAll) {
      log.left();
      fail(failure);
    } else {
      log.failed(failure);
      note(failure.exitCode());
    }
  }

  @Override
  public void lose(Failure cause) {
    for (Outbox outbox : connections.open()) {
      outbox.connection().cut();
    }
    fail(cause);
  }

  @Override
  public void forget(Failure cause) {
    forgotten = !connections.isOver();
    fail(cause);
  }

  /// Whether the session ended since the sender knows nothing of it any more.
  boolean isForgotten() {
    return forgotten;
  }

  /// Whether there will be another session if the sender [forgets][#forget] this one, which then
  /// has no result; to be called before a connection is up.
  void expectToBeginAnew(boolean isExpected) {
    beginsAnew = isExpected;
  }

  @Override
  public void note(String message) {
    insight.note(message);
  }

  @Override
  public int connectionsMax() {
    return connectionsMax;
  }

  @Override
  public boolean isAgreed() {
    return agreed != null;
  }

  @Override
  public long bytesDone() {
    return insight.ofSession().bytesAcknowledged();
  }

  @Override
  public long bytesAll() {
    return agreed == null ? -1 : agreed.bytes();
  }

  @Override
  public long progress() {
    return insight.ofSession().bytesAcknowledged();
  }

  @Override
  public String whatIsKept() {
    return "";
  }

  private void giveUp(Failure failure, String said) {
    reserve = null;
    if (connections.end(failure)) {
      // As in sayGoodbye.
      allowance.release(true);
      try {
        end.giveUp(failure.exitCode(), said);
        sayLastWords();
      } catch (OutOfMemoryError e) {
        // The sender hears nothing then. Whoever reads from it must, to let go of what it holds.
        for (Outbox outbox : connections.open()) {
          outbox.connection().cut();
        }
      }
    }
  }

  private void sayLastWords() {
    for (Outbox outbox : connections.open()) {
      outbox.sayTheLast();
    }
  }

  /// Nobody is left in the session.
  private void close() {
    Result result = null;
    try {
      if (forgotten && beginsAnew) {
        closePlace();
      } else if (connections.hasBegun()) {
        result = result();
      }
    } finally {
      allowance.release(result == null || result.exitCode() != ExitCode.OK);
      workers.close();
      takeover.tellThatAllLeft();
      whenClosed.accept(this, result);
    }
  }

  private Result result() {
    reserve = null;
    Failure why = connections.ending();
    try {
      String kept = closePlace();
      end.forget();
      lastWork.tellWhatTheSenderCouldNot(peer);
      insight.ofSession().peerReached(level, end.peerReached(), "sender");
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

  /// @return what is kept of files that are not whole, in words; empty if nothing is
  private String closePlace() {
    Place mine = place();
    if (mine == null) {
      return "";
    }
    try (mine) {
      entries.tellWhatWasGivenUp(ExitCode.OK);
      for (Loss loss : mine.losses()) {
        insight.lost(loss.told());
      }
      return entries.keep();
    }
  }

  private static String remedy(String kept) {
    return kept.isEmpty()
        ? "files that were not complete were not published; send them again"
        : kept + "; the same command again goes on";
  }
}
