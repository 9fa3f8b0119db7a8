package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Quietly;
import dev.zcp.core.Span;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight.Made;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Held;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The entries of a session that were offered and are not over: at most
/// [dev.zcp.wire.Limits#ENTRIES_UNDER_WAY_MAX], as the exchange sees to it.
final class IncomingEntries {

  /// Failures that wait for another try; of more, the eldest is taken for the last word.
  private static final int GIVEN_UP_MAX = 1024;

  /// Of more directories that cannot be made, what is in them is told, too.
  private static final int REFUSED_MAX = 1024;

  /// A stream that lost its connection cannot go on, and its sender comes back only to say so: it
  /// tries after 0.1 s, 0.3 s, 0.7 s and 1.5 s.
  private static final long FAREWELL_NS = 2_000_000_000L;

  /// Chunks that wait to be taken, or are remembered of files and of their other versions, in 32
  /// bytes each at most: 2 MB that a session is sure of, and 134 MB besides for all sessions of the
  /// process.
  private static final Budget CHUNKS = new Budget(1 << 16, 1 << 22);

  private final ReceivingSession session;
  private final Budget.Share chunks = CHUNKS.new Share();
  private final Map<Long, IncomingEntry> all = new ConcurrentHashMap<>();

  /// What failed and may be offered anew, the eldest first, since its source had changed; guarded
  /// by itself.
  private final LinkedHashMap<EntryPath, GivenUp> givenUp = new LinkedHashMap<>();

  /// Whether one entry is all that the sender has.
  private volatile boolean single;

  /// How often each part arrived damaged; guarded by this. A connection was lost by each.
  private final Map<Long, Integer> damaged = new HashMap<>();

  /// Directories of which it was told that they cannot be made.
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  private record GivenUp(FileLog log, Failure failure) {}

  IncomingEntries(ReceivingSession session) {
    this.session = session;
  }

  IncomingEntry add(Offered offered) {
    IncomingEntry known = all.get(offered.fileId());
    if (known != null) {
      // Its connection was lost.
      forgetChunks(known);
      return known;
    }
    IncomingEntry added = new IncomingEntry(offered);
    all.put(offered.fileId(), added);
    return added;
  }

  /// Counts a file that is to come, before its sender hears so. What is offered may be there: that
  /// does not count.
  ///
  /// @param held of it from before
  /// @throws java.util.concurrent.CancellationException as [FileWork#use]
  void count(IncomingEntry entry, List<Held> held) {
    long bytes = entry.offered().hasSize() ? entry.offered().size() : 0;
    for (Held each : held) {
      bytes -= each.span().length();
    }
    if (entry.count(bytes)) {
      boolean fits = false;
      try {
        session.use(entry.offered().path(), bytes);
        fits = true;
      } finally {
        if (!fits) {
          entry.uncount();
        }
      }
    }
  }

  /// Counts bytes of a block that are about to come, if nobody knew how long its file is.
  ///
  /// @throws Failure DESTINATION if they are too many
  void countStreamed(IncomingEntry entry, long bytes) throws Failure {
    if (!entry.offered().hasSize()) {
      session.allowance().useBytes(entry.offered().path(), bytes);
      entry.countMore(bytes);
    }
  }

  /// The bytes of a block did not come, or must come again.
  void uncountStreamed(IncomingEntry entry, long bytes) {
    if (!entry.offered().hasSize()) {
      entry.countMore(-bytes);
      session.allowance().giveBackBytes(bytes);
    }
  }

  /// The entry is not made. Others may go on with what is kept of it, so that goes on to count. To
  /// be called before they may.
  private void uncount(IncomingEntry entry, long bytesKept) {
    long counted = entry.uncount();
    if (counted >= 0) {
      long notKept = entry.offered().hasSize() ? entry.offered().size() - bytesKept : counted;
      session.giveBack(Math.min(counted, notKept));
    }
  }

  /// Has the entry go on with the log of the one that had failed under its path, if there was one.
  /// To be called once the path is its own: the other one may have been at it until then.
  void takeUp(IncomingEntry entry) {
    GivenUp before;
    synchronized (givenUp) {
      before = givenUp.remove(entry.offered().path());
    }
    if (before != null) {
      entry.goOnWith(before.log());
    }
  }

  /// Whether a part that arrived damaged is to come again.
  synchronized boolean asksAgain(long partId) {
    return damaged.merge(partId, 1, Integer::sum) < SendingEnd.TRIES_MAX;
  }

  /// Null if there is none, or it is over.
  IncomingEntry of(long fileId) {
    return all.get(fileId);
  }

  /// @param entries how many are to come, as far as the sender knows
  void expect(long entries) {
    single = entries == 1;
  }

  /// Whether one entry is all that the sender has.
  boolean isSingle() {
    return single;
  }

  /// How long to wait for a sender that lost its last connection.
  ///
  /// @param usualNs if there is something to go on with
  long patienceNs(long usualNs) {
    return single && isAnyStream() ? Math.min(usualNs, FAREWELL_NS) : usualNs;
  }

  /// Whether a stream has begun to arrive and is not over.
  private boolean isAnyStream() {
    for (IncomingEntry entry : all.values()) {
      if (!entry.offered().hasSize() && entry.isBegun()) {
        return true;
      }
    }
    return false;
  }

  /// Remembers chunks of a file until they are [taken][#take]. If there is no room for them, they
  /// come from the sender.
  void tell(IncomingEntry entry, Chunks more) {
    if (chunks.take(more.count())) {
      entry.tell(more);
    } else if (more.isLast()) {
      entry.tell(more.none());
    }
  }

  /// Puts a file together as far as its chunks were told.
  ///
  /// @param again as in [OpenFileCount#enterHeld]
  /// @return what is wanted of it now; null if more chunks are to come, or if too many files are
  ///   open: then `again` will be run
  Answer take(IncomingEntry entry, Consumer<Runnable> again) {
    for (Chunks told = entry.chunks(); told != null; told = entry.chunks()) {
      Answer answer;
      try {
        if (!entry.landing().openToRebuild(again)) {
          return null;
        }
        answer = entry.take(told, chunks);
      } catch (IOException e) {
        Failure failure = Reasons.destination(entry.offered().path(), e);
        answer = Answer.failed(entry.offered().fileId(), failure);
      } catch (Failure failure) {
        answer = Answer.failed(entry.offered().fileId(), failure);
      }
      entry.dropChunks();
      chunks.giveBack(told.count());
      if (told.isLast()) {
        return answer;
      }
    }
    return null;
  }

  private void forgetChunks(IncomingEntry entry) {
    chunks.giveBack(entry.forgetChunks());
  }

  /// The entry is over, and well.
  void done(IncomingEntry entry) {
    if (entry.end(() -> Quietly.close(entry.landing()))) {
      all.remove(entry.offered().fileId());
    }
  }

  /// All in a directory is over: it gets what it was offered with.
  void complete(long fileId) {
    IncomingEntry entry = all.get(fileId);
    if (entry == null || !entry.enter()) {
      return;
    }
    try {
      boolean isMade = session.place().complete(entry.offered());
      if (isMade && !entry.offered().path().isTop() && !session.isDryRun()) {
        session.insight().made(Made.DIRECTORY);
      }
      done(entry);
      session.end().completed(fileId);
    } catch (Failure failure) {
      failed(entry, failure);
    } finally {
      entry.leave();
    }
  }

  /// Bytes of the entry arrived damaged, and count as sent again.
  ///
  /// @return whether they are to be asked for again; else the entry is over
  boolean damaged(IncomingEntry entry, Span span) {
    session.insight().ofSession().resent(span.length());
    String path = entry.offered().path().toString();
    if (!entry.asksAgain(span.offset())) {
      failed(entry, Failure.of(ExitCode.INTEGRITY, path, "arrived damaged too often"));
      return false;
    }
    if (entry.tellsDamage()) {
      session
          .insight()
          .note(
              path
                  + ": a block of "
                  + span.length()
                  + " bytes at "
                  + span.offset()
                  + " differs from what was sent (it is asked for again)");
    }
    return true;
  }

  /// The entry is over, since it failed here. The sender is told.
  void failed(IncomingEntry entry, Failure failure) {
    boolean damaged = failure.exitCode() == ExitCode.INTEGRITY;
    if (end(entry, damaged, damaged ? failure : null)) {
      if (!damaged) {
        session.failed(entry.offered().path(), entry.log(session.insight()), failure);
      }
      session.end().failed(entry.offered().fileId(), failure.exitCode(), failure.reason());
    }
  }

  /// The entry is over, since it cannot be taken: the answer to its offer says so. Of a directory
  /// that cannot be made that is told once, and not of all that is in it, which may come first.
  void refused(IncomingEntry entry, Failure failure) {
    if (!end(entry, false, null)) {
      return;
    }
    String path = failure.subject();
    boolean isDirectory = entry.offered().kind().isDirectory();
    boolean isAbove = !path.equals(entry.offered().path().toString());
    boolean isKnown = refused.contains(path);
    if ((isDirectory || isAbove) && refused.size() < REFUSED_MAX) {
      isKnown = !refused.add(path);
    }
    if (isKnown) {
      session.note(failure.exitCode());
    } else {
      session.failed(entry.offered().path(), entry.log(session.insight()), failure);
    }
  }

  /// The entry is over, since its sender gave it up.
  void drop(ReceiverAction.Drop drop) {
    IncomingEntry entry = all.get(drop.fileId());
    // Of a source that could not be read there is nothing to go on with but by chance; what a lost
    // connection spoiled is gone on with.
    boolean keep = drop.exitCode() == ExitCode.NETWORK;
    if (entry != null) {
      String why = drop.why().isEmpty() ? "the sender gave it up" : Printable.of(drop.why());
      String path = entry.offered().path().toString();
      end(entry, !keep, Failure.of(drop.exitCode(), path, why));
    }
  }

  /// Keeps what can be gone on with of the files that are not over, once nobody is at them, and
  /// lets go of all.
  ///
  /// @return how much was kept of what, in words; empty if nothing was
  String keep() {
    int files = 0;
    long bytes = 0;
    String first = "";
    for (IncomingEntry entry : all.values()) {
      Landing landing = entry.landing();
      uncount(entry, landing == null ? 0 : landing.bytesToKeep());
      long kept = landing == null ? 0 : landing.keep();
      Quietly.close(landing);
      if (kept > 0) {
        first = first.isEmpty() ? shareOf(entry.offered(), kept) : first;
        files++;
        bytes += kept;
      }
    }
    all.clear();
    chunks.close();
    if (files <= 1) {
      return first.isEmpty() ? "" : first + " are kept";
    }
    return new ByteSize(bytes) + " of " + files + " files are kept";
  }

  private static String shareOf(Offered entry, long kept) {
    String all = entry.hasSize() ? " of " + new ByteSize(entry.size()) : "";
    return new ByteSize(kept) + all + " of " + entry.path();
  }

  /// @param failure to be [kept in mind][#keepInMind], or null
  private boolean end(IncomingEntry entry, boolean drop, Failure failure) {
    boolean first = entry.end(() -> letGo(entry, drop, failure));
    if (first) {
      all.remove(entry.offered().fileId());
    }
    return first;
  }

  private void letGo(IncomingEntry entry, boolean drop, Failure failure) {
    if (failure != null) {
      // Before the path is free: whoever has it next looks for this.
      keepInMind(entry, failure);
    }
    forgetChunks(entry);
    Landing landing = entry.landing();
    uncount(entry, landing == null || drop ? 0 : landing.bytesToKeep());
    if (landing != null && drop) {
      landing.drop();
    }
    Quietly.close(landing);
  }

  /// The entry failed, but a sender whose source had changed offers it anew, and that may go well.
  private void keepInMind(IncomingEntry entry, Failure failure) {
    GivenUp one = new GivenUp(entry.log(session.insight()), failure);
    GivenUp eldest;
    synchronized (givenUp) {
      eldest = givenUp.size() < GIVEN_UP_MAX ? null : givenUp.pollFirstEntry().getValue();
      givenUp.putLast(entry.offered().path(), one);
    }
    if (eldest != null) {
      eldest.log().failed(eldest.failure());
      session.note(eldest.failure().exitCode());
    }
  }

  /// Nothing will be offered any more: what was given up has failed.
  ///
  /// @param last the code of the sender's last word; OK if it said none. If it is that entries
  ///   vanished, it gave nothing up for another reason
  void tellWhatWasGivenUp(ExitCode last) {
    List<GivenUp> rest;
    synchronized (givenUp) {
      rest = List.copyOf(givenUp.values());
      givenUp.clear();
    }
    for (GivenUp each : rest) {
      each.log().failed(each.failure());
      ExitCode why = each.failure().exitCode();
      session.note(last == ExitCode.VANISHED && why == ExitCode.SOURCE ? last : why);
    }
  }
}
