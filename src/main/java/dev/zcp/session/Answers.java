package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Verified;
import dev.zcp.io.FileStatus;
import dev.zcp.wire.Ack;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Nack;
import dev.zcp.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Hears what the receiver says, on a thread of its own, while another one sends.
final class Answers {

  /// How long a thread that lost the connection waits for the peer's own word on it.
  private static final long LAST_WORD_MS = 2_000;

  private record Expected(Sender.Item item, FileLog log) {}

  private final Connection connection;
  private final String peer;

  // All below is guarded by this.
  private final Map<Long, Expected> expected = new HashMap<>();
  private long bytesArrived;
  private boolean saidGoodbye;
  private boolean ended;
  private Failure failure;

  Answers(Connection connection, String peer) {
    this.connection = connection;
    this.peer = peer;
  }

  void start() {
    Thread thread = new Thread(this::listen, "zcp-answers");
    thread.setDaemon(true);
    thread.start();
  }

  /// From now on `log` hears what becomes of the file.
  synchronized void expect(long fileId, Sender.Item item, FileLog log) {
    expected.put(fileId, new Expected(item, log));
  }

  /// Waits until another file may be announced.
  ///
  /// @throws Failure where the receiver has given up, or is gone
  synchronized void awaitRoom() throws Failure {
    connection.pulse().waitForPeer();
    while (!ended && !connection.conversation().mayAnnounce()) {
      await(0);
    }
    connection.pulse().stopWaiting();
    requireWilling();
  }

  /// @throws Failure where the receiver has given up, or is gone
  synchronized void requireWilling() throws Failure {
    if (failure != null) {
      throw failure;
    }
  }

  /// Says the last word: that all went well here, or why not.
  ///
  /// @param unsent why a file was not sent, or null where every one was
  void sayGoodbye(Failure unsent) throws IOException {
    synchronized (this) {
      saidGoodbye = true;
    }
    ExitCode exitCode = unsent == null ? ExitCode.OK : unsent.exitCode();
    String text = unsent == null ? "" : unsent.getMessage();
    connection.send(connection.conversation().done(exitCode, text));
  }

  /// Waits for the receiver's last word.
  ///
  /// @throws Failure where it never comes
  synchronized void awaitEnd() throws Failure {
    connection.pulse().waitForPeer();
    while (!ended) {
      await(0);
    }
    requireWilling();
  }

  /// Why the connection failed for the thread that sends: what the receiver said of it, if it said
  /// something, since the first cause wins over its consequences.
  synchronized Failure causeOf(IOException e) {
    if (!ended) {
      await(LAST_WORD_MS);
    }
    return failure != null ? failure : network(e);
  }

  private void await(long timeoutMs) {
    try {
      wait(timeoutMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(Failure.of(ExitCode.INTERNAL, peer, "interrupted"));
    }
  }

  private void listen() {
    try {
      while (!connection.conversation().peerIsDone()) {
        take(connection.receive());
      }
      end(null);
    } catch (ProtocolException e) {
      end(Failure.of(e.exitCode(), peer, e.getMessage()).because(e));
    } catch (IOException e) {
      end(network(e));
    } catch (RuntimeException | Error e) {
      // Whoever waits for the answers must not wait for a thread that is no more.
      end(Reasons.defect(peer, e));
    }
  }

  private synchronized void end(Failure cause) {
    if (failure == null) {
      failure = cause;
    }
    ended = true;
    notifyAll();
  }

  private synchronized void take(Frame frame) {
    switch (frame.type()) {
      case ACK -> {
        connection.pulse().progress();
        expected.remove(((Ack) frame).fileId()).log().done(Verified.WIRE);
      }
      case NACK -> {
        connection.pulse().progress();
        Nack nack = (Nack) frame;
        Expected refused = expected.remove(nack.fileId());
        refused.log().failed(refusal(refused.item(), nack));
      }
      case BEAT -> {
        // A beat alone is no progress: an end whose disk hangs may beat for ever.
        long bytes = ((Beat) frame).blockBytes();
        if (bytes > bytesArrived) {
          bytesArrived = bytes;
          connection.pulse().progress();
        }
      }
      case DONE -> {
        Done done = (Done) frame;
        boolean early = !saidGoodbye || !expected.isEmpty();
        if (early && done.exitCode() != ExitCode.OK) {
          failure =
              Failure.of(
                  done.exitCode(), peer, "the receiver gave up: " + Printable.of(done.text()));
        }
      }
      case META, DATA, TRAILER ->
          throw new IllegalStateException("the conversation let a " + frame.type() + " through");
    }
    notifyAll();
  }

  /// The receiver's reason. Digests that differ over a source that was changed meanwhile are the
  /// source's doing.
  private static Failure refusal(Sender.Item item, Nack nack) {
    String path = item.path().toString();
    if (nack.exitCode() == ExitCode.INTEGRITY && hasChanged(item)) {
      return Failure.of(ExitCode.SOURCE, path, "changed while it was read")
          .with("nothing was published, run the same command again");
    }
    return Failure.of(nack.exitCode(), path, "refused there: " + Printable.of(nack.text()));
  }

  private static boolean hasChanged(Sender.Item item) {
    try {
      return item.status() != null
          && !FileStatus.of(item.path().toPath()).isUnchangedSince(item.status());
    } catch (IOException e) {
      return true;
    }
  }

  private Failure network(IOException e) {
    String what =
        connection.pulse().ranOut()
            ? "stalled: the receiver made no progress"
            : e instanceof EOFException
                ? "the receiver closed the connection before it had confirmed everything"
                : Reasons.of(e);
    return Failure.of(ExitCode.NETWORK, peer, what)
        .with("files that were not confirmed were not published; run the same command again")
        .because(e);
  }
}
