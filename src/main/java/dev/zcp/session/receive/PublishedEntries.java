package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.place.Durability;
import dev.zcp.wire.Level;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;

/// The entries of one unit whose files are published together. Belongs to one thread.
final class PublishedEntries implements Closeable {

  private final ReceivingSession session;

  /// Null before the first file.
  private Durability.PublicationQueue queue;

  private final List<IncomingEntry> inside = new ArrayList<>();

  PublishedEntries(ReceivingSession session) {
    this.session = session;
  }

  Durability.PublicationQueue queue() {
    if (queue == null) {
      queue = session.place().durability().new PublicationQueue();
    }
    return queue;
  }

  /// Begins work on an entry, up to [#close].
  ///
  /// @return null if it is over
  IncomingEntry enter(long fileId) {
    IncomingEntry entry = session.entries().of(fileId);
    if (entry == null || !entry.enter()) {
      return null;
    }
    inside.add(entry);
    return entry;
  }

  /// Has all of them published that were given to the [#queue].
  void flush() {
    if (queue != null && queue.flush()) {
      session.act();
    }
  }

  /// Lets go of them, which may take its time if their bytes go nowhere.
  @Override
  public void close() {
    inside.forEach(IncomingEntry::leave);
    inside.clear();
  }

  /// Tells the sender.
  abstract class EntryOutcome implements Landing.PublishOutcome {

    private final IncomingEntry entry;

    EntryOutcome(IncomingEntry entry) {
      this.entry = entry;
    }

    void published(Level reached) {
      session.entries().done(entry);
      session.end().published(entry.offered().fileId(), reached);
    }

    @Override
    public void failed(Failure failure) {
      session.entries().failed(entry, failure);
    }
  }
}
