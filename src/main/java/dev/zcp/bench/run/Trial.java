package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.result.Sample;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// Makes single runs: prepares what a cell asks for, lets the contender do it while the clock runs,
/// and looks at what arrived.
final class Trial {

  /// A feeder that has given all is through by then.
  private static final long FEEDER_END_NS_MAX = 100_000_000;

  /// A run with a buffer of this size leaves garbage that is worth a collection at once.
  private static final int LARGE_BYTES = 16 << 20;

  private final Lane lane;
  private final Workshop workshop;
  private final CacheState cacheState;
  private final Strategies strategies;

  /// One run to be made.
  ///
  /// @param original the file to read from; null for experiments that read none
  record Job(Cell cell, Contender contender, Original original, Meter meter, Purpose purpose) {}

  /// A run, and whoever can tell what is wrong with what arrived.
  ///
  /// @param bufferBytes what the kernel gave; 0 where there was no socket
  private record Run(Lane.Outcome outcome, int bufferBytes, Check check) {}

  @FunctionalInterface
  private interface Check {
    /// What is wrong, as a phrase; empty where nothing is.
    String finding() throws IOException;
  }

  Trial(Lane lane, Workshop workshop, CacheState cacheState, Strategies strategies) {
    this.lane = lane;
    this.workshop = workshop;
    this.cacheState = cacheState;
    this.strategies = strategies;
  }

  /// Makes one run.
  ///
  /// @throws InterruptedException where this thread is to end
  Verdict run(Job job) throws InterruptedException {
    Place target = workshop.newTarget();
    try {
      double cachedBefore = Double.NaN;
      if (job.original() != null) {
        Path source = job.original().place().path();
        cachedBefore = cacheState.prepare(source, job.cell().cache());
        String obstacle = CacheState.obstacle(source, job.cell().cache(), cachedBefore);
        if (!obstacle.isEmpty()) {
          return new Verdict.Refused(obstacle);
        }
      }
      Run run =
          switch (job.cell().experiment()) {
            case READ -> read(job);
            case WRITE, FORCE -> write(job, target);
            case COPY -> copy(job, target);
            case SEND -> send(job, target);
            case RECEIVE -> receive(job, target);
          };
      return verdict(run, cachedBefore);
    } catch (IOException e) {
      return new Verdict.Failed(Phrase.of(e));
    } catch (Failure e) {
      return new Verdict.Failed(e.getMessage());
    } finally {
      remove(target.path());
      if (ArrayLoop.arrayBytes(job.cell().chunkBytes(), job.cell().fileBytes()) >= LARGE_BYTES) {
        // Or a run to come would pay for it, or find no memory outside of the heap.
        System.gc();
      }
    }
  }

  private static Verdict verdict(Run run, double cachedBefore) throws IOException {
    Lane.Outcome outcome = run.outcome();
    if (outcome.failure() != null) {
      return Verdict.of(outcome.failure());
    }
    String finding = run.check().finding();
    if (!finding.isEmpty()) {
      return new Verdict.Failed(finding);
    }
    Sample sample = new Sample(outcome.endedNs() - outcome.startedNs(), outcome.usage());
    return new Verdict.Done(sample, outcome.callCount(), run.bufferBytes(), cachedBefore);
  }

  private Run read(Job job) throws InterruptedException {
    Original original = job.original();
    ContentCheck check = check(job);
    CheckingSink sink = new CheckingSink(check);
    Task task = new Task.Read(original.place(), sink, original.bytes());
    return new Run(lane.run(job.purpose(), () -> work(job, task), () -> {}), 0, check::finding);
  }

  private Run write(Job job, Place target) throws InterruptedException {
    long bytes = job.cell().fileBytes();
    MemorySource source = new MemorySource(workshop.content(), bytes);
    try (Forcer forcer = new Forcer(job.cell().forcing(), job.meter().forces())) {
      Task task = new Task.Write(source, target, forcer, bytes);
      Lane.Outcome outcome = lane.run(job.purpose(), () -> work(job, task), () -> {});
      return new Run(
          outcome, 0, () -> TargetCheck.finding(target.path(), workshop.content(), bytes));
    }
  }

  private Run copy(Job job, Place target) throws InterruptedException {
    Task task = new Task.Copy(job.original().place(), target, job.original().bytes());
    Lane.Outcome outcome = lane.run(job.purpose(), () -> work(job, task), () -> {});
    return new Run(outcome, 0, () -> finding(target, job.original()));
  }

  /// Java tells the half of what the kernel reserves, since the other half is for its bookkeeping:
  /// socket(7). So a size that was granted is told as it was asked for.
  private Run send(Job job, Place target) throws IOException, InterruptedException {
    Original original = job.original();
    boolean toFile = job.cell().peer().toFile();
    try (Loopback loopback = Loopback.connect(job.cell().socketBufferBytes())) {
      SocketChannel near = loopback.near();
      int bufferBytes = near.getOption(StandardSocketOptions.SO_SNDBUF);
      ContentCheck check = check(job);
      OtherEnd other =
          OtherEnd.taking(
              loopback.far(),
              job.cell().peer(),
              original.bytes(),
              check,
              toFile ? target.path() : null);
      Task task = new Task.Send(original.place(), near, original.bytes());
      Lane.Outcome outcome = lane.run(job.purpose(), () -> work(job, task), loopback::shutDown);
      loopback.endOfNear();
      if (!other.await(lane.runNsMax())) {
        throw new IOException("the other end saw no end");
      }
      if (!other.failure().isEmpty()) {
        throw new IOException("the other end: " + other.failure());
      }
      return new Run(
          outcome.endedBy(other.completeNs()),
          bufferBytes,
          () -> {
            String finding = check.finding();
            return finding.isEmpty() && toFile ? finding(target, original) : finding;
          });
    }
  }

  private Run receive(Job job, Place target) throws IOException, InterruptedException, Failure {
    Original original = job.original();
    try (Loopback loopback = Loopback.connect(job.cell().socketBufferBytes())) {
      SocketChannel near = loopback.near();
      int bufferBytes = near.getOption(StandardSocketOptions.SO_RCVBUF);
      OtherEnd other =
          OtherEnd.feeding(loopback.far(), original.place(), original.bytes(), strategies);
      Task task = new Task.Receive(near, target, original.bytes());
      Lane.Outcome outcome =
          lane.run(
              job.purpose(),
              () -> {
                other.begin();
                work(job, task);
              },
              loopback::shutDown);
      // A contender that ended early leaves it stuck, and what befalls it then is not its fault.
      if (other.await(FEEDER_END_NS_MAX) && !other.failure().isEmpty()) {
        throw new IOException("the other end: " + other.failure());
      }
      loopback.shutDown();
      if (!other.await(lane.runNsMax())) {
        throw new IOException("the other end saw no end");
      }
      return new Run(outcome, bufferBytes, () -> finding(target, original));
    }
  }

  private static void work(Job job, Task task) throws Exception {
    job.contender().run(task, job.cell().chunkBytes(), job.meter());
  }

  private static ContentCheck check(Job job) {
    Original original = job.original();
    return new ContentCheck(original.content(), original.bytes(), job.purpose() == Purpose.LOOK);
  }

  private static String finding(Place target, Original original) throws IOException {
    return TargetCheck.finding(target.path(), original.content(), original.bytes());
  }

  /// Also drops what of it was not written yet, which would be written while others are measured.
  private static void remove(Path target) {
    try {
      Files.deleteIfExists(target);
    } catch (IOException e) {
      // It goes with its directory.
    }
  }
}
