package dev.zcp.web;

import dev.zcp.core.Daemon;
import dev.zcp.core.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/// Runs each request on a thread of its own, and ends one whose client makes no progress. The
/// number of connections is bounded by [WebServer], and that of threads with it.
///
/// The server of the JDK has no time-out that spares a long upload. But its sockets are
/// interruptible channels: if the thread that reads or writes one is interrupted, the connection is
/// closed.
final class RequestWatch implements Executor {

  /// A handshake and a header take no longer, even by telephone.
  private static final long HEADER_NS_MAX = 10_000_000_000L;

  private static final long TICK_NS = 250_000_000;

  private final long headerNs;
  private final long stallNs;

  /// When each request that waits for its client is ended, by [System#nanoTime], by its thread.
  private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();

  private volatile boolean isOver;

  /// @param stallNs how long a request may make no progress once its header is there
  RequestWatch(long stallNs) {
    this.stallNs = stallNs;
    this.headerNs = Math.min(stallNs, HEADER_NS_MAX);
  }

  void start() {
    Ticker.start(TICK_NS, this::tick);
  }

  void stop() {
    isOver = true;
  }

  @Override
  public void execute(Runnable request) {
    Daemon.start(() -> run(request), "zcp-web");
  }

  private void run(Runnable request) {
    Thread own = Thread.currentThread();
    deadlines.put(own, System.nanoTime() + headerNs);
    try {
      request.run();
    } finally {
      deadlines.remove(own);
    }
  }

  /// The request of the calling thread waits for its client from now on.
  void waits() {
    deadlines.put(Thread.currentThread(), System.nanoTime() + stallNs);
  }

  /// It waits for its client no longer: a disk may be slow.
  void works() {
    deadlines.remove(Thread.currentThread());
  }

  private long tick(long nowNs) {
    for (Map.Entry<Thread, Long> each : deadlines.entrySet()) {
      if (nowNs - each.getValue() > 0) {
        each.getKey().interrupt();
      }
    }
    return isOver ? 0 : TICK_NS;
  }
}
