package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Ticker;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.session.Admission;
import dev.zcp.session.receive.Allowance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What is sent or fetched by each machine. HTTP knows requests and no sessions, so a visit stands
/// for one: all that a machine does without a pause. It has a report of its own. Any thread may
/// call it.
final class Visits {

  /// Nobody chooses one.
  static final String STRATEGY = "auto";

  /// A browser that sends a folder makes a request for each file, and none is later than this.
  private static final long PAUSE_NS = 2_000_000_000L;

  private static final long TICK_NS = 200_000_000;

  /// If there are more machines at a time, those that pause are told of early.
  private static final int VISITS_MAX = 256;

  private static final SocketBuffer NO_BUFFER = new SocketBuffer("SO_RCVBUF", 0, 0, "");

  private final String command;
  private final String encryptedBy;
  private final boolean once;

  /// Null if nothing may be brought.
  private final Allowance.SessionAllowance allowance;

  private final Listener listener;
  private final CompletableFuture<Result> first = new CompletableFuture<>();

  // Both are guarded by this.
  private final Map<String, Visit> visits = new LinkedHashMap<>();
  private int begun;

  /// @param encryptedBy as in [Link]
  /// @param once whether there is one visit alone, whoever takes part in it
  /// @param admission what all visits together may bring; null if they bring nothing
  Visits(String command, String encryptedBy, boolean once, Admission admission, Listener listener) {
    this.command = command;
    this.encryptedBy = encryptedBy;
    this.once = once;
    this.allowance = admission == null ? null : new Allowance(admission).new SessionAllowance();
    this.listener = listener;
  }

  void start() {
    Ticker.start(
        TICK_NS,
        nowNs -> {
          endThosePaused(nowNs - PAUSE_NS);
          return first.isDone() ? 0 : TICK_NS;
        });
  }

  /// A request begins that moves files. [Visit#close] is due.
  ///
  /// @throws Failure NETWORK if the only visit is over
  synchronized Visit enter(String host) throws Failure {
    if (first.isDone()) {
      throw Failure.of(ExitCode.NETWORK, host, "--once: the one transfer is over");
    }
    if (visits.size() >= VISITS_MAX) {
      endPaused();
    }
    Visit visit = visits.computeIfAbsent(once ? "" : host, _ -> new Visit(host));
    visit.requests++;
    return visit;
  }

  /// Waits until the only visit is over, or for ever.
  Result await() {
    return first.join();
  }

  private void endPaused() {
    endThosePaused(System.nanoTime());
  }

  /// The process ends by a signal: what is not told yet is told now.
  synchronized void interrupt() {
    endPaused();
    for (Visit each : visits.values()) {
      each.insight.interrupted(each.host + ": interrupted (files under way have not arrived)");
    }
  }

  /// @param sinceNs or longer
  private synchronized void endThosePaused(long sinceNs) {
    visits.values().removeIf(visit -> visit.endIfPaused(sinceNs));
  }

  /// All that one machine does without a pause.
  final class Visit implements AutoCloseable {

    private final String host;
    private final Insight insight;

    // Both are guarded by the visits.
    private int requests;
    private long leftNs;

    private Visit(String host) {
      this.host = host;
      begun++;
      insight = new Insight(command, STRATEGY, listener, new SessionName(begun, host));
      insight.started(-1, -1);
      insight.connected(new Link(host, false, encryptedBy, NO_BUFFER));
    }

    Insight insight() {
      return insight;
    }

    Allowance.SessionAllowance allowance() {
      return allowance;
    }

    /// The request is over.
    @Override
    public void close() {
      synchronized (Visits.this) {
        requests--;
        leftNs = System.nanoTime();
      }
    }

    /// @return whether no request has been under way since then
    private boolean endIfPaused(long sinceNs) {
      boolean isPaused = requests == 0 && leftNs - sinceNs <= 0;
      if (isPaused) {
        Result result = insight.finish(leftNs);
        if (once) {
          first.complete(result);
        }
      }
      return isPaused;
    }
  }
}
