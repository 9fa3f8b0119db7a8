package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.Uninterruptible;
import dev.zcp.exchange.SenderAction;
import dev.zcp.exchange.SentEntry;
import dev.zcp.exchange.SentPart;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.LimitedBy;
import dev.zcp.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;

/// One connection of a session: a thread that hears, which is the caller's, and one that speaks.
///
/// Guarantees: 1. the socket is closed only once both threads have left it, since a descriptor's
/// number may be another file's as soon as it is closed; 2. [#serve] returns after that, or before
/// if the only thread left waits for a producer, which may last for ever; 3. once it has returned,
/// nothing more is sent.
final class SenderConnection {

  private final SendingSession session;
  private final int number;
  private final Connection connection;
  private final String peer;
  private final CompressedOutput output;
  private final BlockSender blocks;
  private final PartSender parts;
  private final StreamSender streams;

  private volatile boolean lost;
  private volatile boolean retired;
  private volatile Failure cause;

  /// Whether the receiver's last word came here, and not that it gives up.
  private volatile boolean ending;

  // All below is guarded by this.

  /// How many threads have not left.
  private int threads = 2;

  /// Whether the one that takes the turns leaves the socket alone, and waits for a producer.
  private boolean away;

  /// Whether the peer owed something when that was last looked at.
  private boolean watched;

  private long beatCount;
  private boolean hasToldNetwork;

  /// @param number of this connection in the session, never used before
  SenderConnection(SendingSession session, int number, Connection connection) {
    this.session = session;
    this.number = number;
    this.connection = connection;
    this.peer = session.peer();
    this.output = new CompressedOutput(session, connection);
    this.blocks = new BlockSender(session, number, connection, output);
    this.parts = new PartSender(session, number, connection, output);
    this.streams = new StreamSender(session, number, connection, output, this);
  }

  /// Serves the connection, which the session must know by now.
  ///
  /// @return why it was lost, as the session's failure would tell it; null if it was left
  Failure serve() {
    try {
      Daemon.start(this::speak, "zcp-write-" + number);
    } catch (Error e) {
      session.fail(Reasons.defect(peer, e));
      lose(null);
      leave();
    }
    listen();
    awaitEnd();
    return cause;
  }

  private synchronized void awaitEnd() {
    Uninterruptible.await(() -> threads == 0 || threads == 1 && away && lost, this::wait);
  }

  /// Frees both threads from whatever they wait for.
  void hangUp() {
    synchronized (this) {
      lost = true;
      notifyAll();
    }
    connection.cut();
    session.wake();
  }

  /// Ends this end's part, once the session is over on both: nothing cuts a pipe, so the other end
  /// would wait for more.
  void farewell() {
    try {
      connection.farewell();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  /// Whether it says nothing but what limited the session, and is left after that.
  boolean isEnding() {
    return ending;
  }

  /// Tells what the kernel has counted of it, once. The socket is not closed meanwhile.
  synchronized void tellNetwork() {
    if (!hasToldNetwork && threads > 0) {
      session.insight().network(connection.network());
      hasToldNetwork = true;
    }
  }

  int number() {
    return number;
  }

  /// Whether this end has closed it, since it is [spent][Connection#isSpent].
  boolean isRetired() {
    return retired;
  }

  /// What must come in order stays on one connection.
  private boolean isRetiring() {
    return connection.isSpent() && !session.agreement().isInOrder();
  }

  private boolean mayRetire() {
    return isRetiring() && session.end().isIdle(number);
  }

  private void speak() {
    try {
      SenderAction turn = next();
      while (!(turn instanceof SenderAction.Leave)) {
        carryOut(turn);
        watch();
        turn = next();
      }
      if (ending && session.failure() == null) {
        sayWhatLimited();
      } else if (!lost && session.isRunning() && mayRetire()) {
        retired = true;
        connection.farewell();
      }
    } catch (IOException e) {
      lose(network(e));
    } catch (RuntimeException | Error e) {
      session.fail(Reasons.defect(peer, e));
      lose(null);
    } finally {
      session.tellWaits();
      blocks.close();
      output.close();
      leave();
    }
  }

  /// The session is over, and nothing but this is said after that.
  private void sayWhatLimited() throws IOException {
    session.tellWaits();
    LimitedBy found = session.judge();
    if (found != null) {
      connection.put(found);
    }
    connection.farewell();
  }

  /// Frames are gathered until there is nothing more to say, or something may take a while.
  private SenderAction next() throws IOException {
    long blockBytesMax = isRetiring() ? 0 : blocks.blockBytesMax();
    SenderAction turn = session.turnNow(number, blockBytesMax);
    if (turn instanceof SenderAction.Say
        || turn instanceof SenderAction.SendBlock
        || turn instanceof SenderAction.Look) {
      return turn;
    }
    connection.flush();
    return turn instanceof SenderAction.Wait
        ? session.turn(number, blockBytesMax, () -> lost || mayRetire())
        : turn;
  }

  private void carryOut(SenderAction turn) throws IOException {
    if (turn instanceof SenderAction.Say(Frame frame)) {
      connection.put(frame instanceof Done done ? done.with(session.timings()) : frame);
    } else if (turn instanceof SenderAction.SendBlock block) {
      blocks.send((Outgoing) block.entry(), block.span(), block.isAgain());
    } else if (turn instanceof SenderAction.Look(SentPart part)) {
      parts.look((OutgoingPart) part);
    } else if (turn instanceof SenderAction.GiveBack(SentPart part)) {
      session.offerEach((OutgoingPart) part);
    } else if (turn instanceof SenderAction.SendPart(SentPart part)) {
      parts.send((OutgoingPart) part);
    } else if (turn instanceof SenderAction.SendStream(SentEntry stream)) {
      streams.send((Outgoing) stream);
    }
  }

  private void listen() {
    try {
      Frame frame = connection.receive();
      while (true) {
        // Before the thread that writes can learn that the session is over.
        ending = frame instanceof Done done && done.isWell();
        hear(frame);
        if (frame.type() == FrameType.DONE) {
          break;
        }
        frame = connection.receive();
      }
    } catch (ProtocolException e) {
      Failure failure = Failure.of(e.exitCode(), peer, e.getMessage()).because(e);
      // What was damaged on the way costs the connection, and another one may do better. A peer
      // that breaks the rules will break them again; the other thread tells it.
      if (e.exitCode() != ExitCode.INTEGRITY) {
        session.fail(failure);
        // Whoever is told that it broke the protocol hangs up, and the session need not wait
        // longer.
        connection.drain();
      }
      lose(failure);
    } catch (IOException e) {
      lose(network(e));
    } catch (RuntimeException | Error e) {
      // Whoever waits for the answers must not wait for a thread that is no more.
      session.fail(Reasons.defect(peer, e));
      lose(null);
    } finally {
      tellNetwork();
      leave();
    }
  }

  private void hear(Frame frame) throws ProtocolException {
    if (frame.type() == FrameType.BEAT) {
      hearBeat(((Beat) frame).count());
      return;
    }
    connection.timeout().progress();
    session.connections().act();
    watch(session.hear(number, frame));
  }

  /// A receiver that counts is at work, if only in a disk that hangs, and may take its time. One
  /// that owes something and counts nothing has lost it. If nothing is owed, as while a producer
  /// pauses, a beat is all that a peer can say.
  private synchronized void hearBeat(long count) {
    watch();
    if (count > beatCount) {
      connection.timeout().alive();
    } else if (!watched) {
      connection.timeout().progress();
    }
    beatCount = Math.max(beatCount, count);
  }

  /// The time that the peer has begins anew if it came to owe something, or owes nothing any more.
  /// It is watched either way.
  private synchronized void watch() {
    watch(session.end().isOwed(number));
  }

  private synchronized void watch(boolean owed) {
    if (owed != watched) {
      connection.timeout().waitForPeer();
    }
    watched = owed;
  }

  private void lose(Failure why) {
    synchronized (this) {
      cause = lost ? cause : why;
    }
    hangUp();
  }

  /// Nobody uses the connection, since a stream is read, or opened: either may last for as long as
  /// its producer likes.
  synchronized void away(boolean isAway) {
    away = isAway;
    notifyAll();
  }

  private synchronized void leave() {
    threads--;
    if (threads == 0) {
      Quietly.close(connection);
    }
    notifyAll();
  }

  private Failure network(IOException e) {
    String what =
        connection.timeout().ranOut()
            ? "stalled: the receiver made no progress"
            : e instanceof EOFException
                ? "the receiver closed the connection before it had confirmed everything"
                : Reasons.of(e);
    return Failure.of(ExitCode.NETWORK, peer, what).because(e);
  }
}
