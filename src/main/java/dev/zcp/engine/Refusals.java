package dev.zcp.engine;

import dev.zcp.spi.Route;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;

/// What strategies would not do and need not be asked for again in this process, with their
/// reasons. Threads may share one.
final class Refusals {

  /// Those of so many pairs of file systems are kept; of others each transfer finds out anew.
  private static final int ENTRIES_MAX = 64;

  /// A new array for each change, so that whoever looks takes no lock.
  private volatile Entry[] entries = {};

  /// Keeps a refusal that reaches further than its transfer.
  void keep(TransferStrategy strategy, Step.Declined declined, Route route) {
    boolean everywhere = declined.reach() == Step.Reach.MACHINE;
    boolean betweenFiles = route.source().seekable() && route.sink().seekable();
    if (everywhere || declined.reach() == Step.Reach.FILE_SYSTEMS && betweenFiles) {
      add(
          new Entry(
              strategy,
              everywhere,
              route.source().device(),
              route.sink().device(),
              declined.reason()));
    }
  }

  /// Why `strategy` is not to be asked for `route`, or null where it is.
  String reasonOf(TransferStrategy strategy, Route route) {
    for (Entry each : entries) {
      if (each.strategy == strategy && each.reaches(route)) {
        return each.reason;
      }
    }
    return null;
  }

  private synchronized void add(Entry entry) {
    int count = entries.length;
    if (count == ENTRIES_MAX) {
      return;
    }
    Entry[] grown = new Entry[count + 1];
    System.arraycopy(entries, 0, grown, 0, count);
    grown[count] = entry;
    entries = grown;
  }

  private record Entry(
      TransferStrategy strategy, boolean everywhere, long source, long sink, String reason) {

    boolean reaches(Route route) {
      return everywhere
          || route.source().seekable()
              && route.sink().seekable()
              && route.source().device() == source
              && route.sink().device() == sink;
    }
  }
}
