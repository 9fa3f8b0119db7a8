package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.exchange.Task;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.ProtocolException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;

/// Reads one connection, from the first frame to the end of it, and does or has done what follows
/// from each. Belongs to the connection's thread.
final class Intake implements Closeable {

  private final ReceivingSession session;
  private final Outbox outbox;
  private final String peer;
  private final Connection connection;
  private final Chores chores;
  private final BlockIntake blocks;

  /// @param peer the other end of this very connection, for messages
  Intake(ReceivingSession session, Outbox outbox, String peer) {
    this.session = session;
    this.outbox = outbox;
    this.peer = peer;
    this.connection = outbox.connection();
    this.chores = new Chores(session, outbox);
    this.blocks = new BlockIntake(session, outbox);
  }

  /// Runs until the connection ends, or the session does.
  ///
  /// @return why the connection is lost, or null if it is not but the session is over
  Failure run() {
    try {
      while (!session.connections().isOver()) {
        outbox.awaitRoom();
        connection.timeout().waitForPeer();
        Frame frame = connection.receive();
        connection.timeout().stopWaiting();
        if (frame.type() != FrameType.BEAT && !session.connections().isOver()) {
          take(frame);
        }
      }
      connection.drain();
      return null;
    } catch (ProtocolException e) {
      return broken(e);
    } catch (IOException e) {
      return session.connections().isOver() ? null : lost(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return lost(new IOException("interrupted"));
    }
  }

  @Override
  public void close() {
    blocks.close();
    chores.close();
  }

  private void take(Frame frame) throws IOException, ProtocolException, InterruptedException {
    session.act();
    for (Task task : session.end().heard(outbox.number(), frame)) {
      perform(task);
    }
    List<Task> due = session.end().due();
    if (!due.isEmpty()) {
      chores.settle(due);
    }
    session.speak();
  }

  // No switch over the patterns: its first use would cost every process 3 ms.
  private void perform(Task task) throws IOException, InterruptedException {
    if (task instanceof Task.TakeBlock block) {
      blocks.take(block);
    } else if (task instanceof Task.CheckBlock check) {
      blocks.check(check);
    } else if (task instanceof Task.TakeBatch batch) {
      chores.takeBatch(batch);
    } else if (task instanceof Task.Consider consider) {
      chores.consider(consider.entries());
    } else if (task instanceof Task.Refuse refuse) {
      chores.refuse(refuse);
    } else if (task instanceof Task.Publish publish) {
      chores.publish(publish);
    } else if (task instanceof Task.MakeHole hole) {
      blocks.makeHole(hole);
    } else if (task instanceof Task.Abandon abandon) {
      session.departures().abandon(outbox.number(), abandon.connection());
    } else if (task instanceof Task.Admit admit) {
      session.admit(admit.manifest());
    } else if (task instanceof Task.Drop drop) {
      session.entries().drop(drop);
    } else if (task instanceof Task.Over over) {
      session.over(over);
    } else if (task instanceof Task.GaveUp gaveUp) {
      session.gaveUp(gaveUp);
    } else {
      throw new IllegalStateException("no such task: " + task);
    }
  }

  /// What was damaged on the way costs the connection, and another one may do better. A peer that
  /// breaks the rules will break them again.
  private Failure broken(ProtocolException e) {
    Failure failure = Failure.of(e.exitCode(), peer, e.getMessage()).because(e);
    if (e.exitCode() == ExitCode.INTEGRITY) {
      return failure;
    }
    session.fail(failure);
    drain(connection);
    return null;
  }

  /// Swallows what a peer still sends that has nothing to say any more.
  static void drain(Connection connection) {
    try {
      connection.drain();
    } catch (IOException e) {
      // The peer is gone already.
    }
  }

  private Failure lost(IOException e) {
    String what =
        connection.timeout().ranOut()
            ? "stalled: the sender said nothing for too long"
            : e instanceof EOFException
                ? "the sender closed the connection before the end"
                : Reasons.of(e);
    return Failure.of(ExitCode.NETWORK, peer, what).because(e);
  }
}
