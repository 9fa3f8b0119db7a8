package dev.zcp.web;

import dev.zcp.carrier.TlsCarrier;
import dev.zcp.core.Daemon;
import dev.zcp.core.Ticker;
import dev.zcp.secure.WatchedEngine;
import dev.zcp.session.StrangerNotes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/// Runs each request on a thread of its own, and ends one whose client makes no progress. The
/// number of connections is bounded by [WebServer], and that of threads with it.
///
/// The server of the JDK has no time-out that spares a long upload. But its sockets are
/// interruptible channels: if the thread that reads or writes one is interrupted, the connection is
/// closed. Nor does it tell of a handshake of TLS that failed, or free the engine of a channel that
/// was closed.
final class RequestWatch implements Executor {

  /// A handshake and a header take no longer, even by telephone.
  private static final long HEADER_NS_MAX = 10_000_000_000L;

  private static final long TICK_NS = 250_000_000;

  private final long headerNs;
  private final long stallNs;
  private final StrangerNotes strangers;

  /// By which a thread reads, if that is by TLS.
  private final ThreadLocal<WatchedEngine> engines = new ThreadLocal<>();

  /// When each request that waits for its client is ended, by [System#nanoTime], by its thread.
  private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();

  private volatile boolean isOver;

  /// @param stallNs how long a request may make no progress once its header is there
  RequestWatch(long stallNs, StrangerNotes strangers) {
    this.strangers = strangers;
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
      endTls(own.isInterrupted());
    }
  }

  /// The calling thread reads by `engine`.
  void uses(WatchedEngine engine) {
    engines.set(engine);
  }

  private void endTls(boolean isBroken) {
    WatchedEngine engine = engines.get();
    // The thread's next request may be another connection's.
    engines.remove();
    if (engine == null || engine.isEstablished() && !isBroken) {
      return;
    }
    if (!engine.isEstablished()) {
      strangers.failed(
          "a connection from "
              + engine.getPeerHost()
              + ": the TLS handshake failed: "
              + reason(engine, isBroken));
    }
    engine.free();
  }

  private static String reason(WatchedEngine engine, boolean isBroken) {
    if (engine.failure() == null) {
      return isBroken ? "it took too long" : "the client closed the connection";
    }
    String reason = TlsCarrier.reason(engine.failure());
    return switch (reason) {
      // Conscrypt's own words, which it has for everything that is no TLS.
      case "Unable to parse TLS packet header" ->
          "the client does not speak TLS (the URL must begin with https)";
      // OpenSSL, and curl by it, sends its alert unencrypted, which BoringSSL takes for a short
      // record.
      case "bad packet length" ->
          "the client gave it up (it may not have accepted the certificate)";
      case "sslv3 alert certificate unknown", "tlsv1 alert unknown ca" ->
          reason + " (the client has not accepted the certificate)";
      default -> reason;
    };
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
