package dev.zcp.insight;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Live;
import dev.zcp.insight.Result.Tree;
import java.util.ArrayList;
import java.util.List;

/// Collects what one transfer does, and tells a [Listener] as it goes. Any thread may call it, and
/// many may at once: what is told of each file goes into the [Lane] of the thread.
///
/// The listener is called on the caller's thread and under no lock of this class; if several
/// threads tell of files, the listener must see to its own order.
public final class Insight {

  /// A power of two, and more than threads that are likely to copy at once.
  private static final int LANES = 16;

  /// Threads that were made one after the other get lanes this far apart, and so none that share a
  /// cache line. Odd, so that all lanes are used.
  private static final int LANE_STEP = 5;

  private final String command;
  private final String strategyAsked;
  private final Listener listener;
  private final boolean hearsEachFile;
  private final StageBooks books = new StageBooks();
  private final Lane[] lanes = new Lane[LANES];
  private final SessionBook session = new SessionBook();
  private final Now now = new Now();

  private volatile boolean clockRuns;
  private volatile long filesAll = -1;
  private volatile long bytesAll = -1;

  // All below is guarded by this.
  private long startedNs;
  private long bytesDurable = -1;
  private int filesFailed;
  private final List<Event.Lost> losses = new ArrayList<>(0);
  private Failure firstFailure;
  private Failure firstFileFailure;
  private boolean filesFailedAlike = true;

  /// @param command `copy`, `send` or `receive`
  /// @param strategyAsked the strategy asked for, `auto` among them
  public Insight(String command, String strategyAsked, Listener listener) {
    this.command = command;
    this.strategyAsked = strategyAsked;
    this.listener = listener;
    this.hearsEachFile = listener.hearsEachFile();
    for (int i = 0; i < LANES; i++) {
      lanes[i] = new Lane(books);
    }
  }

  /// The work begins: the clock of [Result#elapsedNs] starts here.
  ///
  /// @param files how many files, or -1 if that is not known, or not yet
  /// @param bytes how many bytes in all, or -1 if that is not known, or not yet
  public void started(int files, long bytes) {
    startClock();
    filesAll = files;
    bytesAll = bytes;
    tell(new Event.Started(command, strategyAsked, files, bytes, now));
  }

  /// A peer has proved that it knows the key. To be called once at most; notes a socket buffer that
  /// is less than what was asked for.
  public void connected(Link connection) {
    session.connected(connection);
    tell(new Event.Connected(connection));
    if (connection.buffer().isCapped()) {
      note(connection.buffer().whyCapped());
    }
  }

  /// So many connections of the session are open now. The result has the most there were.
  public void connections(int open) {
    session.connections(open);
  }

  /// So many more bytes have arrived for good: at a sender the receiver has acknowledged them, at a
  /// receiver they are written and verified. From the first call on progress goes by these, and no
  /// longer by what was [moved][FileLog#moved], which may still be in a socket's buffer; so this is
  /// called with 0 before the first file. Bytes that count as [resumed][#resumed] are not in it.
  public void acknowledged(long bytes) {
    session.acknowledged(bytes);
  }

  /// So many more bytes need not be sent, since the receiver has them from before.
  public void resumed(long bytes) {
    session.resumed(bytes);
  }

  /// So many more bytes had to be sent again, since they arrived damaged.
  public void resent(long bytes) {
    session.resent(bytes);
  }

  /// How the level that [FileLog#done] tells was reached, and what had to touch the bytes for it: a
  /// phrase without a full stop. Said again it counts once; there are few.
  public void proved(String how) {
    session.proved(how);
  }

  /// The other end says that it has proved arrivals so far: the result tells of that if it is less
  /// than what [FileLog#done] told, since the proof takes both. If this is not called the other end
  /// has said nothing, or there is none.
  public void peerReached(Verified level) {
    session.peerReached(level);
  }

  /// The kernel uses this TCP congestion control, as it was asked to.
  public void congestion(String name) {
    session.congestion(name);
  }

  /// An entry that the receiver does not take; to be called at both ends. It counts as skipped.
  /// Those who do not hear [each file][Listener#hearsEachFile] are told once for each kind, at the
  /// end. Not all that was asked for arrives then, so the exit code is not OK.
  ///
  /// @param what its kind, of a fixed few, as a message names several: `symbolic links`
  /// @param name its `toString` is printable, and only called if it is told
  /// @param reason why: a phrase without a full stop
  public void declined(String what, Object name, String reason) {
    lane().skipped();
    session.declined(what, name, reason);
    if (hearsEachFile) {
      tell(new Event.Skipped(name.toString(), reason, true));
    }
  }

  public void note(String message) {
    tell(new Event.Noted(message));
  }

  /// How much there is to do is known now: all that was and will be [begun][#begin], and neither
  /// what is [kept][#kept] nor what is [skipped][#skipped]. Until then nobody is shown a share or a
  /// time left. Who walks ahead of those who copy calls this when the walk is over; who calls it
  /// again corrects it.
  ///
  /// @param files in all, those that are done or have failed among them
  /// @param bytes in all, those that are moved among them
  public void counted(long files, long bytes) {
    filesAll = files;
    bytesAll = bytes;
    tell(new Event.Counted(files, bytes));
  }

  /// An entry of a tree that is no file was made.
  public void made(Made made) {
    lane().made(made);
  }

  /// A target that was there is left as it is, since that was asked for. To be called in place of
  /// [#begin].
  ///
  /// @param name the target's; its `toString` is printable, and only called if it is told
  /// @param reason why: a phrase without a full stop
  public void kept(Object name, String reason) {
    long before = lane().kept();
    if (hearsEachFile || before < Event.Kept.NAMED_MAX) {
      tell(new Event.Kept(name.toString(), reason));
    }
  }

  /// An entry that is left out, and why: a phrase without a full stop. Each is told, so this is not
  /// for what a user has excluded.
  public void skipped(String name, String reason) {
    lane().skipped();
    tell(new Event.Skipped(name, reason, false));
  }

  /// What a real run would do: the dry run's whole result. Of what a dry run plans to keep or to
  /// skip, this is to be told and neither [#kept] nor [#skipped].
  ///
  /// @param action what would be done
  /// @param name the source's, printable
  /// @param target the target's, printable
  /// @param bytes how many would be moved; -1 of what is no file, and if that is not known. What
  ///   [replaces][Planned#REPLACE] something counts as a file if this is known
  public void planned(Planned action, String name, String target, long bytes) {
    lane().planned(action, bytes);
    tell(new Event.PlanLine(action, name, target, bytes));
  }

  /// Something that targets could not keep of their sources: once for each kind, at the end.
  ///
  /// @param what what it is, as a message names it: `owner and group`
  /// @param files of how many entries
  /// @param firstName the first of them, printable
  /// @param reason why, of the first: a phrase without a full stop
  public void lost(String what, long files, String firstName, String reason) {
    Event.Lost lost = new Event.Lost(what, files, firstName, reason);
    synchronized (this) {
      losses.add(lost);
    }
    tell(lost);
  }

  /// So many more of the bytes that were moved are known to be on the device. Who means to call
  /// this calls it with 0 before the first file, so that the share on the device is shown from the
  /// start.
  public synchronized void durable(long bytes) {
    bytesDurable = Math.max(0, bytesDurable) + bytes;
  }

  /// A file begins; `stage` is what one step of its transfer counts as.
  ///
  /// A file that is neither [done][FileLog#done] nor [failed][FileLog#failed] when the transfer
  /// ends counts as failed.
  ///
  /// @param name its `toString` is printable, and only called if it is told
  /// @param bytes the size, or -1 if it is not known
  public FileLog begin(Object name, long bytes, Stage stage) {
    startClock();
    Lane lane = lane();
    BookedFile file = new BookedFile(this, lane, name, stage);
    lane.open(file);
    if (hearsEachFile) {
      tell(new Event.FileStarted(name.toString(), bytes));
    }
    return file;
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

  /// Tells [Event.Finished] and returns its result. The exit code is derived: that of the first
  /// [#failed], else OK if no file failed, else that file's code if all failed for one cause, else
  /// SOME_FAILED. A file whose end nobody told is an INTERNAL failure, if nothing else failed; if
  /// nothing failed at all and something was [#declined], it is SOME_FAILED.
  ///
  /// To be called once, when the work is over; what is booked later is lost.
  public Result finish() {
    LaneTotals totals = new LaneTotals();
    for (Lane lane : lanes) {
      lane.addTo(totals);
    }
    Result result = result(totals);
    for (Event.Declined declined : result.tree().declined()) {
      tell(declined);
    }
    tell(new Event.Finished(result));
    return result;
  }

  boolean hearsEachFile() {
    return hearsEachFile;
  }

  void tell(Event event) {
    listener.on(event);
  }

  void fileFailed(Event.FileFailed event) {
    synchronized (this) {
      filesFailed++;
      if (firstFileFailure == null) {
        firstFileFailure = event.failure();
      }
      filesFailedAlike &= event.failure().exitCode() == firstFileFailure.exitCode();
    }
    tell(event);
  }

  private Lane lane() {
    return lanes[(int) Thread.currentThread().threadId() * LANE_STEP & LANES - 1];
  }

  private void startClock() {
    if (clockRuns) {
      return;
    }
    synchronized (this) {
      if (!clockRuns) {
        startedNs = System.nanoTime();
        clockRuns = true;
      }
    }
  }

  private synchronized Result result(LaneTotals totals) {
    long elapsedNs = clockRuns ? System.nanoTime() - startedNs : 0;
    filesFailed += totals.filesLost;
    Failure decisive = firstFailure != null ? firstFailure : firstFileFailure;
    if (decisive == null && totals.filesLost > 0) {
      decisive = Failure.of(ExitCode.INTERNAL, "files whose end is not known: " + totals.filesLost);
    }
    List<Event.Declined> declined = session.declined();
    if (decisive == null && !declined.isEmpty()) {
      decisive = leftOut(declined.getFirst());
    }
    synchronized (books) {
      return new Result(
          command,
          strategyAsked,
          totals.ran.byShare(),
          totals.filesDone,
          filesFailed,
          totals.bytesMoved,
          elapsedNs,
          totals.verified == null ? Verified.NONE : session.reached(totals.verified),
          exitCode(decisive, totals.filesDone),
          decisive == null ? "" : decisive.getMessage(),
          books.close(),
          session.session(),
          new Tree(
              bytesDurable,
              totals.entries(),
              totals.plan(),
              List.copyOf(losses),
              declined,
              totals.paths));
    }
  }

  private static Failure leftOut(Event.Declined first) {
    return Failure.of(ExitCode.SOME_FAILED, first.firstName(), "left out: " + first.reason());
  }

  private ExitCode exitCode(Failure decisive, int filesDone) {
    if (decisive == null) {
      return ExitCode.OK;
    }
    boolean ofFilesOnly = firstFailure == null && decisive == firstFileFailure;
    boolean oneCause = filesDone == 0 && filesFailedAlike;
    return ofFilesOnly && !oneCause ? ExitCode.SOME_FAILED : decisive.exitCode();
  }

  /// How far this transfer is, for whoever shows progress.
  private final class Now implements Live {

    @Override
    public long bytesMoved() {
      long acknowledged = session.bytesAcknowledged();
      if (acknowledged >= 0) {
        return acknowledged;
      }
      long bytes = 0;
      for (Lane lane : lanes) {
        bytes += lane.bytesMoved();
      }
      return bytes;
    }

    @Override
    public long bytesDurable() {
      synchronized (Insight.this) {
        return bytesDurable;
      }
    }

    @Override
    public long filesEnded() {
      long files = 0;
      for (Lane lane : lanes) {
        files += lane.filesDone();
      }
      synchronized (Insight.this) {
        return files + filesFailed;
      }
    }

    @Override
    public long filesAll() {
      return filesAll;
    }

    @Override
    public long bytesAll() {
      long all = bytesAll;
      return all < 0 ? all : Math.max(0, all - session.bytesResumed());
    }

    @Override
    public String current() {
      BookedFile oldest = null;
      for (Lane lane : lanes) {
        BookedFile file = lane.oldest();
        boolean older = oldest == null || file != null && file.beganNs() - oldest.beganNs() < 0;
        oldest = older ? file : oldest;
      }
      return oldest == null ? "" : oldest.name();
    }
  }
}
