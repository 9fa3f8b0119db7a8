package dev.zcp.web;

import dev.zcp.core.ByteSize;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What is sent or fetched by each machine. HTTP knows requests and no sessions, so a visit stands
/// for one: all that a machine does without a pause. It has a report and limits of its own. Any
/// thread may call it.
final class Visits {

  /// Nobody chooses one.
  static final String STRATEGY = "auto";

  /// A browser that sends a folder makes a request for each file, and none is later than this.
  private static final long PAUSE_NS = 2_000_000_000L;

  private static final long TICK_NS = 200_000_000;

  /// Of more machines at a time, the one that has paused for longest is told of early.
  private static final int VISITS_MAX = 256;

  private static final SocketBuffer NO_BUFFER = new SocketBuffer("SO_RCVBUF", 0, 0, "");

  private final String command;
  private final String encryptedBy;
  private final boolean once;
  private final Listener listener;
  private final CompletableFuture<Result> first = new CompletableFuture<>();

  // All below is guarded by this.
  private final Map<String, Visit> visits = new LinkedHashMap<>();
  private int begun;

  /// @param encryptedBy as in [Link]
  /// @param once whether there is one visit alone, whoever takes part in it
  Visits(String command, String encryptedBy, boolean once, Listener listener) {
    this.command = command;
    this.encryptedBy = encryptedBy;
    this.once = once;
    this.listener = listener;
  }

  void start() {
    Ticker.start(TICK_NS, this::tick);
  }

  /// A request begins that moves files. [Visit#leave] is due.
  ///
  /// @throws Failure NETWORK if the only visit is over
  Visit enter(String host) throws Failure {
    List<Visit> ended = new ArrayList<>();
    Visit visit;
    synchronized (this) {
      if (first.isDone()) {
        throw Failure.of(ExitCode.NETWORK, host, "zcp has had the one transfer that it waited for");
      }
      String key = once ? "" : host;
      visit = visits.get(key);
      if (visit == null) {
        makeRoom(ended);
        begun++;
        visit = new Visit(new SessionName(begun, host));
        visits.put(key, visit);
      }
      visit.requests++;
    }
    ended.forEach(Visit::end);
    visit.begin(host);
    return visit;
  }

  private void makeRoom(List<Visit> ended) {
    for (Map.Entry<String, Visit> each : visits.entrySet()) {
      if (visits.size() >= VISITS_MAX && each.getValue().requests == 0) {
        ended.add(each.getValue());
      }
    }
    visits.values().removeAll(ended);
  }

  /// Waits until the only visit is over, or for ever.
  Result await() {
    return first.join();
  }

  private long tick(long nowNs) {
    endThosePaused(nowNs - PAUSE_NS);
    return first.isDone() ? 0 : TICK_NS;
  }

  /// The process ends: what is over and not told yet is told now.
  void endPaused() {
    endThosePaused(System.nanoTime());
  }

  /// @param sinceNs or longer
  private void endThosePaused(long sinceNs) {
    List<Visit> ended = new ArrayList<>();
    synchronized (this) {
      for (Visit each : visits.values()) {
        if (each.requests == 0 && each.leftNs - sinceNs <= 0) {
          ended.add(each);
        }
      }
      visits.values().removeAll(ended);
    }
    ended.forEach(Visit::end);
  }

  /// All that one machine does without a pause.
  final class Visit {

    private final Insight insight;

    // All below is guarded by the visits.
    private int requests;
    private long leftNs;
    private boolean hasBegun;
    private long files;
    private long bytes;

    private Visit(SessionName name) {
      this.insight = new Insight(command, STRATEGY, listener, name);
    }

    private void begin(String host) {
      synchronized (Visits.this) {
        if (hasBegun) {
          return;
        }
        hasBegun = true;
      }
      insight.started(-1, -1);
      insight.connected(new Link(host, false, encryptedBy, NO_BUFFER));
    }

    Insight insight() {
      return insight;
    }

    /// What came is not all that was to come.
    Failure failed(Failure failure) {
      insight.failed(failure);
      return failure;
    }

    /// Another file begins, of so many bytes as far as is known.
    ///
    /// @throws Failure DESTINATION if this is more than is taken
    void requireRoom(Admission admission, long more) throws Failure {
      synchronized (Visits.this) {
        files++;
        if (files > admission.filesMax()) {
          throw refused("more files come", "--max-files allows " + admission.filesMax());
        }
        requireBytes(admission, more);
      }
    }

    /// So many bytes have come.
    ///
    /// @throws Failure as [#requireRoom]
    void take(Admission admission, long more) throws Failure {
      synchronized (Visits.this) {
        requireBytes(admission, more);
        bytes += more;
      }
    }

    private void requireBytes(Admission admission, long more) throws Failure {
      boolean isLimited = admission.bytesMax() != Admission.UNLIMITED;
      if (isLimited && more > admission.bytesMax() - bytes) {
        throw refused("more bytes come", "--max-size allows " + new ByteSize(admission.bytesMax()));
      }
    }

    private static Failure refused(String what, String limit) {
      return Failure.of(ExitCode.DESTINATION, what).with(limit);
    }

    void leave() {
      synchronized (Visits.this) {
        requests--;
        leftNs = System.nanoTime();
      }
    }

    /// To be called once no request is left that could change it.
    private void end() {
      Result result = insight.finish(leftNs);
      if (once) {
        first.complete(result);
      }
    }
  }
}
