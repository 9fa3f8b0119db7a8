package dev.zcp.bench;

import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.TransferException;
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
      Cell cell, Contender contender, SourceFile source, Meter meter, BenchThread.Purpose purpose) {

    private BenchThread.Work work(Contender.Task task) {
      return () -> contender.run(task, cell.chunkBytes(), meter);
    }

    private ContentCheck check() {
      boolean ofEveryByte = purpose == BenchThread.Purpose.LOOK;
      return new ContentCheck(source.content(), source.bytes(), ofEveryByte);
    }
  }

  /// What came of a run.
  sealed interface Outcome {

    /// The right bytes arrived, as far as the run looked.
    ///
    /// @param callCount [CallCount#NONE] unless the run was for counting
    /// @param bufferBytes what the kernel gave; 0 if there was no socket
    /// @param cachedBefore how much of the source was cached; NaN if there was none
    record Done(CellResult.Sample sample, CallCount callCount, int bufferBytes, double cachedBefore)
        implements Outcome {}

    /// It cannot be done here.
    record Refused(String reason) implements Outcome {}

    /// It went wrong.
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
  ///
  /// @param bufferBytes what the kernel gave; 0 if there was no socket
  private record Unchecked(BenchThread.Run run, int bufferBytes, Check check) {}

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

  /// Makes one run.
  ///
  /// @throws InterruptedException if this thread is to end
  Outcome run(Job job) throws InterruptedException {
    BenchFile target = workspace.newTarget();
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
      Unchecked made =
          switch (job.cell().experiment()) {
            case READ -> read(job);
            case WRITE, FORCE -> write(job, target);
            case COPY -> copy(job, target);
            case SEND -> send(job, target);
            case RECEIVE -> receive(job, target);
          };
      BenchThread.Run run = made.run();
      if (run.failure() != null) {
        return Outcome.of(run.failure());
      }
      String finding = made.check().finding();
      if (!finding.isEmpty()) {
        return new Outcome.Failed(finding);
      }
      CellResult.Sample sample =
          new CellResult.Sample(run.endedNs() - run.startedNs(), run.usage());
      return new Outcome.Done(sample, run.callCount(), made.bufferBytes(), cachedBefore);
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

  private Unchecked read(Job job) throws InterruptedException {
    ContentCheck check = job.check();
    MemoryEnds.CheckingSink sink = new MemoryEnds.CheckingSink(check);
    SourceFile source = job.source();
    Contender.Task task = new Contender.Task.Read(source.file(), sink, source.bytes());
    return new Unchecked(thread.run(job.purpose(), job.work(task), () -> {}), 0, check::finding);
  }

  private Unchecked write(Job job, BenchFile target) throws InterruptedException {
    long bytes = job.cell().fileBytes();
    Content.Made content = workspace.content();
    MemoryEnds.Memory source = new MemoryEnds.Memory(content, bytes);
    try (Forcer forcer = new Forcer(job.cell().forcing(), job.meter().forces())) {
      job.meter().forceBy(forcer);
      Contender.Task task = new Contender.Task.Write(source, target, forcer, bytes);
      BenchThread.Run run = thread.run(job.purpose(), job.work(task), () -> {});
      return new Unchecked(run, 0, () -> ContentCheck.ofFile(target.path(), content, bytes));
    }
  }

  private Unchecked copy(Job job, BenchFile target) throws InterruptedException {
    SourceFile source = job.source();
    Contender.Task task = new Contender.Task.Copy(source.file(), target, source.bytes());
    BenchThread.Run run = thread.run(job.purpose(), job.work(task), () -> {});
    return new Unchecked(run, 0, () -> finding(target, source));
  }

  /// Java tells the half of what the kernel reserves, since the other half is for its bookkeeping:
  /// socket(7). So a size that was granted is told as it was asked for.
  private Unchecked send(Job job, BenchFile target) throws IOException, InterruptedException {
    SourceFile source = job.source();
    Cell.Peer peer = job.cell().peer();
    try (Loopback loopback = Loopback.connect(job.cell().socketBufferBytes())) {
      int bufferBytes = loopback.near().getOption(StandardSocketOptions.SO_SNDBUF);
      ContentCheck check = job.check();
      Path file = peer.toFile() ? target.path() : null;
      Loopback.FarEnd taker = loopback.take(peer, source.bytes(), check, file);
      Contender.Task task = new Contender.Task.Send(source.file(), loopback.near(), source.bytes());
      BenchThread.Run run = thread.run(job.purpose(), job.work(task), loopback::shutDown);
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

  private Unchecked receive(Job job, BenchFile target)
      throws IOException, InterruptedException, Failure {
    SourceFile source = job.source();
    try (Loopback loopback = Loopback.connect(job.cell().socketBufferBytes())) {
      int bufferBytes = loopback.near().getOption(StandardSocketOptions.SO_RCVBUF);
      Loopback.FarEnd feeder = loopback.feed(source, strategies);
      BenchThread.Work work =
          job.work(new Contender.Task.Receive(loopback.near(), target, source.bytes()));
      BenchThread.Run run =
          thread.run(
              job.purpose(),
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

  private static String finding(BenchFile target, SourceFile source) throws IOException {
    return ContentCheck.ofFile(target.path(), source.content(), source.bytes());
  }
}
