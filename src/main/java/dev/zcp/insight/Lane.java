package dev.zcp.insight;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// A share of an [Insight]'s books, so that threads which copy small files do not wait for one
/// another: each thread begins its files in one lane, and seldom meets another there. What the
/// lanes have is added up when it is asked for.
///
/// Any thread may call any method. No other lock is taken under a lane's own but that of
/// [StageBooks].
final class Lane {

  /// How many samples are gathered before the lock of the books is taken for all of them.
  static final int SAMPLES_MAX = 512;

  private static final int SAMPLES_FIRST = 8;

  /// The low bits of a gathered sample are its stage.
  private static final int STAGE_BITS = 5;

  private static final long SAMPLE_NS_MAX = Long.MAX_VALUE >> STAGE_BITS;

  private static final long[] NONE = {};

  private final StageBooks books;

  // All below is guarded by this.
  private long[] samples = NONE;
  private int sampleCount;
  private BookedFile oldest;
  private BookedFile newest;
  private int filesOpen;
  private int filesDone;
  private Verified verified;
  private long bytesMoved;
  private RanLedger ran;
  private final Map<String, Long> paths = new HashMap<>(4);
  private long[] made;
  private long[] planned;
  private long filesPlanned;
  private long bytesPlanned;
  private long kept;
  private long skipped;

  Lane(StageBooks books) {
    this.books = books;
  }

  synchronized void open(BookedFile file) {
    filesOpen++;
    file.before = newest;
    if (newest == null) {
      oldest = file;
    } else {
      newest.after = file;
    }
    newest = file;
  }

  /// One step moved `bytes` of `file`.
  synchronized void moved(BookedFile file, String strategy, long bytes, long elapsedNs) {
    bytesMoved += bytes;
    gather(file.stepStage, elapsedNs);
    file.add(strategy, bytes);
  }

  /// The bytes of one more file move by this path.
  synchronized void path(String label) {
    Long before = paths.get(label);
    paths.put(label, before == null ? 1L : before + 1);
  }

  /// Adds a sample; a negative one counts as 0.
  synchronized void book(Stage stage, long elapsedNs) {
    gather(stage, elapsedNs);
  }

  /// The file has failed.
  ///
  /// @return false if it had ended before, and nothing was done
  synchronized boolean fail(BookedFile file) {
    return end(file);
  }

  /// The file is complete.
  ///
  /// @return false if it had ended before, and nothing was done
  synchronized boolean complete(BookedFile file, long elapsedNs, Verified reached) {
    if (!end(file)) {
      return false;
    }
    filesDone++;
    verified = lower(verified, reached);
    gather(Stage.FILE, elapsedNs);
    return true;
  }

  synchronized void made(Made what) {
    if (made == null) {
      made = new long[Made.values().length];
    }
    made[what.ordinal()]++;
  }

  synchronized void planned(Planned action, long bytes) {
    if (planned == null) {
      planned = new long[Planned.values().length];
    }
    planned[action.ordinal()]++;
    bytesPlanned += Math.max(0, bytes);
    if (action == Planned.COPY || action == Planned.REPLACE && bytes >= 0) {
      filesPlanned++;
    }
  }

  /// @return how many were kept before in this lane
  synchronized long kept() {
    return kept++;
  }

  synchronized void skipped() {
    skipped++;
  }

  synchronized long bytesMoved() {
    return bytesMoved;
  }

  synchronized int filesDone() {
    return filesDone;
  }

  /// The file that has been open for longest, or null.
  synchronized BookedFile oldest() {
    return oldest;
  }

  /// Adds all of this lane to `totals`, open files as those whose end is not known.
  synchronized void addTo(LaneTotals totals) {
    flush();
    for (BookedFile file = oldest; file != null; file = file.after) {
      addRan(file.ran);
    }
    totals.filesLost += filesOpen;
    totals.filesDone += filesDone;
    totals.bytesMoved += bytesMoved;
    totals.verified = verified == null ? totals.verified : lower(totals.verified, verified);
    if (ran != null) {
      totals.ran.addAll(ran);
    }
    paths.forEach((label, files) -> totals.paths.merge(label, files, Long::sum));
    totals.addMade(made);
    totals.addPlanned(planned, filesPlanned, bytesPlanned);
    totals.kept += kept;
    totals.skipped += skipped;
  }

  private boolean end(BookedFile file) {
    if (file.ended) {
      return false;
    }
    file.ended = true;
    filesOpen--;
    if (file.before == null) {
      oldest = file.after;
    } else {
      file.before.after = file.after;
    }
    if (file.after == null) {
      newest = file.before;
    } else {
      file.after.before = file.before;
    }
    // Else a file that is long done and old to the collector would hold all that came after it.
    file.before = null;
    file.after = null;
    addRan(file.ran);
    return true;
  }

  private void gather(Stage stage, long elapsedNs) {
    if (sampleCount == samples.length) {
      makeRoom();
    }
    long sampleNs = Math.min(Math.max(0, elapsedNs), SAMPLE_NS_MAX);
    samples[sampleCount++] = sampleNs << STAGE_BITS | stage.ordinal();
  }

  private void makeRoom() {
    if (samples.length < SAMPLES_MAX) {
      samples = Arrays.copyOf(samples, Math.max(SAMPLES_FIRST, 2 * samples.length));
    } else {
      flush();
    }
  }

  private void addRan(RanLedger more) {
    if (more == null) {
      return;
    }
    if (ran == null) {
      ran = new RanLedger();
    }
    ran.addAll(more);
  }

  private void flush() {
    synchronized (books) {
      for (int i = 0; i < sampleCount; i++) {
        int stage = (int) samples[i] & (1 << STAGE_BITS) - 1;
        books.book(stage, samples[i] >> STAGE_BITS);
      }
    }
    sampleCount = 0;
  }

  private static Verified lower(Verified a, Verified b) {
    return a == null || b.ordinal() < a.ordinal() ? b : a;
  }
}
