package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/// All entries that were offered and are not over, and the count of those that are.
final class SentEntries {

  /// What is under way besides directories and small files. What is remembered of more costs the
  /// collectors of both ends more than it gains.
  private static final int LEAVES_MAX = 8192;

  /// Directories under way, which are over after all that is in them. So what is in them must have
  /// room, however many there are: these are as many as leave that, and come while there is room
  /// for the weight of one more that is none.
  private static final int DIRECTORIES_MAX = Limits.ENTRIES_UNDER_WAY_MAX - LEAVES_MAX;

  private static final long LEAF_BYTES_MAX = Limits.OFFERED_BYTES_MAX - Limits.PAYLOAD_BYTES_MAX;

  private static final long DIRECTORY_BYTES_MAX = LEAF_BYTES_MAX - Limits.PAYLOAD_BYTES_MAX;

  /// By their ids, in the order of these: that is how they come.
  private final LinkedHashMap<Long, SentEntry> entries = new LinkedHashMap<>();

  private final TreeDigest tree = new TreeDigest();
  private long nextFileId;
  private long weight;

  private final SentParts parts = new SentParts(this);

  private int directories;
  private int counted;
  private int held;
  private long filesDone;
  private ExitCode firstFailure = ExitCode.OK;
  private String firstFailureText = "";

  /// Whether something vanished before it was offered.
  private boolean lacksNames;

  private boolean failedAlike = true;

  private boolean isAnyFailed;

  /// Of a file that is over, and well.
  private boolean isSomeBelieved;

  /// What the driver is to hear by the call that is under way.
  private List<SenderEvent> events = new ArrayList<>();

  /// Begins to collect what the driver is to hear by a call.
  List<SenderEvent> collect() {
    events = new ArrayList<>();
    return events;
  }

  void tell(SenderEvent event) {
    events.add(event);
  }

  long nextFileId() {
    return nextFileId;
  }

  /// Whether an entry has room that comes next and is of this kind.
  boolean hasRoom(EntryKind kind) {
    if (nextFileId >= Limits.FILES_MAX) {
      return false;
    }
    if (kind.isDirectory()) {
      return directories < DIRECTORIES_MAX && weight <= DIRECTORY_BYTES_MAX;
    }
    return entries.size() - directories < LEAVES_MAX && weight <= LEAF_BYTES_MAX;
  }

  void add(SentEntry entry) {
    if (!hasRoom(entry.kind())) {
      throw new IllegalStateException("offered without room: " + entry.offered());
    }
    entries.put(nextFileId, entry);
    weight += entry.offered(nextFileId).weight();
    nextFileId++;
    directories += entry.isDirectory() ? 1 : 0;
  }

  SentEntry get(long fileId) {
    return entries.get(fileId);
  }

  /// Whether nothing is under way.
  boolean isEmpty() {
    return entries.isEmpty() && parts.isEmpty();
  }

  SentParts parts() {
    return parts;
  }

  /// The ids of a part that is about to be said for the first time.
  long takeIds(int count) {
    if (nextFileId + count > Limits.FILES_MAX) {
      throw new IllegalStateException("more entries than a session may have");
    }
    long first = nextFileId;
    nextFileId += count;
    return first;
  }

  /// The files of a part are over.
  void finish(SentPart part) {
    filesDone += part.addTo(tree);
  }

  Collection<SentEntry> all() {
    return entries.values();
  }

  int counted() {
    return counted;
  }

  void count(SentEntry entry) {
    if (!entry.isCounted) {
      entry.isCounted = true;
      counted++;
    }
  }

  void hold(SentEntry entry, List<Held> claimed) {
    held += claimed.size() - entry.held.size();
    entry.held = claimed;
  }

  int held() {
    return held;
  }

  void finish(SentEntry entry, int crc32c) {
    remove(entry);
    tree.add(entry.offered(), entry.finalSize(), crc32c);
    filesDone += entry.isFile() ? 1 : 0;
    isSomeBelieved |= entry.isBelieved;
  }

  /// An entry was given up, or failed, or left its part. It may be offered anew.
  void failed() {
    isAnyFailed = true;
  }

  boolean isAnyFailed() {
    return isAnyFailed;
  }

  /// The entry is over, and not well, or not to be.
  void remove(SentEntry entry) {
    entries.remove(entry.fileId());
    entry.isOver = true;
    weight -= entry.offered().weight();
    directories -= entry.isDirectory() ? 1 : 0;
    held -= entry.held.size();
    if (entry.isCounted) {
      counted--;
    }
  }

  void note(ExitCode exitCode, String text) {
    if (firstFailure == ExitCode.OK) {
      firstFailure = exitCode;
      firstFailureText = text;
    }
    failedAlike &= exitCode == firstFailure;
  }

  void lackNames() {
    lacksNames = true;
  }

  boolean hasFailures() {
    return firstFailure != ExitCode.OK;
  }

  /// Whether all entries that are not over were [sent][SentEntry#isSent].
  boolean isAllSent() {
    if (!parts.isAllSaid()) {
      return false;
    }
    for (SentEntry entry : entries.values()) {
      if (!entry.isSent()) {
        return false;
      }
    }
    return true;
  }

  /// The last word of a sender that has [sent all][#isAllSent]: early, if not all of that is over.
  ///
  /// @param agreed the level that the receiver promised
  Done done(Level agreed) {
    TreeDigest all = new TreeDigest();
    all.add(tree);
    boolean isAnyFile = filesDone > 0;
    isAnyFile |= parts.addTo(all) > 0;
    boolean isAnyBelieved = isSomeBelieved;
    for (SentEntry entry : entries.values()) {
      all.add(entry.offered(), entry.finalSize(), entry.finalCrc32c(agreed));
      isAnyFile |= entry.isFile();
      isAnyBelieved |= entry.isBelieved;
    }
    boolean oneCause = failedAlike && (!isAnyFile || firstFailure == ExitCode.VANISHED);
    ExitCode exitCode = hasFailures() && !oneCause ? ExitCode.SOME_FAILED : firstFailure;
    Level reached = isAnyBelieved ? Level.NONE : agreed;
    Done done = all.done(exitCode, reached, firstFailureText, !isEmpty());
    return lacksNames ? done.lackingNames() : done;
  }

  Done done(ExitCode exitCode, Level agreed, String text) {
    return tree.done(exitCode, isSomeBelieved ? Level.NONE : agreed, text, false);
  }

  boolean agreesWith(Done done) {
    return tree.agreesWith(done);
  }
}
