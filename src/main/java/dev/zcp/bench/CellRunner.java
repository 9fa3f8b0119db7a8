package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.file.Path;

/// Makes single runs: prepares what a cell asks for, lets the contender do it while the clock runs,
/// and looks at what arrived.
final class CellRunner {

  /// A feeder that has given all is through by then.
  private static final long FEEDER_END_NS_MAX = 100_000_000;

  /// A run with a buffer of this size leaves garbage that is worth a collection at once.
  private static final int LARGE_BYTES = 16 << 20;

  private final BenchThread thread;
  private final Workspace workspace;
  private final Strategies strategies;

  /// One run to be made.
  ///
  /// @param source the file to read from; null for experiments that read none
  record Job(
      Cell cell, Contender contender, BenchSource source, Meter meter, CellRuns.Phase phase) {

    private BenchThread.TimedWork work(Contender.MoveTask task) {
      return () -> contender.run(task, cell.chunkBytes(), meter);
    }

    private ContentCheck check() {
      boolean ofEveryByte = phase == CellRuns.Phase.CLOSE_LOOK;
      return new ContentCheck(source.content(), source.bytes(), ofEveryByte);
    }
  }

  /// What came of a run.
  sealed interface Outcome {

    /// The right bytes arrived, as far as the run looked.
    ///
    /// @param bufferBytes what the kernel gave; 0 if there was no socket
    /// @param cachedBefore how much of the source was cached; NaN if there was none
    record Completed(
        CellResult.Sample sample, CallCount callCount, int bufferBytes, double cachedBefore)
        implements Outcome {}

    record Refused(String reason) implements Outcome {}

    record Failed(String message) implements Outcome {}

    /// What a contender's exception means. Too little memory is a refusal: the cell asks for more
    /// than this process was given.
    static Outcome of(Throwable failure) {
      return switch (failure) {
        case RefusedException e -> new Refused(e.reason());
        case OutOfMemoryError e ->
            new Refused("needs more memory than there is: " + e.getMessage());
        case TransferException e when e.failure().getCause() instanceof OutOfMemoryError ->
            new Refused(Reasons.of(e.failure()));
        default -> new Failed(phrase(failure));
      };
    }
  }

  /// A run, and whoever can tell what is wrong with what arrived.
  private record Unchecked(BenchThread.TimedRun run, int bufferBytes, Check check) {}

  @FunctionalInterface
  private interface Check {
    /// What is wrong, as a phrase; empty if nothing is.
    String finding() throws IOException;
  }

  /// @param strategies of which one feeds receivers
  CellRunner(BenchThread thread, Workspace workspace, Strategies strategies) {
    this.thread = thread;
    this.workspace = workspace;
    this.strategies = strategies;
  }

  /// What went wrong in a cell, in words that a table has room for.
  static String phrase(Throwable e) {
    return switch (e) {
      case IOException io -> Reasons.of(io);
      case TransferException t -> "after " + t.offset() + " bytes: " + Reasons.of(t.failure());
      case RefusedException refused -> refused.reason();
      case BenchThread.OverdueException overdue -> overdue.getMessage();
      case InterruptedException _ -> "given up";
      default -> Printable.of(String.valueOf(e));
    };
  }

  Outcome run(Job job) throws InterruptedException {
    Contender.BenchFile target = workspace.newTarget();
    try {
      double cachedBefore = Double.NaN;
      if (job.source() != null) {
        Path source = job.source().path();
        cachedBefore = thread.host().prepare(source, job.cell().cache());
        String obstacle = Host.obstacle(source, job.cell().cache(), cachedBefore);
        if (!obstacle.isEmpty()) {
          return new Outcome.Refused(obstacle);
        }
      }
      Unchecked made = move(job, target);
      BenchThread.TimedRun run = made.run();
      if (run.failure() != null) {
        return Outcome.of(run.failure());
      }
      String finding = made.check().finding();
      if (!finding.isEmpty()) {
        return new Outcome.Failed(finding);
      }
      CellResult.Sample sample =
          new CellResult.Sample(run.endedNs() - run.startedNs(), run.usage());
      return new Outcome.Completed(sample, run.callCount(), made.bufferBytes(), cachedBefore);
    } catch (IOException e) {
      return new Outcome.Failed(Reasons.of(e));
    } catch (Failure e) {
      return new Outcome.Failed(e.getMessage());
    } finally {
      Workspace.remove(target.path());
      if (BenchOnly.arrayBytes(job.cell().chunkBytes(), job.cell().fileBytes()) >= LARGE_BYTES) {
        // Or a run to come would pay for it, or find no memory outside of the heap.
        System.gc();
      }
    }
  }

  private Unchecked move(Job job, Contender.BenchFile target)
      throws IOException, InterruptedException, Failure {
    BenchSource source = job.source();
    Content.Generated made = workspace.content();
    long bytes = job.cell().fileBytes();
    try (Forcer forcer = new Forcer(job.cell().forcing(), job.meter().forces())) {
      job.meter().forceBy(forcer);
      return switch (job.cell().experiment()) {
        case READ -> {
          ContentCheck check = job.check();
          Contender.Endpoint sink = new Contender.CheckingSink(check);
          yield move(
              job, new Contender.MoveTask(source.file(), sink, bytes, forcer), check::finding);
        }
        case WRITE, FORCE -> {
          Contender.Endpoint memory = new Contender.Memory(made, bytes);
          Check check = () -> ContentCheck.ofFile(target.path(), made, bytes);
          yield move(job, new Contender.MoveTask(memory, target, bytes, forcer), check);
        }
        case COPY -> {
          Contender.MoveTask task = new Contender.MoveTask(source.file(), target, bytes, forcer);
          yield move(job, task, () -> finding(target, source));
        }
        case SEND -> send(job, target, forcer);
        case RECEIVE -> receive(job, target, forcer);
      };
    }
  }

  private Unchecked move(Job job, Contender.MoveTask task, Check check)
      throws InterruptedException {
    return new Unchecked(thread.run(job.phase(), job.work(task), () -> {}), 0, check);
  }

  /// Java tells the half of what the kernel reserves, since the other half is for its bookkeeping:
  /// socket(7). So a size that was granted is told as it was asked for.
  private Unchecked send(Job job, Contender.BenchFile target, Forcer forcer)
      throws IOException, InterruptedException {
    BenchSource source = job.source();
    Cell.Peer peer = job.cell().peer();
    try (Loopback loopback = Loopback.connect(job.cell().socketBufferBytes())) {
      int bufferBytes = loopback.near().getOption(StandardSocketOptions.SO_SNDBUF);
      ContentCheck check = job.check();
      Path file = peer.toFile() ? target.path() : null;
      Loopback.FarEnd taker = loopback.take(peer, source.bytes(), check, file);
      Contender.Endpoint socket = new Contender.Socket(loopback.near());
      Contender.MoveTask task =
          new Contender.MoveTask(source.file(), socket, source.bytes(), forcer);
      BenchThread.TimedRun run = thread.run(job.phase(), job.work(task), loopback::shutDown);
      loopback.endOfNear();
      awaitEnd(taker);
      throwFailure(taker);
      return new Unchecked(
          run.endedBy(taker.completeNs()),
          bufferBytes,
          () -> {
            String finding = check.finding();
            return finding.isEmpty() && peer.toFile() ? finding(target, source) : finding;
          });
    }
  }

  private Unchecked receive(Job job, Contender.BenchFile target, Forcer forcer)
      throws IOException, InterruptedException, Failure {
    BenchSource source = job.source();
    try (Loopback loopback = Loopback.connect(job.cell().socketBufferBytes())) {
      int bufferBytes = loopback.near().getOption(StandardSocketOptions.SO_RCVBUF);
      Loopback.FarEnd feeder = loopback.feed(source, strategies);
      Contender.Endpoint socket = new Contender.Socket(loopback.near());
      BenchThread.TimedWork work =
          job.work(new Contender.MoveTask(socket, target, source.bytes(), forcer));
      BenchThread.TimedRun run =
          thread.run(
              job.phase(),
              () -> {
                feeder.begin();
                work.run();
              },
              loopback::shutDown);
      // A contender that ended early leaves it stuck, and what befalls it then is not its fault.
      if (feeder.await(FEEDER_END_NS_MAX)) {
        throwFailure(feeder);
      }
      loopback.shutDown();
      awaitEnd(feeder);
      return new Unchecked(run, bufferBytes, () -> finding(target, source));
    }
  }

  private void awaitEnd(Loopback.FarEnd end) throws IOException, InterruptedException {
    if (!end.await(thread.runNsMax())) {
      throw new IOException("the other end saw no end");
    }
  }

  private static void throwFailure(Loopback.FarEnd end) throws IOException {
    if (!end.failure().isEmpty()) {
      throw new IOException("the other end: " + end.failure());
    }
  }

  private static String finding(Contender.BenchFile target, BenchSource source) throws IOException {
    return ContentCheck.ofFile(target.path(), source.content(), source.bytes());
  }
}
