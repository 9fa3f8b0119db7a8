package dev.zcp.bench.run;

import dev.zcp.bench.count.Usage;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.result.CellResult;
import dev.zcp.bench.result.Sample;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Prose;
import dev.zcp.engine.Choice;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.StageBook;
import java.util.ArrayList;
import java.util.List;

/// What became of one cell so far, and what it still needs.
final class CellRuns {

  /// The strategy that calls transferFrom where the source is a socket.
  private static final String TRANSFER_TO = "transferTo";

  private final Cell cell;
  private final Contender contender;
  private final Original original;
  private final long cellNsMax;

  private final WarmUp warmUp = new WarmUp();
  private final StageBook book = new StageBook(System.currentTimeMillis());
  private final StageBook forces = new StageBook(System.currentTimeMillis());
  private final List<Sample> samples = new ArrayList<>();
  private Sample first;
  private CallCount callCount = CallCount.NONE;
  private Meter last;
  private long usedNs;
  private int bufferBytes;
  private double cachedWorst = Double.NaN;

  /// Null as long as nothing speaks against more runs.
  private CellResult end;

  /// @param original the file to read from; null where the experiment reads none
  /// @param cellNsMax once its runs took longer than this in all it gets no more than it must have
  CellRuns(Cell cell, Contender contender, Original original, long cellNsMax) {
    this.cell = cell;
    this.contender = contender;
    this.original = original;
    this.cellNsMax = cellNsMax;
  }

  Cell cell() {
    return cell;
  }

  /// Whether it may go on: it has neither failed nor been refused.
  boolean isIn() {
    return end == null;
  }

  boolean wantsWarmUp() {
    return isIn() && !warmUp.isOver() && usedNs <= cellNsMax;
  }

  boolean wantsRun() {
    return isIn() && (samples.isEmpty() || usedNs <= cellNsMax);
  }

  /// The very first run.
  void first(Trial trial) throws InterruptedException {
    if (made(trial, unbooked(), Purpose.TIME) instanceof Verdict.Done done) {
      first = done.sample();
    }
  }

  /// One more run of the warm-up.
  void warmUp(Trial trial) throws InterruptedException {
    if (made(trial, unbooked(), Purpose.TIME) instanceof Verdict.Done done) {
      warmUp.took(done.sample().elapsedNs());
    }
  }

  /// One more run that counts.
  void run(Trial trial) throws InterruptedException {
    Meter meter = new Meter(book, forces);
    if (made(trial, meter, Purpose.TIME) instanceof Verdict.Done done) {
      samples.add(done.sample());
      last = meter;
    }
  }

  /// Whether one more run must look at every byte, since those before looked at some.
  boolean wantsCloseLook() {
    return isIn()
        && switch (cell.experiment()) {
          case READ, SEND -> true;
          case WRITE, COPY, RECEIVE, FORCE -> false;
        };
  }

  /// A run that counts for nothing, and whose every byte is looked at.
  void lookClosely(Trial trial) throws InterruptedException {
    made(trial, unbooked(), Purpose.LOOK);
  }

  /// Whether its system calls are worth one more run: not where it has had its time.
  boolean wantsCount() {
    return isIn() && usedNs <= cellNsMax;
  }

  /// A run that tells how many system calls each of the others made.
  void countCalls(Trial trial) throws InterruptedException {
    if (made(trial, unbooked(), Purpose.COUNT) instanceof Verdict.Done done) {
      callCount = done.callCount();
    }
  }

  /// Why its calls were not all counted, or not as asked for; empty where they were.
  String countNote() {
    return callCount.note();
  }

  /// Why its runs may have been slower than others to come would be; empty where it was warm.
  String warmUpNote() {
    if (!warmUp.isStillFaster()) {
      return "";
    }
    return cell.contender()
        + chunkNote()
        + " still got faster when its warm-up ended, after "
        + Prose.count(warmUp.runs(), "run")
        + ": its figures may be too high";
  }

  private String chunkNote() {
    boolean isNumber = cell.chunkBytes() != Choice.ADAPTIVE && cell.chunkBytes() != Choice.WHOLE;
    return isNumber ? " with calls of " + new ByteSize(cell.chunkBytes()) : "";
  }

  /// What became of it, for good.
  CellResult result() {
    if (end == null) {
      Latencies forceLatencies = forces.isEmpty() ? null : forces.close(System.currentTimeMillis());
      end =
          new CellResult.Measured(
              cell,
              contender.model(last.ran()),
              counted(first),
              warmUp.runs(),
              samples.stream().map(this::counted).toList(),
              book.close(System.currentTimeMillis()),
              last.calls(),
              userBytes(),
              callCount.how(),
              bufferBytes,
              cachedWorst,
              forceLatencies == null
                  ? 0
                  : Math.round((double) forceLatencies.count() / samples.size()),
              forceLatencies);
    }
    return end;
  }

  /// It is worth nothing, whatever it seemed to be.
  void spoil(String message) {
    end = new CellResult.Failed(cell, message);
  }

  void refuse(String reason) {
    end = new CellResult.Refused(cell, reason);
  }

  /// Whether it reads from a file.
  boolean reads() {
    return original != null;
  }

  private Verdict made(Trial trial, Meter meter, Purpose purpose) throws InterruptedException {
    Verdict verdict = trial.run(new Trial.Job(cell, contender, original, meter, purpose));
    switch (verdict) {
      case Verdict.Done(Sample sample, CallCount _, int given, double cached) -> {
        usedNs += sample.elapsedNs();
        bufferBytes = given;
        cachedWorst = worse(cached);
      }
      case Verdict.Refused(String reason) -> refuse(reason);
      case Verdict.Failed(String message) -> spoil(message);
    }
    return verdict;
  }

  /// The share furthest from what was asked for.
  private double worse(double cached) {
    if (Double.isNaN(cachedWorst)) {
      return cached;
    }
    return switch (cell.cache()) {
      case WARM -> Math.min(cachedWorst, cached);
      case COLD -> Math.max(cachedWorst, cached);
    };
  }

  /// What a run copied between this process and the kernel. What goes to or comes from this
  /// process's own memory alone does not count. Unknown is what the JDK copies inside of one call
  /// of its own: transferFrom from a socket is a loop of reads and writes that nobody sees.
  private long userBytes() {
    if (cell.experiment() == Experiment.RECEIVE && last.ran().equals(TRANSFER_TO)) {
      return Usage.UNKNOWN;
    }
    return switch (cell.experiment()) {
      case READ -> last.readBytes();
      case WRITE, FORCE -> last.writtenBytes();
      case COPY, SEND, RECEIVE -> last.readBytes() + last.writtenBytes();
    };
  }

  private Sample counted(Sample sample) {
    return new Sample(sample.elapsedNs(), sample.usage().withSystemCalls(callCount.calls()));
  }

  /// Pays as much for its clocks as a run that counts.
  private static Meter unbooked() {
    return new Meter(new StageBook(0), new StageBook(0));
  }
}
