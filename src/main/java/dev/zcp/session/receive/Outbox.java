package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Daemon;
import dev.zcp.core.Uninterruptible;
import dev.zcp.exchange.ReceivingEnd;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Timings;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// What a session has to say over one connection, and the one thread that writes it, in order. Any
/// thread may say that there is something, and waits for nobody then.
final class Outbox implements Closeable {

  /// How often somebody may have said so while the writer is at what was there before. Each time
  /// there may be as many answers as a worker takes files at once.
  private static final int ASKED_MAX = 256;

  private final int number;
  private final ReceivingEnd end;
  private final Connection connection;
  private final Supplier<Timings> timings;
  private final Consumer<Throwable> whenBroken;

  private volatile boolean last;
  private volatile boolean hangsUp;

  // All below is guarded by this.

  /// How often somebody asked since everything was said.
  private int asked;

  private boolean closed;

  /// Null before [#start].
  private Thread writer;

  /// @param timings what the last word is to tell of this end
  /// @param whenBroken told of a defect of the writer
  Outbox(
      int number,
      ReceivingEnd end,
      Connection connection,
      Supplier<Timings> timings,
      Consumer<Throwable> whenBroken) {
    this.number = number;
    this.end = end;
    this.connection = connection;
    this.timings = timings;
    this.whenBroken = whenBroken;
  }

  int number() {
    return number;
  }

  Connection connection() {
    return connection;
  }

  synchronized void start() {
    writer = Daemon.start(this::write, "zcp-write-" + number);
  }

  /// There is something to say. A connection that takes no more is cut: whoever reads from it
  /// learns that.
  synchronized void speak() {
    asked++;
    notifyAll();
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

  /// Waits while too much is unsaid: a peer that goes on and does not read its answers is not
  /// listened to any more, until it does or is [taken for stuck][dev.zcp.carrier.PeerTimeout].
  synchronized void awaitRoom() throws InterruptedException {
    while (asked > ASKED_MAX && !closed) {
      wait();
    }
  }

  /// Waits until the writer has left the connection, which must be cut by then.
  @Override
  public void close() {
    Thread leaving;
    synchronized (this) {
      closed = true;
      notifyAll();
      leaving = writer;
    }
    if (leaving != null) {
      Uninterruptible.join(leaving);
    }
  }

  private void write() {
    try {
      for (int seen = awaitAsked(0); seen > 0; seen = awaitAsked(seen)) {
        say();
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      broken(e);
    }
  }

  private void broken(Throwable why) {
    try {
      // The peer must learn that nobody says anything any more.
      stop();
      whenBroken.accept(why);
    } catch (OutOfMemoryError e) {
      // Whoever reads from the connection, which is cut, ends the session.
    }
  }

  private synchronized void stop() {
    closed = true;
    notifyAll();
    connection.cut();
  }

  /// @param done how much of what was asked for is done now
  /// @return how much is asked for; 0 if the writer is to end
  private synchronized int awaitAsked(int done) throws InterruptedException {
    asked -= done;
    notifyAll();
    while (asked == 0 && !closed) {
      wait();
    }
    return closed ? 0 : asked;
  }

  private void say() {
    try {
      // Asked first: what is due before this end hangs up must be among the frames.
      boolean isOver = hangsUp;
      for (Frame frame : end.next(number)) {
        connection.put(frame instanceof Done done ? done.with(timings.get()) : frame);
        isOver |= frame.type() == FrameType.DONE;
      }
      connection.flush();
      if (isOver) {
        connection.farewell();
      } else if (last) {
        // The peer ends the connection when it has heard the last word, here or on another one.
        connection.timeout().hurry(Limits.HANDSHAKE_DEADLINE_NS);
      }
    } catch (IOException e) {
      connection.cut();
    }
  }
}
