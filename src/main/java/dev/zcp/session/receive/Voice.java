package dev.zcp.session.receive;

import dev.zcp.exchange.ReceivingEnd;
import dev.zcp.session.link.Connection;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Limits;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Says over one connection what its session has to say there, in order. Any thread may ask for it;
/// one at a time does it, and nobody waits for another who does.
final class Voice {

  /// How often it may be asked while somebody is saying what was there before. Each time there may
  /// be as many answers as a chore has.
  private static final int ASKED_MAX = 256;

  private static final long LOOK_NS = 1_000_000;

  private final int number;
  private final ReceivingEnd end;
  private final Connection connection;

  /// How often somebody asked since everything was said; above 0 while somebody is saying it.
  private final AtomicInteger asked = new AtomicInteger();

  private volatile boolean last;
  private volatile boolean hangsUp;

  Voice(int number, ReceivingEnd end, Connection connection) {
    this.number = number;
    this.end = end;
    this.connection = connection;
  }

  int number() {
    return number;
  }

  Connection connection() {
    return connection;
  }

  /// Says whatever there is to say, and then nothing any more: the peer has a last while to end the
  /// connection.
  void sayTheLast() {
    last = true;
    speak();
  }

  /// Says whatever there is to say, and ends this end's part of the connection: the session goes on
  /// without it.
  void hangUp() {
    hangsUp = true;
    speak();
  }

  /// Says whatever there is to say. When this returns it is said, or somebody else is about it. A
  /// connection that takes no more is cut: whoever reads from it learns that.
  void speak() {
    if (asked.getAndIncrement() > 0) {
      return;
    }
    int seen;
    do {
      seen = asked.get();
      try {
        for (Frame frame = end.next(number); frame != null; frame = end.next(number)) {
          connection.send(frame);
          if (frame.type() == FrameType.DONE) {
            connection.farewell();
          }
        }
        if (hangsUp) {
          connection.farewell();
        } else if (last) {
          // The peer ends the connection when it has heard the last word, here or on another one.
          connection.pulse().hurry(Limits.HANDSHAKE_DEADLINE_NS);
        }
      } catch (IOException e) {
        connection.cut();
      } catch (RuntimeException | Error e) {
        // Nobody else says what is left, and nobody may wait for it.
        asked.set(0);
        connection.cut();
        throw e;
      }
    } while (!asked.compareAndSet(seen, 0));
  }

  /// Waits while too much is unsaid: a peer that goes on and does not read its answers is not
  /// listened to any more, until it does or is [taken for stuck][dev.zcp.session.link.Pulse].
  void awaitRoom() {
    while (asked.get() > ASKED_MAX && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
