package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All entries that a receiver was offered: those that are not over, and which are.
final class ReceivedEntries {

  /// Spans that are claimed besides the first of each entry.
  private static final int CLAIMED_MAX = Limits.HELD_OF_ALL_MAX - Limits.ENTRIES_UNDER_WAY_MAX;

  /// Runs of ids that were offered: they come nearly in order.
  private static final int KNOWN_RUNS_MAX = 1 << 14;

  /// By their ids, in the order of these: that is how they come.
  private final LinkedHashMap<Long, ReceivedEntry> entries = new LinkedHashMap<>();

  /// The directories among them that were not ended, by their paths.
  private final Map<EntryPath, Directory> directories = new HashMap<>();

  /// Directories that were ended, and all in them is over.
  private final List<ReceivedEntry> complete = new ArrayList<>();

  private final Failures failures = new Failures();
  private final TreeDigest tree = new TreeDigest();

  /// All that were offered.
  private final IdSet known = new IdSet();

  private long weight;
  private int counted;
  private int pieces;
  private int claimed;

  /// Parts that are not over.
  private int parts;

  /// Those of lost connections among them, by their first ids.
  private final Map<Long, ReceivedUnit> lostParts = new HashMap<>();

  /// The least that was reached for a file; null before the first.
  private Level reached;

  /// Whether an entry failed. One that was declined did not.
  private boolean isAnyFailed;

  /// A path of directories that are under way. Several of them have one path only if trees of
  /// operands meet.
  static final class Directory {

    private final EntryPath path;

    /// How often it was offered, and not ended.
    private int entries;

    /// How many entries in it are not over.
    private int inside;

    /// Those of its entries that were ended.
    private final List<ReceivedEntry> ended = new ArrayList<>(1);

    Directory(EntryPath path) {
      this.path = path;
    }
  }

  /// What the driver is to do by the call that is under way.
  private List<ReceiverAction> actions = new ArrayList<>();

  /// Begins to collect what the driver is to do by a call.
  List<ReceiverAction> collect() {
    actions = new ArrayList<>();
    return actions;
  }

  void toDo(ReceiverAction action) {
    actions.add(action);
  }

  void forget() {
    entries.clear();
    directories.clear();
    complete.clear();
    lostParts.clear();
  }

  /// The entry, or null if it is over.
  ///
  /// @throws ProtocolException if it was never offered
  ReceivedEntry get(long fileId) throws ProtocolException {
    if (isNew(fileId)) {
      throw new ProtocolException("entry " + fileId + " was never offered");
    }
    return entries.get(fileId);
  }

  /// The entry, or null if it is over or was never offered.
  ReceivedEntry find(long fileId) {
    return entries.get(fileId);
  }

  boolean isNew(long fileId) {
    return !known.contains(fileId);
  }

  /// Adds an entry in a directory that is under way, or at the top, which need not be.
  ///
  /// @return null if its directory is not under way
  ReceivedEntry add(Offered entry) throws ProtocolException {
    EntryPath parent = entry.path().parent();
    EntryPath in = parent == null && !entry.path().isTop() ? EntryPath.TOP : parent;
    Directory above = directories.get(in);
    if (parent != null && above == null) {
      return null;
    }
    know(entry.fileId(), 1);
    // Shares the path of its directory, so that each keeps only its name.
    boolean isShared = parent == null || parent == above.path;
    ReceivedEntry added = new ReceivedEntry(isShared ? entry : entry.movedTo(above.path));
    weight += entry.weight();
    if (entries.size() >= Limits.ENTRIES_UNDER_WAY_MAX || weight > Limits.OFFERED_BYTES_MAX) {
      throw new ProtocolException(
          "more entries under way than "
              + Limits.ENTRIES_UNDER_WAY_MAX
              + ", or "
              + Limits.OFFERED_BYTES_MAX
              + " bytes of them");
    }
    entries.put(entry.fileId(), added);
    if (added.isDirectory()) {
      directories.computeIfAbsent(added.offered.path(), Directory::new).entries++;
    }
    if (above != null) {
      above.inside++;
      added.above = above;
    }
    return added;
  }

  /// The entry cannot be taken, and is over.
  void refuse(Answer why) throws ProtocolException {
    know(why.fileId(), 1);
    notWell(why);
  }

  private void know(long fileId, int count) throws ProtocolException {
    known.add(fileId, count);
    if (known.runs() > KNOWN_RUNS_MAX) {
      throw new ProtocolException("ids in more than " + KNOWN_RUNS_MAX + " runs");
    }
  }

  /// Takes a part in hand, or lets it be if all its files are over.
  ///
  /// @return whether it was taken in hand
  /// @throws ProtocolException if its ids, or its directories, are not what they must be
  boolean begin(ReceivedUnit unit, Part part) throws ProtocolException {
    unit.runs = part.runs();
    long before = known.count(part.firstId(), part.count());
    ReceivedUnit lost = lostParts.remove(part.firstId());
    if (before > 0 && (!part.isRepeated() || before < part.count())) {
      throw new ProtocolException("a part with ids that were used before: " + part.firstId());
    }
    if (lost != null) {
      if (!Arrays.equals(lost.runs, unit.runs)) {
        throw new ProtocolException("another part than before: " + part.firstId());
      }
      unit.directories = lost.directories;
    } else if (before > 0) {
      return false;
    } else {
      if (parts == Limits.PARTS_UNDER_WAY_MAX) {
        throw new ProtocolException("more than " + Limits.PARTS_UNDER_WAY_MAX + " parts under way");
      }
      unit.directories = directories(part);
      count(unit, 1);
      know(part.firstId(), part.count());
      parts++;
    }
    unit.partId = part.firstId();
    return true;
  }

  /// The path of each: [EntryPath#TOP] for the receiver's own; null if it was not taken.
  static List<EntryPath> paths(List<Directory> directories) {
    List<EntryPath> paths = new ArrayList<>();
    for (Directory each : directories) {
      paths.add(each == null ? null : each.path);
    }
    return paths;
  }

  /// The directory of each run of files of a part or a look; null if it was not taken.
  List<Directory> directories(Part part) throws ProtocolException {
    List<Directory> all = new ArrayList<>();
    for (long id : part.directoryIds()) {
      all.add(underWay(id));
    }
    return all;
  }

  /// Counts the files of a part in their directories.
  ///
  /// @param sign 1, or -1 if they are over
  private static void count(ReceivedUnit unit, int sign) {
    for (int i = 0; i < unit.runs.length; i++) {
      Directory directory = unit.directories.get(i);
      if (directory != null) {
        directory.inside += sign * unit.runs[i];
      }
    }
  }

  /// A directory that was not ended; null if it was not taken.
  private Directory underWay(long fileId) throws ProtocolException {
    if (fileId == Part.OWN_DIRECTORY) {
      // Mostly nobody offered it, and nothing waits for what is in it.
      return directories.getOrDefault(EntryPath.TOP, new Directory(EntryPath.TOP));
    }
    ReceivedEntry entry = get(fileId);
    if (entry == null && failures.answer(fileId) != null) {
      return null;
    }
    if (entry == null || !entry.isDirectory() || entry.stage() == EntryStage.ENDING) {
      throw new ProtocolException("files in " + fileId + ", which is not a directory under way");
    }
    return directories.get(entry.offered.path());
  }

  /// The files of a part are over.
  void finish(ReceivedUnit unit, PartResult result) {
    leave(unit);
    result.addTo(tree);
    if (result.reached() != null) {
      reached(result.reached());
    }
    for (Answer why : result.missing()) {
      notWell(why);
      // Its sender has counted it, if it has said its last word early.
      anyFailed();
    }
  }

  /// The connection of a part was lost before its files were over: it comes again.
  void lose(ReceivedUnit unit) {
    if (unit.partId >= 0) {
      lostParts.put(unit.partId, unit);
    }
  }

  private void leave(ReceivedUnit unit) {
    count(unit, -1);
    for (Directory directory : unit.directories) {
      if (directory != null) {
        complete(directory);
      }
    }
    unit.partId = -1;
    parts--;
  }

  void end(ReceivedEntry directory) {
    Directory ended = directories.get(directory.offered.path());
    ended.ended.add(directory);
    forget(ended);
    complete(ended);
  }

  private void forget(Directory directory) {
    directory.entries--;
    if (directory.entries == 0) {
      directories.remove(directory.path);
    }
  }

  private void complete(Directory directory) {
    if (directory.inside == 0) {
      complete.addAll(directory.ended);
      directory.ended.clear();
    }
  }

  /// The directories that were ended and in which all is over, each given once.
  List<ReceivedEntry> takeComplete() {
    List<ReceivedEntry> taken = List.copyOf(complete);
    complete.clear();
    return taken;
  }

  Collection<ReceivedEntry> all() {
    return entries.values();
  }

  boolean isEmpty() {
    return entries.isEmpty() && parts == 0;
  }

  /// The file may have to be kept open from now on.
  void count(ReceivedEntry entry, int filesMax) throws ProtocolException {
    if (!entry.isCounted) {
      if (counted >= filesMax) {
        throw new ProtocolException("more than " + filesMax + " large files under way");
      }
      entry.isCounted = true;
      counted++;
    }
  }

  /// Some of the bytes of the entry are here from before.
  ///
  /// @return what to claim of them: as much as the sender can remember, beside all that it was told
  Answer claim(ReceivedEntry entry, Answer rest) {
    int room = Math.max(1, CLAIMED_MAX - claimed);
    List<Held> held = rest.held();
    List<Held> told = held.subList(0, Math.min(room, held.size()));
    told.forEach(entry.coverage::hold);
    recount(entry);
    entry.claimed = told.size();
    claimed += entry.claimed;
    return told.size() == held.size() ? rest : Answer.rest(entry.id(), told);
  }

  void recount(ReceivedEntry entry) {
    pieces += entry.coverage.pieces() - entry.piecesCounted;
    entry.piecesCounted = entry.coverage.pieces();
  }

  void requireRoomForPieces() throws ProtocolException {
    if (pieces > Limits.RUNS_MAX) {
      throw new ProtocolException("files in more than " + Limits.RUNS_MAX + " pieces");
    }
  }

  Failures failures() {
    return failures;
  }

  void finish(ReceivedEntry entry, Level level) {
    remove(entry);
    entry.go(EntryEvent.FINISH);
    tree.add(entry.offered, entry.size, level == Level.NONE ? 0 : entry.crc32c);
  }

  void reached(Level level) {
    reached = reached == null ? level : reached.lesser(level);
  }

  /// The entry is over without having arrived: it failed, was declined, or what exists is kept.
  void fail(ReceivedEntry entry, Answer why) {
    remove(entry);
    entry.go(EntryEvent.FAIL);
    notWell(why);
  }

  void anyFailed() {
    isAnyFailed = true;
  }

  private void notWell(Answer why) {
    failures.add(why);
    isAnyFailed |= why.kind() == Answer.AnswerKind.FAILED;
  }

  private void remove(ReceivedEntry entry) {
    entries.remove(entry.id());
    pieces -= entry.piecesCounted;
    claimed -= entry.claimed;
    weight -= entry.offered.weight();
    if (entry.isDirectory() && entry.stage() != EntryStage.ENDING) {
      forget(directories.get(entry.offered.path()));
    }
    if (entry.isCounted) {
      counted--;
    }
    if (entry.above != null) {
      entry.above.inside--;
      complete(entry.above);
    }
  }

  Done done(ExitCode exitCode, Level agreed, String text) {
    Level least = reached == null ? agreed : reached.lesser(agreed);
    return tree.done(exitCode, least, text, false);
  }

  /// Whether an entry failed. The sender knows, or hears of it.
  boolean isAnyFailed() {
    return isAnyFailed;
  }

  boolean agreesWith(Done done) {
    return tree.agreesWith(done);
  }
}
