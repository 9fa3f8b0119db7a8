package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.StageBook;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What became of one cell so far, and what it still needs.
final class CellRuns {

  /// The strategy that calls transferFrom if the source is a socket.
  private static final String TRANSFER_TO = "transferTo";

  /// What a run is for, in the order in which cells make them.
  enum Phase {
    /// The very first, whose time stands apart.
    FIRST,
    WARM_UP,
    COUNTED,
    /// How many system calls each of the others made.
    SYSTEM_CALLS,
    /// Every byte, since those before looked at some.
    CLOSE_LOOK
  }

  private final Cell cell;
  private final Contender contender;
  private final BenchSource source;
  private final long cellNsMax;

  private final WarmUp warmUp = new WarmUp();
  private final StageBook book = new StageBook(System.currentTimeMillis());
  private final StageBook forces = new StageBook(System.currentTimeMillis());
  private final List<CellResult.Sample> samples = new ArrayList<>();
  private CellResult.Sample first;
  private CallCount callCount = CallCount.NONE;
  private Meter last;
  private long usedNs;
  private int bufferBytes;
  private double cachedWorst = Double.NaN;

  /// Null as long as nothing speaks against more runs.
  private CellResult end;

  /// @param source the file to read from; null if the experiment reads none
  /// @param cellNsMax once its runs took longer than this in all it gets no more than it must have
  CellRuns(Cell cell, Contender contender, BenchSource source, long cellNsMax) {
    this.cell = cell;
    this.contender = contender;
    this.source = source;
    this.cellNsMax = cellNsMax;
  }

  Cell cell() {
    return cell;
  }

  Contender contender() {
    return contender;
  }

  /// Null if the experiment reads none.
  BenchSource source() {
    return source;
  }

  /// Whether a run of it counts.
  boolean isMeasured() {
    return !samples.isEmpty();
  }

  /// Whether it may go on: it has neither failed nor been refused.
  boolean isIn() {
    return end == null;
  }

  boolean wants(Phase phase) {
    boolean hasTime = usedNs <= cellNsMax;
    return isIn()
        && switch (phase) {
          case FIRST -> true;
          case WARM_UP -> hasTime && !warmUp.isOver();
          case COUNTED -> hasTime || samples.isEmpty();
          case SYSTEM_CALLS -> hasTime;
          // What was written is compared in full after each run.
          case CLOSE_LOOK -> !cell.experiment().writesFile() && isMeasured();
        };
  }

  void run(Phase phase, CellRunner runner) throws InterruptedException {
    // What is not booked pays as much for its clocks as a run that counts.
    Meter meter =
        phase == Phase.COUNTED
            ? new Meter(book, forces)
            : new Meter(new StageBook(0), new StageBook(0));
    BenchThread.TimedRun run = runner.run(this, phase, meter);
    if (!isIn()) {
      return;
    }
    long elapsedNs = run.endedNs() - run.startedNs();
    CellResult.Sample sample = new CellResult.Sample(elapsedNs, run.usage());
    usedNs += elapsedNs;
    switch (phase) {
      case FIRST -> first = sample;
      case WARM_UP -> warmUp.took(elapsedNs);
      case COUNTED -> {
        samples.add(sample);
        last = meter;
      }
      case SYSTEM_CALLS -> callCount = run.callCount();
      case CLOSE_LOOK -> {}
    }
  }

  /// A run began with this share of its source cached; the share furthest from what was asked for
  /// is kept.
  void begunWith(double cached) {
    cachedWorst =
        Double.isNaN(cachedWorst)
            ? cached
            : cell.cache() == Cell.Cache.WARM
                ? Math.min(cachedWorst, cached)
                : Math.max(cachedWorst, cached);
  }

  /// @param bytes the buffer that the kernel gave the socket of a run
  void sentBy(int bytes) {
    bufferBytes = bytes;
  }

  /// It may not go on because of what a run has thrown. Too little memory is a refusal: the cell
  /// asks for more than this process was given.
  void fail(Throwable failure) {
    switch (failure) {
      case RefusedException e -> refuse(e.reason());
      case OutOfMemoryError e -> refuse("needs more memory than there is: " + e.getMessage());
      case TransferException e when e.failure().getCause() instanceof OutOfMemoryError ->
          refuse(Reasons.of(e.failure()));
      default -> spoil(phrase(failure));
    }
  }

  /// What went wrong, in words that a table has room for.
  static String phrase(Throwable e) {
    return switch (e) {
      case IOException io -> Reasons.of(io);
      case TransferException t -> "after " + t.offset() + " bytes: " + Reasons.of(t.failure());
      case RefusedException refused -> refused.reason();
      case InterruptedException _ -> "given up";
      default -> Printable.of(String.valueOf(e));
    };
  }

  /// What makes its figures less sure, each a phrase.
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!callCount.note().isEmpty()) {
      warnings.add("not all system calls are counted: " + callCount.note());
    }
    if (warmUp.isStillFaster()) {
      String calls = cell.hasChunk() ? " with calls of " + new ByteSize(cell.chunkBytes()) : "";
      String when = " when its warm-up ended, after " + Prose.count(warmUp.runs(), "run");
      warnings.add(
          cell.contender() + calls + " still got faster" + when + ": its figures may be too high");
    }
    return warnings;
  }

  CellResult result() {
    if (end == null) {
      long nowMs = System.currentTimeMillis();
      Latencies forceLatencies = forces.isEmpty() ? null : forces.close(nowMs);
      long forceCount = forceLatencies == null ? 0 : forceLatencies.count();
      end =
          new CellResult.Measurement(
              cell,
              contender.model(last.ran()),
              first,
              warmUp.runs(),
              samples,
              book.close(nowMs),
              last.calls(),
              userBytes(),
              callCount,
              bufferBytes,
              cachedWorst,
              Math.round((double) forceCount / samples.size()),
              forceLatencies);
    }
    return end;
  }

  void spoil(String message) {
    end = new CellResult.Failed(cell, message);
  }

  void refuse(String reason) {
    end = new CellResult.Refused(cell, reason);
  }

  boolean isSourceUnchanged() {
    return source == null || source.isUnchanged();
  }

  /// What a run copied between this process and the kernel. Unknown is what the JDK copies inside
  /// of one call of its own: transferFrom from a socket is a loop of reads and writes that nobody
  /// sees.
  private long userBytes() {
    return switch (cell.experiment()) {
      case READ -> last.readBytes();
      case WRITE, FORCE -> last.writtenBytes();
      case RECEIVE ->
          last.ran().equals(TRANSFER_TO) ? Usage.UNKNOWN : last.readBytes() + last.writtenBytes();
      case COPY, SEND -> last.readBytes() + last.writtenBytes();
    };
  }

  /// When a cell is warm: when [#STEADY_RUNS] runs in a row were not faster than [#STILL_FASTER] of
  /// the median of those before each in the warm-up, or after [#RUNS_MAX] runs. The cell's very
  /// first run is none of them: it would make any second run look faster.
  ///
  /// The median, and not the best of those before: one lucky run must not end a warm-up that goes
  /// on, nor one slow run prolong it for ever.
  static final class WarmUp {

    /// The most runs that are thrown away.
    static final int RUNS_MAX = 10;

    /// How many runs in a row must gain nothing.
    private static final int STEADY_RUNS = 2;

    /// A run that takes less than this part of what was usual says that there is more to gain.
    private static final double STILL_FASTER = 0.95;

    private final long[] runsNs = new long[RUNS_MAX];
    private int runs;

    void took(long elapsedNs) {
      runsNs[runs++] = elapsedNs;
    }

    int runs() {
      return runs;
    }

    boolean isOver() {
      boolean isSteady = runs > STEADY_RUNS;
      for (int run = runs - STEADY_RUNS; isSteady && run < runs; run++) {
        isSteady = !isFaster(run);
      }
      return runs == RUNS_MAX || isSteady;
    }

    boolean isStillFaster() {
      return runs > 1 && isFaster(runs - 1);
    }

    private boolean isFaster(int run) {
      double[] before = Arrays.stream(runsNs, 0, run).asDoubleStream().toArray();
      return runsNs[run] < STILL_FASTER * Summary.of(before).median();
    }
  }
}
