package dev.zcp.insight;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Network;
import dev.zcp.core.ProcessTimes;
import dev.zcp.insight.Bottleneck.EndFacts;
import dev.zcp.insight.Bottleneck.Judgement;
import dev.zcp.insight.Bottleneck.TransferFacts;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Live;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Lane.StageBooks;
import dev.zcp.insight.Result.Findings;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.ProcessFacts;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.insight.Result.ProcessFacts.ProcessUsage;
import dev.zcp.insight.Result.Tree;
import dev.zcp.linux.DirtyPages;
import dev.zcp.linux.Processors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Collects what one transfer does, and tells a [Listener] as it goes. Any thread may call it, and
/// many may at once: what is told of each file goes into the [Lane] of the thread.
///
/// The listener is called on the caller's thread and under no lock of this class; if several
/// threads tell of files, the listener must see to its own order. It must hold up nobody.
public final class Insight implements Samples {

  /// A power of two, and more than threads that are likely to copy at once.
  private static final int LANES = 32;

  /// Threads that were made one after the other get lanes this far apart, and so none that share a
  /// cache line. Odd, so that all lanes are used.
  private static final int LANE_STEP = 5;

  private static final long NOT_ENDED = Long.MIN_VALUE;

  /// Of how many of its slowest operations an end of a session knows what they were, whatever its
  /// own user wants: the other end's may want it.
  private static final int WORST_OF_SESSION = 100;

  private final String command;
  private final String strategyAsked;
  private final Listener listener;

  /// Null if there is none.
  private final SessionName session;

  private final boolean hearsEachFile;
  private final StageBooks books = new StageBooks();
  private final Lane[] lanes = new Lane[LANES];
  private final PauseWatch pauses = new PauseWatch();
  private final SessionFacts ofSession = new SessionFacts();

  private volatile boolean clockRuns;
  private volatile long filesAll = -1;
  private volatile long bytesAll = -1;

  // All below is guarded by this.
  private long startedNs;
  private long endedNs = NOT_ENDED;

  /// Null if it is not known, or nothing has begun.
  private ProcessUsage usageBefore;

  private long bytesDurable = -1;
  private int filesFailed;
  private final List<Event.Lost> losses = new ArrayList<>(0);
  private Failure firstFailure;
  private Failure firstFileFailure;
  private boolean filesFailedAlike = true;
  private int filesVanished;
  private Link link;

  /// Null if there is no limit of the rate.
  private Stage pacedStage;

  private LongSupplier pacedIntervalNs;

  /// What the other end has measured; null if it told nothing.
  private MeasuredEnd peerMeasured;

  private Network network = Network.NONE;

  /// What limited the session, as the sender has found; null before.
  private Judgement judgement;

  /// The most that a thread that moves bytes has waited for a processor; -1 if none has told.
  private long starvedNs = -1;

  /// The thread that runs a copy, which moves bytes as the others do; null for a session. And for
  /// how long it had waited for a processor before.
  private Thread starter;

  private long starterWaitedNs;

  private boolean isDryRun;

  /// Whether a source is a pipe or another stream.
  private boolean isAnyStream;

  private final List<Event.Declined> declined = new ArrayList<>(0);

  /// @param command `copy`, `send` or `receive`
  /// @param strategyAsked the strategy asked for, `auto` among them
  public Insight(String command, String strategyAsked, Listener listener) {
    this(command, strategyAsked, listener, null);
  }

  /// @param session that this is of; null if it is of none
  public Insight(String command, String strategyAsked, Listener listener, SessionName session) {
    this.command = command;
    this.strategyAsked = strategyAsked;
    this.listener = listener;
    this.session = session;
    this.hearsEachFile = listener.hearsEachFile();
    for (int i = 0; i < LANES; i++) {
      lanes[i] = new Lane(books, pauses, worstKept());
    }
  }

  /// What an end has measured.
  ///
  /// @param elapsedNs since the clock started
  /// @param process what its process took since then
  /// @param stages by stage
  /// @param worst the slowest operations, the slowest first, whose paths are those that both ends
  ///   know
  public record MeasuredEnd(
      long elapsedNs,
      ProcessTimes process,
      Map<Stage, Latencies> stages,
      List<WorstOperation> worst) {}

  private int worstKept() {
    int wanted = Math.min(WorstOperation.COUNT_MAX, listener.worstWanted());
    return session == null ? wanted : Math.max(WORST_OF_SESSION, wanted);
  }

  /// What was measured so far, for the other end. Waits for nobody.
  public MeasuredEnd measured() {
    return new MeasuredEnd(elapsedNs(), processTimes(), stagesSoFar(), worst(worstKept(), true));
  }

  private Map<Stage, Latencies> stagesSoFar() {
    long[] busiestNs = new long[Stage.values().length];
    for (Lane lane : lanes) {
      lane.tellBusiest(busiestNs);
    }
    synchronized (books) {
      return books.latencies(busiestNs);
    }
  }

  /// What limited the session: to be called by the sender, once the receiver has told what it
  /// [measured][#peerMeasured]. The result says the same.
  ///
  /// @return null if the session was too short to tell
  public Judgement judge() {
    Judgement found = judge(stagesSoFar(), elapsedNs());
    judged(found);
    return found.isTold() ? found : null;
  }

  /// What limited the session, as the sender says.
  public synchronized void judged(Judgement found) {
    judgement = found;
  }

  /// What the other end has measured; the last call counts.
  public synchronized void peerMeasured(MeasuredEnd measured) {
    peerMeasured = measured;
  }

  /// Nothing is done, even if there is nothing to [plan][#planned].
  public synchronized void dryRun() {
    isDryRun = true;
  }

  /// A source is a pipe or another stream: how slow it is does not show in what devices read.
  public synchronized void readsStream() {
    isAnyStream = true;
  }

  /// A thread that moves bytes has waited so long for a processor.
  public synchronized void starved(long elapsedNs) {
    starvedNs = Math.max(starvedNs, elapsedNs);
  }

  /// What the kernel says of another connection of this end.
  public synchronized void network(Network more) {
    network = network.plus(more);
  }

  private List<WorstOperation> worst(int countMax, boolean shared) {
    List<WorstOperation> all = new ArrayList<>(0);
    for (Lane lane : lanes) {
      lane.addWorst(all, WorkSide.of(command), shared);
    }
    return first(all, countMax);
  }

  private static List<WorstOperation> first(List<WorstOperation> all, int countMax) {
    WorstOperation.sort(all);
    return List.copyOf(all.subList(0, Math.min(countMax, all.size())));
  }

  /// The work begins: the clock of [Result#elapsedNs] starts here.
  ///
  /// @param files how many files, or -1 if that is not known, or not yet
  /// @param bytes how many bytes in all, or -1 if that is not known, or not yet
  public void started(int files, long bytes) {
    startClock();
    filesAll = files;
    bytesAll = bytes;
    tell(new Event.Started(command, strategyAsked, files, bytes, this::live));
  }

  /// The other end was started for this. The clock began when that did: it is the user's time.
  public void loggedIn(long tookNs) {
    startClock();
    synchronized (this) {
      startedNs -= tookNs;
    }
    sample(Stage.LOGIN, tookNs);
  }

  /// A peer has proved that it knows the key. To be called once at most; notes a socket buffer that
  /// is less than what was asked for.
  public void connected(Link connection) {
    synchronized (this) {
      link = connection;
    }
    tell(new Event.Connected(connection));
    if (connection.buffer().isCapped()) {
      note(connection.buffer().whyCapped());
    }
  }

  /// A further connection has proved the key, past the ssh that the session began by.
  public void alsoConnected(Link connection) {
    tell(new Event.Connected(connection));
  }

  /// What is told of the session, if this is of one, besides its files.
  public SessionFacts ofSession() {
    return ofSession;
  }

  /// A limit of the rate says when an operation of this stage may begin.
  ///
  /// @param intervalNs gives the mean time between two of them, over all connections, once the work
  ///   is over
  public synchronized void paced(Stage stage, LongSupplier intervalNs) {
    pacedStage = stage;
    pacedIntervalNs = intervalNs;
  }

  /// An entry that the receiver does not take; to be called at both ends. It counts as skipped.
  /// Those who do not hear [each file][Listener#hearsEachFile] are told once for each kind, at the
  /// end. The exit code is then not OK.
  ///
  /// @param what its kind, one of a few: see [Event.Declined]
  /// @param name its `toString` is printable, and only called if it is told
  public void declined(String what, Object name, String reason) {
    lane().count(Lane.SKIPPED, 1);
    addDeclined(what, name, reason);
    if (hearsEachFile) {
      tell(new Event.Skipped(name.toString(), reason, true));
    }
  }

  private synchronized void addDeclined(String what, Object name, String reason) {
    for (int i = 0; i < declined.size(); i++) {
      Event.Declined kind = declined.get(i);
      if (kind.what().equals(what)) {
        declined.set(
            i, new Event.Declined(what, kind.entries() + 1, kind.firstName(), kind.reason()));
        return;
      }
    }
    declined.add(new Event.Declined(what, 1, name.toString(), reason));
  }

  public void note(String message) {
    note(new Event.Noted(message));
  }

  public void note(Event.Noted note) {
    tell(note);
  }

  /// How much there is to do is known now: all that was and will be [begun][#begin], without what
  /// is [kept][#kept] or [skipped][#skipped]. Until then no share and no time left are shown. A
  /// later call corrects an earlier one.
  public void counted(long files, long bytes) {
    filesAll = files;
    bytesAll = bytes;
    tell(new Event.Counted(files, bytes));
  }

  /// An entry of a tree that is no file was made.
  public void made(Made made) {
    lane().count(made.ordinal(), 1);
  }

  /// A target that was there is left as it is, since that was asked for. To be called in place of
  /// [#begin].
  ///
  /// @param name the target's; its `toString` is printable, and only called if it is told
  public void kept(Object name, String reason) {
    lane().count(Lane.KEPT, 1);
    if (hearsEachFile) {
      tell(new Event.Kept(name.toString(), reason));
    }
  }

  /// An entry is there under its name.
  ///
  /// @param name the source's; its `toString` is printable, and only called if it is told
  /// @param target the target's, likewise
  public void placed(Object name, Object target) {
    if (hearsEachFile) {
      tell(new Event.Placed(name.toString(), target.toString()));
    }
  }

  /// An entry of the target was deleted.
  ///
  /// @param name its `toString` is printable, and only called if it is told
  public void deleted(Object name) {
    lane().count(Lane.DELETED, 1);
    if (hearsEachFile) {
      tell(new Event.Deleted(name.toString()));
    }
  }

  /// Entries that were there, and stay, got metadata of their sources.
  public void corrected(long entries) {
    lane().count(Lane.CORRECTED, entries);
  }

  /// Entries of the target were deleted by the other end, which knows their names.
  public void deletedThere(long entries) {
    lane().count(Lane.DELETED, entries);
  }

  /// An entry that is left out. Each is told, so this is not for what a user has excluded.
  public void skipped(String name, String reason) {
    lane().count(Lane.SKIPPED, 1);
    tell(new Event.Skipped(name, reason, false));
  }

  /// What a real run would do: the dry run's whole result. Of what a dry run plans to keep or to
  /// skip, this is to be told and neither [#kept] nor [#skipped].
  ///
  /// @param name the source's, printable
  /// @param target the target's, printable
  /// @param bytes how many would be moved; -1 of what is no file, and if that is not known. What
  ///   [replaces][Planned#REPLACE] something counts as a file if this is known
  public void planned(Planned action, String name, String target, long bytes) {
    lane().planned(action, false, bytes);
    tell(new Event.PlanLine(action, name, target, bytes));
  }

  /// As [#planned], of an entry that would replace another one.
  ///
  /// @param asNew what would be done if nothing lost its name
  public void plannedToReplace(Planned asNew, String name, String target, long bytes) {
    lane().planned(asNew, true, bytes);
    tell(new Event.PlanLine(Planned.REPLACE, name, target, bytes));
  }

  /// A dry run would keep an entry that is the same as its source, of which nobody need hear.
  public void plannedToKeep() {
    lane().planned(Planned.KEEP, false, -1);
  }

  /// Whether anything is planned but to keep or to skip entries.
  public boolean isAnyChangePlanned() {
    for (Lane lane : lanes) {
      if (lane.isAnyChangePlanned()) {
        return true;
      }
    }
    return false;
  }

  /// The other end would delete so many more entries, whose names it has not told.
  public void plannedToDelete(long entries) {
    if (entries > 0) {
      lane().plannedUnnamed(Planned.DELETE, entries);
    }
  }

  /// To be called once for each kind, at the end: see [Event.Lost].
  public void lost(Event.Lost lost) {
    synchronized (this) {
      losses.add(lost);
    }
    tell(lost);
  }

  @Override
  public synchronized void durable(long bytes) {
    bytesDurable = Math.max(0, bytesDurable) + bytes;
  }

  /// Whether it is [told][#durable] how much is on the device.
  public synchronized boolean tellsDurable() {
    return bytesDurable >= 0;
  }

  /// A file begins; `stage` is what one step of its transfer counts as. If it is neither
  /// [done][FileLog#done] nor [failed][FileLog#failed] when the transfer ends, it counts as failed.
  ///
  /// @param name its `toString` is printable, and only called if it is told
  /// @param bytes the size, or -1 if it is not known
  public FileLog begin(Object name, long bytes, Stage stage) {
    return begin(name, name, bytes, stage);
  }

  /// As [#begin(Object, long, Stage)].
  ///
  /// @param sharedName what the other end knows it by; its `toString` is printable
  public FileLog begin(Object name, Object sharedName, long bytes, Stage stage) {
    return begin(name, sharedName, bytes, stage, System.nanoTime());
  }

  /// A small file was received, of which nothing was told before, if [each file][#hearsEachFile] is
  /// heard of. To be told how it ended.
  ///
  /// @param endsNs see [FileSteps]
  public FileLog received(Object name, long bytes, long[] endsNs) {
    FileLog log = begin(name, name, bytes, Stage.RECEIVE, endsNs[FileSteps.BEGUN]);
    log.sample(Stage.CREATE, endsNs[FileSteps.CREATED] - endsNs[FileSteps.BEGUN]);
    log.sample(Stage.WRITE, 0, bytes, endsNs[FileSteps.WRITTEN] - endsNs[FileSteps.CREATED]);
    log.sample(Stage.METADATA, endsNs[FileSteps.COMPLETED] - endsNs[FileSteps.WRITTEN]);
    log.sample(Stage.PUBLISH, endsNs[FileSteps.PUBLISHED] - endsNs[FileSteps.COMPLETED]);
    if (bytes > 0) {
      log.moved(FileSteps.STRATEGY, bytes);
    }
    return log;
  }

  private FileLog begin(Object name, Object sharedName, long bytes, Stage stage, long beganNs) {
    startClock();
    pauses.workedOn();
    Lane lane = lane();
    BookedFile file = new BookedFile(this, lane, name, sharedName, stage, beganNs);
    lane.open(file);
    if (hearsEachFile) {
      tell(new Event.FileStarted(name.toString(), bytes));
    }
    return file;
  }

  /// A small file is done: all that there is to say of it by one call. To be used in place of
  /// [#begin] if nobody hears of [each file][#hearsEachFile].
  ///
  /// @param endsNs when its steps ended: see [FileSteps]
  /// @param lookNs how much of its creation was spent on what had its name
  /// @param name its `toString` is printable, and only called if it is told
  public void file(long[] endsNs, long lookNs, long bytes, Object name, Level reached) {
    lane().file(endsNs, lookNs, bytes, name, reached);
  }

  /// A small file was read into the buffer that it is sent from.
  ///
  /// @param endsNs see [FileSteps]
  /// @param name its `toString` is printable, and only called if it is told
  /// @param sharedName as in [#begin(Object, Object, long, Stage)]
  public void smallRead(long[] endsNs, long bytes, Object name, Object sharedName) {
    lane().read(endsNs, bytes, name, sharedName);
  }

  /// Small files were sent together.
  public void smallSent(long bytes, int files) {
    lane().moved(bytes, files);
  }

  /// The first `files` of these took so long until they were over, and well.
  public void smallDone(long[] elapsedNs, int files, Level reached) {
    lane().done(elapsedNs, files, reached);
  }

  /// As [#file], of a small file that was received.
  public void smallReceived(long[] endsNs, long bytes, Object name, Level reached) {
    lane().received(endsNs, bytes, name, reached);
  }

  /// As [FileLog#sample], of what is not about one file.
  @Override
  public void sample(Stage stage, long elapsedNs) {
    lane().book(stage, null, FileLog.OFFSET_UNKNOWN, 0, elapsedNs);
  }

  /// The command as a whole failed. The first failure decides and is told; those that follow are
  /// its consequences and are not.
  public void failed(Failure failure) {
    synchronized (this) {
      if (firstFailure != null) {
        return;
      }
      firstFailure = failure;
    }
    tell(new Event.Failed(failure));
  }

  /// A signal ends the command.
  ///
  /// @param message what is kept, and what to do
  public void interrupted(String message) {
    tell(new Event.Interrupted(message));
  }

  public long filesDone() {
    long files = 0;
    for (Lane lane : lanes) {
      files += lane.filesDone();
    }
    return files;
  }

  /// Whether the command as a whole has failed so far, or a file that had not vanished from the
  /// source.
  public synchronized boolean isAnyButVanishedFailed() {
    return filesFailed > filesVanished || firstFailure != null;
  }

  /// Tells [Event.Finished] and returns its result. To be called once, when the work is over; what
  /// is booked later is lost.
  ///
  /// The exit code is that of the first [#failed]; else that of the failed files, if no file is
  /// done and all failed with one code, or if all that failed had vanished; else SOME_FAILED, if a
  /// file failed or something was [#declined]. A file whose end nobody told is an INTERNAL failure,
  /// if nothing else failed.
  public Result finish() {
    Lane.LaneTotals totals = new Lane.LaneTotals();
    for (Lane lane : lanes) {
      lane.addTo(totals);
    }
    Result result = result(totals);
    for (Event.Declined declined : result.tree().declined()) {
      tell(declined);
    }
    tell(new Event.Finished(result, System.currentTimeMillis() - sinceEndNs() / 1_000_000));
    return result;
  }

  private synchronized long sinceEndNs() {
    return endedNs == NOT_ENDED ? 0 : System.nanoTime() - endedNs;
  }

  /// As [#finish], of work that was over before it was known to be.
  ///
  /// @param overNs when, by [System#nanoTime]
  public Result finish(long overNs) {
    synchronized (this) {
      endedNs = overNs;
    }
    return finish();
  }

  public boolean hearsEachFile() {
    return hearsEachFile;
  }

  void tell(Event event) {
    listener.on(event, session);
  }

  void fileFailed(Event.FileFailed event) {
    synchronized (this) {
      filesFailed++;
      if (event.failure().exitCode() == ExitCode.VANISHED) {
        filesVanished++;
      }
      if (firstFileFailure == null) {
        firstFileFailure = event.failure();
      }
      filesFailedAlike &= event.failure().exitCode() == firstFileFailure.exitCode();
    }
    tell(event);
  }

  /// That of the calling thread.
  Lane lane() {
    return lanes[(int) Thread.currentThread().threadId() * LANE_STEP & LANES - 1];
  }

  private void startClock() {
    if (clockRuns) {
      return;
    }
    synchronized (this) {
      if (!clockRuns) {
        startedNs = System.nanoTime();
        pauses.started(startedNs);
        usageBefore = ProcessUsage.now();
        if (WorkSide.of(command) == WorkSide.LOCAL) {
          starter = Thread.currentThread();
          starterWaitedNs = Processors.waitedNs();
        }
        clockRuns = true;
      }
    }
  }

  private synchronized long elapsedNs() {
    long nowNs = endedNs == NOT_ENDED ? System.nanoTime() : endedNs;
    return clockRuns ? nowNs - startedNs : 0;
  }

  /// To be called under the lock.
  private Findings findings(
      Map<Stage, Latencies> stages,
      Lane.LaneTotals totals,
      long elapsedNs,
      ProcessUsage usage,
      boolean isDryRun) {
    int wanted = Math.min(WorstOperation.COUNT_MAX, listener.worstWanted());
    List<WorstOperation> worst = new ArrayList<>(worst(wanted, false));
    Map<Stage, Latencies> theirs = Map.of();
    if (peerMeasured != null) {
      worst.addAll(peerMeasured.worst());
      theirs = peerMeasured.stages();
    }
    HeatMap.HeatCounts heat;
    synchronized (books) {
      heat = books.heat();
    }
    Bottleneck found = isDryRun ? null : bottleneck(stages, totals, elapsedNs, usage);
    return new Findings(theirs, first(worst, wanted), found, heat);
  }

  private Bottleneck bottleneck(
      Map<Stage, Latencies> stages, Lane.LaneTotals totals, long elapsedNs, ProcessUsage usage) {
    boolean isLong = elapsedNs >= Bottleneck.TOLD_FROM_NS;
    if (isLong && Thread.currentThread() == starter) {
      starved(Processors.waitedNs() - starterWaitedNs);
    }
    Judgement found = judgement;
    if (found == null && !(isLong && WorkSide.of(command) == WorkSide.RECEIVER)) {
      found = judge(stages, elapsedNs);
    }
    if (!isLong) {
      return Bottleneck.of(found, EndFacts.UNKNOWN);
    }
    long deviceReadBytes = usage == null || isAnyStream ? -1 : usage.deviceReadBytes();
    long starvedNs = processTimes().starvedNs();
    return Bottleneck.of(
        found,
        new EndFacts(
            WorkSide.of(command),
            totals.filesDone,
            totals.bytesMoved,
            deviceReadBytes,
            starvedNs,
            DirtyPages.now()));
  }

  private synchronized Judgement judge(Map<Stage, Latencies> stages, long elapsedNs) {
    boolean isTold = peerMeasured != null;
    return Bottleneck.judge(
        new TransferFacts(
            elapsedNs,
            WorkSide.of(command),
            stages,
            isTold ? peerMeasured.stages() : Map.of(),
            processTimes(),
            isTold ? peerMeasured.process() : ProcessTimes.UNKNOWN,
            network));
  }

  private synchronized Result result(Lane.LaneTotals totals) {
    long elapsedNs = elapsedNs();
    filesFailed += totals.filesLost;
    Failure decisive = firstFailure != null ? firstFailure : firstFileFailure;
    if (decisive == null && totals.filesLost > 0) {
      decisive = Failure.of(ExitCode.INTERNAL, "files whose end is not known: " + totals.filesLost);
    }
    if (decisive == null && !declined.isEmpty()) {
      Event.Declined first = declined.getFirst();
      String what = "left out: " + first.reason();
      decisive = Failure.of(ExitCode.SOME_FAILED, first.firstName(), what);
    }
    Map<Stage, Latencies> stages;
    synchronized (books) {
      stages = books.latencies(totals.busyNs);
    }
    Latencies paced = stages.get(pacedStage);
    if (paced != null) {
      // Those that share the limit take turns.
      paced.paceBy(pacedIntervalNs.getAsLong() * ofSession.connectionsMost());
    }
    Plan plan = totals.plan(isDryRun && decisive == null);
    ProcessUsage usage = usage();
    Pauses stoodStill = pauses.close(System.nanoTime());
    return new Result(
        command,
        strategyAsked,
        totals.ran.byShare(),
        totals.filesDone,
        filesFailed,
        totals.bytesMoved,
        elapsedNs,
        totals.verified == null ? Level.NONE : ofSession.reached(totals.verified),
        exitCode(decisive, totals.filesDone + totals.filesPlanned()),
        decisive == null ? "" : decisive.getMessage(),
        stages,
        link == null ? null : ofSession.result(link),
        new Tree(
            bytesDurable,
            totals.entries(),
            plan,
            List.copyOf(losses),
            List.copyOf(declined),
            totals.paths),
        findings(stages, totals, elapsedNs, usage, plan != null),
        new ProcessFacts(usage, stoodStill));
  }

  private synchronized ProcessTimes processTimes() {
    ProcessUsage usage = usage();
    long usedNs = usage == null ? ProcessTimes.UNKNOWN_NS : usage.userNs() + usage.systemNs();
    // The ticker has to wait on a busy machine even if those that move bytes hardly need a
    // processor.
    long waitedNs = starvedNs < 0 ? pauses.starvedNs() : starvedNs;
    return new ProcessTimes(usedNs, waitedNs, pauses.stoppedNs());
  }

  /// What the process used since the clock runs, or null.
  private ProcessUsage usage() {
    ProcessUsage now = usageBefore == null ? null : ProcessUsage.now();
    return now == null ? null : now.since(usageBefore);
  }

  /// @param filesDone or, in a dry run, those that would be
  private ExitCode exitCode(Failure decisive, long filesDone) {
    if (decisive == null) {
      return ExitCode.OK;
    }
    boolean ofFilesOnly = firstFailure == null && decisive == firstFileFailure;
    boolean allVanished = filesFailed == filesVanished;
    boolean oneCause = (filesDone == 0 || allVanished) && filesFailedAlike;
    return ofFilesOnly && !oneCause ? ExitCode.SOME_FAILED : decisive.exitCode();
  }

  private Live live() {
    long bytes = 0;
    BookedFile oldest = null;
    for (Lane lane : lanes) {
      bytes += lane.bytesMoved();
      BookedFile file = lane.oldest();
      boolean older = oldest == null || file != null && file.beganNs - oldest.beganNs < 0;
      oldest = older ? file : oldest;
    }
    String current = oldest == null ? "" : oldest.name();
    long done = filesDone();
    long all = bytesAll;
    long arrived = ofSession.bytesArrived();
    boolean hasPeer = arrived >= 0;
    long resumed = ofSession.bytesResumed();
    synchronized (this) {
      return new Live(
          hasPeer ? arrived : bytes,
          bytesDurable,
          hasPeer ? bytes : -1,
          done + filesFailed,
          filesAll,
          all < 0 ? -1 : Math.max(0, all - resumed),
          current);
    }
  }

  public enum Made {
    DIRECTORY,
    SYMLINK,
    HARD_LINK,
    SPECIAL
  }
}
