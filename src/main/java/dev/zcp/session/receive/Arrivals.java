package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.exchange.Task;
import dev.zcp.wire.Offered;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The entries of a session that were offered and are not over: at most
/// [dev.zcp.wire.Limits#ENTRIES_UNDER_WAY_MAX], as the exchange sees to it.
final class Arrivals {

  private final ReceivingSession session;
  private final Allowance allowance;
  private final Map<Long, Arrival> all = new ConcurrentHashMap<>();

  Arrivals(ReceivingSession session, Allowance allowance) {
    this.session = session;
    this.allowance = allowance;
  }

  Allowance allowance() {
    return allowance;
  }

  /// @throws Failure where this is more than the user allows
  Arrival add(Offered entry) throws Failure {
    allowance.count(entry);
    Arrival arrival = new Arrival(entry);
    all.put(entry.fileId(), arrival);
    return arrival;
  }

  /// Null where there is none, or it is over.
  Arrival of(long fileId) {
    return all.get(fileId);
  }

  /// The entry is over, and well.
  void done(Arrival arrival) {
    if (arrival.end(() -> close(arrival.landing()))) {
      all.remove(arrival.entry().fileId());
    }
  }

  /// The entry is over, since it failed here. The sender is told.
  void failed(Arrival arrival, Failure failure) {
    boolean damaged = failure.exitCode() == ExitCode.INTEGRITY;
    if (end(arrival, damaged)) {
      tell(arrival, failure);
      session.end().failed(arrival.entry().fileId(), failure.exitCode(), failure.reason());
    }
  }

  /// The entry is over, since it cannot be taken: the answer to its offer says so.
  void refused(Arrival arrival, Failure failure) {
    if (end(arrival, false)) {
      tell(arrival, failure);
    }
  }

  /// The entry is over, since its sender gave it up.
  void drop(Task.Drop drop) {
    Arrival arrival = all.get(drop.fileId());
    // Of a source that could not be read there is nothing to go on with but by chance; what a lost
    // connection spoiled is gone on with.
    boolean keep = drop.exitCode() == ExitCode.NETWORK;
    if (arrival != null && end(arrival, !keep)) {
      String why = drop.why().isEmpty() ? "the sender gave it up" : Printable.of(drop.why());
      tell(arrival, Failure.of(drop.exitCode(), arrival.entry().path().toString(), why));
    }
  }

  /// Keeps what can be gone on with of the files that are not over, once nobody is at them.
  ///
  /// @return how much was kept of what, in words; empty where nothing was
  String keep() {
    int files = 0;
    long bytes = 0;
    String first = "";
    for (Arrival arrival : all.values()) {
      Landing landing = arrival.landing();
      long kept = landing == null ? 0 : landing.keep();
      if (kept > 0) {
        Offered entry = arrival.entry();
        first = first.isEmpty() ? shareOf(entry, kept) : first;
        files++;
        bytes += kept;
      }
    }
    if (files <= 1) {
      return first.isEmpty() ? "" : first + " are kept";
    }
    return new ByteSize(bytes) + " of " + files + " files are kept";
  }

  /// @param bytes of the file that are kept, and need not come again
  static Failure withKept(Failure failure, long bytes) {
    return bytes == 0
        ? failure
        : failure.with(
            new ByteSize(bytes) + " that arrived are kept; the same command again goes on");
  }

  private static String shareOf(Offered entry, long kept) {
    String all = entry.hasSize() ? " of " + new ByteSize(entry.size()) : "";
    return new ByteSize(kept) + all + " of " + entry.path();
  }

  private boolean end(Arrival arrival, boolean drop) {
    boolean first = arrival.end(() -> letGo(arrival, drop));
    if (first) {
      all.remove(arrival.entry().fileId());
    }
    return first;
  }

  private void letGo(Arrival arrival, boolean drop) {
    Landing landing = arrival.landing();
    if (landing == null) {
      session.place().forget(arrival.entry());
    } else if (drop) {
      landing.drop();
    }
    close(landing);
  }

  private static void close(Landing landing) {
    if (landing != null) {
      landing.close();
    }
  }

  private void tell(Arrival arrival, Failure failure) {
    arrival.log(session.insight()).failed(failure);
    session.note(failure.exitCode());
  }
}
