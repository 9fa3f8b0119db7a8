package dev.zcp.insight;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Collects what one transfer does, and tells a [Listener] as it goes. Any thread may call it.
///
/// The listener is called on the caller's thread and under no lock of this class; where several
/// threads tell of files, the listener must see to its own order.
public final class Insight {

  private final String command;
  private final String strategyAsked;
  private final Listener listener;
  private final BytesMoved bytesMoved = new BytesMoved();

  /// By the stage's ordinal; guarded by itself. Not an EnumMap, whose reflection costs a cold
  /// process 0.5 ms, and no atomic array, whose method handles cost as much.
  private final StageBook[] books = new StageBook[Stage.values().length];

  private final long createdMs = System.currentTimeMillis();

  // All below is guarded by this.
  private final Set<BookedFile> open = new HashSet<>();
  private final RanLedger ran = new RanLedger();
  private boolean clockRuns;
  private long startedNs;
  private int filesDone;
  private int filesFailed;
  private Verified verified = Verified.NONE;
  private Link link;
  private Failure firstFailure;
  private Failure firstFileFailure;
  private boolean filesFailedAlike = true;

  /// @param command `copy`, `send` or `receive`
  /// @param strategyAsked the strategy asked for, `auto` among them
  public Insight(String command, String strategyAsked, Listener listener) {
    this.command = command;
    this.strategyAsked = strategyAsked;
    this.listener = listener;
  }

  /// The work begins: the clock of [Result#elapsedNs] starts here.
  ///
  /// @param files how many files, or -1 where only the peer knows
  /// @param bytes how many bytes in all, or -1 where that is not known
  public void started(int files, long bytes) {
    startClock();
    listener.on(new Event.Started(command, strategyAsked, files, bytes, bytesMoved));
  }

  /// A peer has proved that it knows the key. To be called once at most; notes a socket buffer that
  /// is less than what was asked for.
  public void connected(Link connection) {
    synchronized (this) {
      link = connection;
    }
    listener.on(new Event.Connected(connection));
    if (connection.buffer().isCapped()) {
      note(connection.buffer().whyCapped());
    }
  }

  public void note(String message) {
    listener.on(new Event.Noted(message));
  }

  /// An entry that is left alone, and why: a phrase without a full stop.
  public void skipped(String name, String reason) {
    note(name + ": " + reason);
  }

  /// What a real run would do: the dry run's whole result.
  ///
  /// @param action what would be done
  /// @param name the source's, printable
  /// @param target the target's, printable
  /// @param bytes how many would be moved, or -1 where that is not known
  public void planned(Planned action, String name, String target, long bytes) {
    note(action.label() + " " + name + " -> " + target);
  }

  /// An entry of a tree that is no file was made.
  public void made(Made made) {}

  /// Something that targets could not keep of their sources.
  ///
  /// @param what what it is, as a message names it: `owner and group`
  /// @param files of how many entries
  /// @param firstName the first of them, printable
  /// @param reason why, of the first: a phrase without a full stop
  public void lost(String what, long files, String firstName, String reason) {
    note(firstName + ": " + what + " not kept: " + reason + " (" + files + " in all)");
  }

  /// So many more of the bytes that were moved are known to be on the device. Who means to call
  /// this calls it with 0 before the first file.
  public void durable(long bytes) {}

  /// How much there is to do is known better than before.
  ///
  /// @param files so far, or in all where that is known now
  /// @param bytes as with `files`
  public void counted(long files, long bytes) {}

  /// A file begins; `stage` is what one step of its transfer counts as.
  ///
  /// A file that is neither [done][FileLog#done] nor [failed][FileLog#failed] when the transfer
  /// ends counts as failed.
  ///
  /// @param bytes the size, or -1 where it is not known
  public FileLog begin(String name, long bytes, Stage stage) {
    startClock();
    BookedFile file = new BookedFile(this, name, stage);
    synchronized (this) {
      open.add(file);
    }
    listener.on(new Event.FileStarted(name, bytes));
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
    listener.on(new Event.Failed(failure));
  }

  /// Tells [Event.Finished] and returns its result. The exit code is derived: that of the first
  /// [#failed], else OK where no file failed, else that file's code where all failed for one cause,
  /// else SOME_FAILED. A file whose end nobody told is an INTERNAL failure, where nothing else
  /// failed.
  ///
  /// To be called once, when the work is over; what is booked later is lost.
  public Result finish() {
    Result result = result();
    listener.on(new Event.Finished(result));
    return result;
  }

  void moved(long bytes) {
    bytesMoved.add(bytes);
  }

  void book(Stage stage, long elapsedNs) {
    StageBook book;
    synchronized (books) {
      book = books[stage.ordinal()];
      if (book == null) {
        book = new StageBook(createdMs);
        books[stage.ordinal()] = book;
      }
    }
    book.book(elapsedNs);
  }

  void fileDone(BookedFile file, Event.FileDone event) {
    synchronized (this) {
      close(file);
      boolean lowest = filesDone == 0 || event.verified().compareTo(verified) < 0;
      verified = lowest ? event.verified() : verified;
      filesDone++;
    }
    listener.on(event);
  }

  void fileFailed(BookedFile file, Event.FileFailed event) {
    synchronized (this) {
      close(file);
      filesFailed++;
      if (firstFileFailure == null) {
        firstFileFailure = event.failure();
      }
      filesFailedAlike &= event.failure().exitCode() == firstFileFailure.exitCode();
    }
    listener.on(event);
  }

  private synchronized void startClock() {
    if (!clockRuns) {
      clockRuns = true;
      startedNs = System.nanoTime();
    }
  }

  private synchronized Result result() {
    long elapsedNs = clockRuns ? System.nanoTime() - startedNs : 0;
    int filesLost = open.size();
    for (BookedFile file : Set.copyOf(open)) {
      close(file);
    }
    filesFailed += filesLost;
    Failure decisive = firstFailure != null ? firstFailure : firstFileFailure;
    if (decisive == null && filesLost > 0) {
      decisive = Failure.of(ExitCode.INTERNAL, "files whose end is not known: " + filesLost);
    }
    return new Result(
        command,
        strategyAsked,
        ran.byShare(),
        filesDone,
        filesFailed,
        bytesMoved.getAsLong(),
        elapsedNs,
        verified,
        exitCode(decisive),
        decisive == null ? "" : decisive.getMessage(),
        latencies(),
        link);
  }

  private ExitCode exitCode(Failure decisive) {
    if (decisive == null) {
      return ExitCode.OK;
    }
    boolean ofFilesOnly = firstFailure == null && decisive == firstFileFailure;
    boolean oneCause = filesDone == 0 && filesFailedAlike;
    return ofFilesOnly && !oneCause ? ExitCode.SOME_FAILED : decisive.exitCode();
  }

  private Map<Stage, Latencies> latencies() {
    long nowMs = System.currentTimeMillis();
    Map<Stage, Latencies> latencies = new LinkedHashMap<>();
    synchronized (books) {
      for (Stage stage : Stage.values()) {
        StageBook book = books[stage.ordinal()];
        if (book != null) {
          latencies.put(stage, book.close(nowMs));
          books[stage.ordinal()] = null;
        }
      }
    }
    return latencies;
  }

  private void close(BookedFile file) {
    open.remove(file);
    for (Ran one : file.ran()) {
      ran.add(one.strategy(), one.bytes(), one.steps(), one.fellBackBecause());
    }
  }

  /// The bytes moved so far, for whoever shows progress.
  private static final class BytesMoved implements LongSupplier {

    private final AtomicLong bytes = new AtomicLong();

    void add(long more) {
      bytes.addAndGet(more);
    }

    @Override
    public long getAsLong() {
      return bytes.get();
    }
  }
}
