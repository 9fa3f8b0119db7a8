package dev.zcp.session.send;

import dev.zcp.exchange.SentPart;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Part;
import dev.zcp.wire.Wants.Want;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Small files on their way, which go together. The thread that walks [adds][#add] them; then the
/// part belongs to whoever sends it, and after that to whoever hears what became of it.
final class OutgoingPart extends SentPart {

  /// Files of one folder that follow each other.
  ///
  /// @param directory what was offered of it; null if that is the receiver's own
  record FolderRun(Folder folder, Outgoing directory) {

    long directoryId() {
      return directory == null ? Part.OWN_DIRECTORY : directory.fileId();
    }

    EntryPath path() {
      return directory == null ? EntryPath.TOP : directory.path();
    }

    /// Whether nothing in it needs to be sent, since it or one that it is in was not taken.
    boolean isVain() {
      return directory != null && (directory.isRefused || directory.isBelowRefused());
    }
  }

  final OutgoingVisitor visitor;
  final Entry[] entries = new Entry[Part.FILES_MAX];

  /// What each was when it was looked at.
  final FileStatus[] statuses = new FileStatus[Part.FILES_MAX];

  /// That of each file.
  final FolderRun[] runs = new FolderRun[Part.FILES_MAX];

  /// Whether each has more than its look tells. It comes in any case then.
  final boolean[] hasMore = new boolean[Part.FILES_MAX];

  // Of each file, once it was read.

  long[] hashes;
  int[] sizes;
  int[] crcs;
  long[] beganNs;

  /// Null if nobody hears of each file. Of one of which no bytes are wanted there is none.
  FileLog[] logs;

  int count;
  private final List<FolderRun> allRuns = new ArrayList<>();
  private final long begunNs = System.nanoTime();
  private long bytes;

  /// Null until it is queued, and so complete.
  private long[] directoryIds;

  private boolean isSent;

  OutgoingPart(OutgoingVisitor visitor) {
    this.visitor = visitor;
  }

  /// Whether it has waited for so long that it should go.
  boolean isOlderThan(long ns) {
    return System.nanoTime() - begunNs > ns;
  }

  /// @param bytesMax the most that a part holds of more than one file
  boolean hasRoomFor(FileStatus status, long bytesMax) {
    return count == 0 || count < Part.FILES_MAX && bytes + status.sizeBytes() <= bytesMax;
  }

  void add(Entry entry, FileStatus status, Outgoing directory) {
    if (allRuns.isEmpty() || allRuns.getLast().folder() != entry.folder()) {
      entry.folder().oneMore();
      allRuns.add(new FolderRun(entry.folder(), directory));
    }
    entries[count] = entry;
    statuses[count] = status;
    runs[count] = allRuns.getLast();
    count++;
    bytes += status.sizeBytes();
  }

  @Override
  protected long[] directoryIds() {
    if (directoryIds == null) {
      directoryIds = new long[allRuns.size()];
      for (int i = 0; i < directoryIds.length; i++) {
        directoryIds[i] = allRuns.get(i).directoryId();
      }
    }
    return directoryIds;
  }

  @Override
  protected boolean mayBeKept(int index) {
    return !hasMore[index];
  }

  @Override
  protected long bytes() {
    return bytes;
  }

  /// Where a file belongs, for messages of both ends.
  Object pathOf(int index) {
    return new FilePath(runs[index].path(), entries[index].newName());
  }

  private record FilePath(EntryPath directory, byte[] name) {

    @Override
    public String toString() {
      return EntryPath.below(directory, name).toString();
    }
  }

  /// Makes room for what is known of each file once it was read.
  void begin(boolean hearsEachFile) {
    hashes = new long[count];
    sizes = new int[count];
    crcs = new int[count];
    beganNs = new long[count];
    logs = hearsEachFile ? new FileLog[count] : null;
  }

  /// The log of a file that has failed.
  FileLog log(int index, Insight insight) {
    FileLog log = logs == null ? null : logs[index];
    return log != null
        ? log
        : insight.begin(entries[index], pathOf(index), statuses[index].sizeBytes(), Stage.SEND);
  }

  /// A file that was read goes another way, or not at all: its log ends.
  void leaveLog(int index) {
    if (logs != null && logs[index] != null) {
      logs[index].left();
    }
  }

  /// The file at `from` is the one at `to` from now on.
  void move(int from, int to) {
    entries[to] = entries[from];
    statuses[to] = statuses[from];
    runs[to] = runs[from];
    moveWant(from, to);
    if (sizes != null) {
      sizes[to] = sizes[from];
      beganNs[to] = beganNs[from];
    }
    if (logs != null) {
      logs[to] = logs[from];
    }
  }

  /// Only the first files are left.
  void cut(int newCount) {
    count = newCount;
    if (sizes != null) {
      hashes = Arrays.copyOf(hashes, count);
      sizes = Arrays.copyOf(sizes, count);
    }
  }

  /// Whether the receiver wants this of any file.
  boolean isAny(Want wanted) {
    for (int i = 0; i < count; i++) {
      if (want(i) == wanted) {
        return true;
      }
    }
    return false;
  }

  /// Those from `index` on, as a part of its own.
  OutgoingPart split(int index) {
    OutgoingPart rest = new OutgoingPart(visitor);
    for (int i = index; i < count; i++) {
      rest.add(entries[i], statuses[i], runs[i].directory());
    }
    // What is kept counts there already.
    rest.isRestOf(this, index);
    return rest;
  }

  /// All files were sent, once, or are over: their folders need not wait for them any more.
  void sent() {
    if (!isSent) {
      isSent = true;
      for (FolderRun run : allRuns) {
        visitor.sent(run.folder());
      }
    }
  }
}
