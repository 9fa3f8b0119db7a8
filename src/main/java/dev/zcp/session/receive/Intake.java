package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.LimitedBy;
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
  private final CompressedInput input;
  private final ConnectionTasks tasks;
  private final BlockIntake blocks;

  /// @param peer the other end of this very connection, for messages
  Intake(ReceivingSession session, Outbox outbox, String peer) {
    this.session = session;
    this.outbox = outbox;
    this.peer = peer;
    this.connection = outbox.connection();
    this.input = new CompressedInput(session, connection);
    this.tasks = new ConnectionTasks(session, outbox, input);
    this.blocks = new BlockIntake(session, outbox, input);
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
        if (frame instanceof LimitedBy found) {
          session.hear(found);
        } else if (frame.type() != FrameType.BEAT && !session.connections().isOver()) {
          take(frame);
        }
      }
      if (session.connections().ending() == null) {
        hearWhatLimited();
      }
      connection.drain();
      return null;
    } catch (ProtocolException e) {
      return broken(e);
    } catch (IOException e) {
      boolean isOver = session.connections().isOver();
      return isOver ? null : e.getCause() instanceof ProtocolException p ? broken(p) : lost(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return lost(new IOException("interrupted"));
    }
  }

  /// The sender says it on the connection on which it hears this end's last word.
  private void hearWhatLimited() throws IOException {
    connection.timeout().waitForPeer();
    try {
      Frame frame = connection.receive();
      while (frame.type() == FrameType.BEAT) {
        frame = connection.receive();
      }
      if (frame instanceof LimitedBy found) {
        session.hear(found);
      }
    } catch (ProtocolException e) {
      // All else is over, so nothing else counts.
    }
  }

  @Override
  public void close() {
    blocks.close();
    input.close();
    tasks.close();
  }

  private void take(Frame frame) throws IOException, ProtocolException, InterruptedException {
    session.act();
    if (frame instanceof Done done) {
      session.hear(done.timings());
    }
    for (ReceiverAction action : session.end().onFrame(outbox.number(), frame)) {
      perform(action);
    }
    List<ReceiverAction> due = session.end().due();
    if (!due.isEmpty()) {
      tasks.settle(due);
    }
    session.speak();
  }

  // No switch over the patterns: its first use would cost every process 3 ms.
  private void perform(ReceiverAction action) throws IOException, InterruptedException {
    if (action instanceof ReceiverAction.TakeBlock block) {
      blocks.take(block);
    } else if (action instanceof ReceiverAction.CheckBlock check) {
      blocks.check(check);
    } else if (action instanceof ReceiverAction.Look look) {
      tasks.look(look);
    } else if (action instanceof ReceiverAction.TakePart part) {
      tasks.takePart(part);
    } else if (action instanceof ReceiverAction.Consider consider) {
      tasks.consider(consider.entries());
    } else if (action instanceof ReceiverAction.TakeChunks(Chunks chunks)) {
      tasks.chunks(chunks);
    } else if (action instanceof ReceiverAction.Compare compare) {
      tasks.compare(compare);
    } else if (action instanceof ReceiverAction.Publish publish) {
      tasks.publish(publish);
    } else if (action instanceof ReceiverAction.MakeHole hole) {
      blocks.makeHole(hole);
    } else if (action instanceof ReceiverAction.Abandon abandon) {
      session.takeover().abandon(outbox.number(), abandon.connection());
    } else if (action instanceof ReceiverAction.Admit admit) {
      session.admit(admit.manifest());
    } else if (action instanceof ReceiverAction.Drop drop) {
      session.entries().drop(drop);
    } else {
      session.settle(action);
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
    connection.drain();
    return null;
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
