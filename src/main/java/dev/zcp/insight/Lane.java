package dev.zcp.insight;

import dev.zcp.core.Level;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A share of an [Insight]'s books, so that threads which copy small files do not wait for one
/// another: each thread begins its files in one lane, and seldom meets another there. What the
/// lanes have is added up when it is asked for.
///
/// Any thread may call any method. No other lock is taken under a lane's own but those of
/// [StageBooks] and [PauseWatch], and under the latter that of the ticker.
final class Lane {

  /// How many samples are gathered before the lock of the books is taken for all of them.
  static final int SAMPLES_MAX = 512;

  private static final int SAMPLES_FIRST = 8;

  /// The low bits of a gathered sample are its stage.
  private static final int STAGE_BITS = 5;

  private static final long SAMPLE_NS_MAX = Long.MAX_VALUE >> STAGE_BITS;

  private static final long[] NONE = {};

  // Kinds of entries, besides those of Made.
  static final int KEPT = Made.values().length;
  static final int SKIPPED = KEPT + 1;
  static final int CORRECTED = KEPT + 2;
  static final int DELETED = KEPT + 3;
  private static final int KINDS = KEPT + 4;

  /// If one read or write took this part of the time of a step, the step is not listed among the
  /// slowest operations.
  private static final double STEP_EXPLAINED_MIN = 0.9;

  private final StageBooks books;
  private final PauseWatch pauses;

  // All below is guarded by this.
  private long[] samples = NONE;
  private int sampleCount;

  /// The step of the heat map in which all of `samples` ended.
  private long sampleStep;

  private BookedFile oldest;
  private BookedFile newest;
  private int filesOpen;
  private final LaneTotals totals = new LaneTotals();
  private final WorstHeap worst;

  /// The slowest read or write since the last step, and its file.
  private long insideNs;

  private BookedFile insideOf;

  /// @param worstMax of how many of the slowest operations it keeps what they were
  Lane(StageBooks books, PauseWatch pauses, int worstMax) {
    this.books = books;
    this.pauses = pauses;
    this.worst = new WorstHeap(worstMax);
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

  /// One step of the thread whose lane this is moved `bytes` of `file`.
  synchronized void moved(
      BookedFile file, String strategy, long offset, long bytes, long elapsedNs) {
    pauses.workedOn();
    book(file.stepStage, file, offset, bytes, elapsedNs);
    moved(file, strategy, bytes);
  }

  /// As [#moved(BookedFile, String, long, long, long)], without a sample.
  synchronized void moved(BookedFile file, String strategy, long bytes) {
    totals.bytesMoved += bytes;
    file.add(strategy, bytes);
  }

  /// A small file has gone all its way on the thread whose lane this is, through one buffer.
  ///
  /// @param endsNs see [FileSteps]
  /// @param lookNs how much of its creation was spent on what had its name
  /// @param name its text is asked for if one of its steps is among the slowest
  synchronized void file(long[] endsNs, long lookNs, long bytes, Object name, Level reached) {
    pauses.workedOn(endsNs[FileSteps.PUBLISHED]);
    step(Stage.OPEN, endsNs, FileSteps.BEGUN, FileSteps.OPENED, 0, 0, name);
    step(Stage.CREATE, endsNs, FileSteps.OPENED, FileSteps.CREATED, lookNs, 0, name);
    long read = step(Stage.READ, endsNs, FileSteps.CREATED, FileSteps.READ, 0, bytes, name);
    long write = step(Stage.WRITE, endsNs, FileSteps.READ, FileSteps.WRITTEN, 0, bytes, name);
    long copyNs = endsNs[FileSteps.WRITTEN] - endsNs[FileSteps.CREATED];
    gather(Stage.COPY, copyNs);
    totals.busyNs[Stage.COPY.ordinal()] += copyNs;
    if (Math.max(read, write) < STEP_EXPLAINED_MIN * copyNs) {
      worst.offer(Stage.COPY, name, name, 0, bytes, copyNs);
    }
    step(Stage.METADATA, endsNs, FileSteps.CHECKED, FileSteps.COMPLETED, 0, 0, name);
    step(Stage.PUBLISH, endsNs, FileSteps.COMPLETED, FileSteps.PUBLISHED, 0, 0, name);
    moved(bytes, 1);
    done(endsNs[FileSteps.PUBLISHED] - endsNs[FileSteps.BEGUN], reached);
  }

  /// See [Insight#smallRead].
  synchronized void read(long[] endsNs, long bytes, Object name, Object sharedName) {
    pauses.workedOn(endsNs[FileSteps.READ]);
    step(Stage.OPEN, endsNs, FileSteps.BEGUN, FileSteps.OPENED, 0, 0, name, sharedName);
    step(Stage.READ, endsNs, FileSteps.OPENED, FileSteps.READ, 0, bytes, name, sharedName);
  }

  /// Small files were moved together.
  synchronized void moved(long bytes, int files) {
    totals.bytesMoved += bytes;
    totals.smallFiles += files;
    totals.smallBytes += bytes;
  }

  /// Small files are complete.
  synchronized void done(long[] elapsedNs, int files, Level reached) {
    for (int i = 0; i < files; i++) {
      done(elapsedNs[i], reached);
    }
  }

  private void done(long elapsedNs, Level reached) {
    gather(Stage.FILE, elapsedNs);
    totals.filesDone++;
    totals.lower(reached);
  }

  /// See [Insight#smallReceived].
  synchronized void received(long[] endsNs, long bytes, Object name, Level reached) {
    pauses.workedOn(endsNs[FileSteps.PUBLISHED]);
    step(Stage.CREATE, endsNs, FileSteps.BEGUN, FileSteps.CREATED, 0, 0, name);
    step(Stage.WRITE, endsNs, FileSteps.CREATED, FileSteps.WRITTEN, 0, bytes, name);
    step(Stage.METADATA, endsNs, FileSteps.WRITTEN, FileSteps.COMPLETED, 0, 0, name);
    step(Stage.PUBLISH, endsNs, FileSteps.COMPLETED, FileSteps.PUBLISHED, 0, 0, name);
    moved(bytes, 1);
    done(endsNs[FileSteps.PUBLISHED] - endsNs[FileSteps.BEGUN], reached);
  }

  private long step(
      Stage stage, long[] endsNs, int from, int to, long apartNs, long bytes, Object name) {
    return step(stage, endsNs, from, to, apartNs, bytes, name, name);
  }

  private long step(
      Stage stage,
      long[] endsNs,
      int from,
      int to,
      long apartNs,
      long bytes,
      Object name,
      Object sharedName) {
    long elapsedNs = endsNs[to] - endsNs[from] - apartNs;
    gather(stage, elapsedNs);
    totals.busyNs[stage.ordinal()] += Math.max(0, elapsedNs);
    worst.offer(stage, name, sharedName, bytes > 0 ? 0 : FileLog.OFFSET_UNKNOWN, bytes, elapsedNs);
    return elapsedNs;
  }

  /// The bytes of one more file move by this path.
  synchronized void path(String label) {
    totals.addPath(label, 1);
  }

  /// Adds a sample of the thread whose lane this is; a negative one counts as 0.
  ///
  /// @param file null if it is about none, or about several
  /// @param bytes as many as moved; -1, as of a read at the end of a file, counts as 0
  synchronized void book(Stage stage, BookedFile file, long offset, long bytes, long elapsedNs) {
    gather(stage, elapsedNs);
    totals.busyNs[stage.ordinal()] += Math.max(0, elapsedNs);
    if (!isExplained(stage, file, elapsedNs)) {
      Object name = file == null ? null : file.nameObject();
      Object sharedName = file == null ? null : file.sharedNameObject();
      worst.offer(stage, name, sharedName, offset, Math.max(0, bytes), elapsedNs);
    }
  }

  /// Whether this is a step, and one read or write inside it took nearly all of its time. The reads
  /// and writes of a step are booked before it.
  private boolean isExplained(Stage stage, BookedFile file, long elapsedNs) {
    if (stage == Stage.READ || stage == Stage.WRITE) {
      boolean isSlowest = file != insideOf || elapsedNs > insideNs;
      insideNs = isSlowest ? elapsedNs : insideNs;
      insideOf = file;
      return false;
    }
    boolean isStep = file != null && stage == file.stepStage;
    boolean isOfInside = isStep && file == insideOf;
    insideOf = isStep ? null : insideOf;
    // One that took longer than the step was not inside it.
    return isOfInside && insideNs <= elapsedNs && insideNs >= STEP_EXPLAINED_MIN * elapsedNs;
  }

  /// The file is complete.
  ///
  /// @return false if it had ended before, and nothing was done
  synchronized boolean complete(BookedFile file, long elapsedNs, Level reached) {
    if (!end(file)) {
      return false;
    }
    totals.filesDone++;
    totals.lower(reached);
    gather(Stage.FILE, elapsedNs);
    return true;
  }

  /// @param replaces whether something would lose its name
  synchronized void planned(Planned action, boolean replaces, long bytes) {
    totals.planned[action.ordinal()]++;
    totals.planned[Planned.REPLACE.ordinal()] += replaces ? 1 : 0;
    totals.bytesPlanned += Math.max(0, bytes);
  }

  /// Whether anything is planned but to keep or to skip entries.
  synchronized boolean isAnyChangePlanned() {
    long changes = -totals.planned[Planned.KEEP.ordinal()] - totals.planned[Planned.SKIP.ordinal()];
    for (long each : totals.planned) {
      changes += each;
    }
    return changes > 0;
  }

  /// Of what has no bytes.
  synchronized void plannedUnnamed(Planned action, long entries) {
    totals.planned[action.ordinal()] += entries;
  }

  /// @param kind of the entries: the ordinal of a [Made], [#KEPT], [#SKIPPED], [#CORRECTED] or
  ///   [#DELETED]
  synchronized void count(int kind, long more) {
    totals.entries[kind] += more;
  }

  synchronized long bytesMoved() {
    return totals.bytesMoved;
  }

  synchronized int filesDone() {
    return totals.filesDone;
  }

  /// The file that has been open for longest, or null.
  synchronized BookedFile oldest() {
    return oldest;
  }

  /// Adds all of this lane to `sum`, open files as those whose end is not known.
  synchronized void addTo(LaneTotals sum) {
    flush();
    for (BookedFile file = oldest; file != null; file = file.after) {
      totals.ran.addAll(file.ran);
    }
    totals.filesLost = filesOpen;
    sum.add(totals);
  }

  /// Books what was gathered, and tells of each stage how much of it was on this lane if that is
  /// more than what is told.
  synchronized void tellBusiest(long[] busiestNs) {
    flush();
    LaneTotals.raise(busiestNs, totals.busyNs);
  }

  synchronized void addWorst(List<WorstOperation> all, WorkSide side, boolean shared) {
    worst.addTo(all, side, shared);
  }

  /// The file is not open any more: it has failed, or is complete.
  ///
  /// @return false if it had ended before, and nothing was done
  synchronized boolean end(BookedFile file) {
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
    totals.ran.addAll(file.ran);
    return true;
  }

  private void gather(Stage stage, long elapsedNs) {
    if (sampleCount == samples.length) {
      if (samples.length < SAMPLES_MAX) {
        samples = Arrays.copyOf(samples, Math.max(SAMPLES_FIRST, 2 * samples.length));
      } else {
        flush();
      }
    }
    pauses.sampled(elapsedNs);
    if (sampleStep != pauses.step()) {
      flush();
      sampleStep = pauses.step();
    }
    long sampleNs = Math.min(Math.max(0, elapsedNs), SAMPLE_NS_MAX);
    samples[sampleCount++] = sampleNs << STAGE_BITS | stage.ordinal();
  }

  private void flush() {
    synchronized (books) {
      for (int i = 0; i < sampleCount; i++) {
        int stage = (int) samples[i] & (1 << STAGE_BITS) - 1;
        books.book(stage, samples[i] >> STAGE_BITS, sampleStep);
      }
    }
    sampleCount = 0;
  }

  /// What was counted in one lane, or in all.
  static final class LaneTotals {

    private static final int PLANNED = Planned.values().length;

    final RanLedger ran = new RanLedger();

    /// By the stage's ordinal; of a sum of lanes, that of the lane that has most of it.
    final long[] busyNs = new long[StageBooks.STAGES.length];

    final Map<String, Long> paths = new TreeMap<>();

    /// Of those that went through one buffer.
    private long smallFiles;

    private long smallBytes;
    int filesDone;
    int filesLost;
    long bytesMoved;

    /// Null if no file is done.
    Level verified;

    private final long[] entries = new long[KINDS];
    private final long[] planned = new long[PLANNED];
    private long bytesPlanned;

    private void add(LaneTotals more) {
      ran.addAll(more.ran);
      if (more.smallFiles > 0) {
        ran.add(FileSteps.STRATEGY, more.smallBytes, more.smallFiles, "");
        addPath(FileSteps.PATH, more.smallFiles);
      }
      for (Map.Entry<String, Long> path : more.paths.entrySet()) {
        addPath(path.getKey(), path.getValue());
      }
      filesDone += more.filesDone;
      filesLost += more.filesLost;
      bytesMoved += more.bytesMoved;
      lower(more.verified);
      raise(busyNs, more.busyNs);
      add(entries, more.entries);
      add(planned, more.planned);
      bytesPlanned += more.bytesPlanned;
    }

    private void addPath(String label, long files) {
      Long before = paths.get(label);
      paths.put(label, before == null ? files : before + files);
    }

    private void lower(Level reached) {
      boolean isLower =
          verified == null || reached != null && reached.ordinal() < verified.ordinal();
      verified = isLower ? reached : verified;
    }

    EntryCounts entries() {
      return new EntryCounts(
          entries[Made.DIRECTORY.ordinal()],
          entries[Made.SYMLINK.ordinal()],
          entries[Made.HARD_LINK.ordinal()],
          entries[Made.SPECIAL.ordinal()],
          entries[KEPT],
          entries[SKIPPED],
          entries[CORRECTED],
          entries[DELETED]);
    }

    /// Null if nothing was planned, unless by a dry run that found nothing to do.
    Plan plan(boolean isDryRun) {
      long all = 0;
      for (long each : planned) {
        all += each;
      }
      if (all == 0 && !isDryRun) {
        return null;
      }
      return new Plan(
          filesPlanned(),
          bytesPlanned,
          planned[Planned.REPLACE.ordinal()],
          new EntryCounts(
              planned[Planned.MAKE_DIRECTORY.ordinal()],
              planned[Planned.MAKE_SYMLINK.ordinal()],
              planned[Planned.MAKE_HARD_LINK.ordinal()],
              planned[Planned.MAKE_SPECIAL.ordinal()],
              planned[Planned.KEEP.ordinal()],
              planned[Planned.SKIP.ordinal()],
              planned[Planned.CORRECT_ATTRIBUTES.ordinal()],
              planned[Planned.DELETE.ordinal()]));
    }

    long filesPlanned() {
      return planned[Planned.COPY.ordinal()] + planned[Planned.COPY_ATTRIBUTES.ordinal()];
    }

    private static void raise(long[] most, long[] others) {
      for (int i = 0; i < most.length; i++) {
        most[i] = Math.max(most[i], others[i]);
      }
    }

    private static void add(long[] sums, long[] more) {
      for (int i = 0; i < more.length; i++) {
        sums[i] += more[i];
      }
    }
  }

  /// The books of all stages. The one who calls must hold its lock.
  static final class StageBooks {

    static final Stage[] STAGES = Stage.values();

    private final long startedMs = System.currentTimeMillis();

    /// By the stage's ordinal. Not an EnumMap, whose reflection costs a cold process 0.5 ms.
    private final StageBook[] books = new StageBook[STAGES.length];

    private final HeatMap heat = new HeatMap();

    /// @param stage the stage's ordinal
    /// @param step of the heat map
    void book(int stage, long elapsedNs, long step) {
      StageBook book = books[stage];
      if (book == null) {
        book = new StageBook(startedMs);
        books[stage] = book;
      }
      book.add(elapsedNs);
      heat.add(stage, step, elapsedNs);
    }

    /// Null if the run was short.
    HeatMap.HeatCounts heat() {
      return heat.told();
    }

    /// The latencies of the stages that have samples so far.
    ///
    /// @param busiestNs by the stage's ordinal: see [Latencies#busiestNs]
    Map<Stage, Latencies> latencies(long[] busiestNs) {
      long nowMs = System.currentTimeMillis();
      Map<Stage, Latencies> latencies = new LinkedHashMap<>();
      for (Stage stage : STAGES) {
        StageBook book = books[stage.ordinal()];
        if (book != null) {
          long busyNs = stage.isOfThread() ? busiestNs[stage.ordinal()] : 0;
          latencies.put(stage, book.latencies(nowMs, busyNs));
        }
      }
      return latencies;
    }
  }
}
