package dev.zcp.bench;

import dev.zcp.bench.BenchThread.TimedRun;
import dev.zcp.bench.BenchThread.TimedWork;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.file.Path;

/// Makes single runs: prepares what a cell asks for, lets the contender do it while the clock runs,
/// and looks at what arrived.
///
/// @param strategies of which one feeds receivers
record CellRunner(BenchThread thread, Workspace workspace, Strategies strategies) {

  /// A feeder that has given all is through by then.
  private static final long FEEDER_END_NS_MAX = 100_000_000;

  /// A run with a buffer of this size leaves garbage that is worth a collection at once.
  private static final int LARGE_BYTES = 16 << 20;

  /// Makes a run of a cell, which is told if it may not go on.
  ///
  /// @return null if the run was not made
  TimedRun run(CellRuns runs, CellRuns.Phase phase, Meter meter) throws InterruptedException {
    Cell cell = runs.cell();
    Contender.BenchFile target = workspace.newTarget();
    try (Forcer forcer = new Forcer(cell.forcing(), meter.forces())) {
      if (runs.source() != null) {
        Path source = runs.source().path();
        double cached = thread.host().prepare(source, cell.cache());
        String obstacle = Host.obstacle(source, cell.cache(), cached);
        if (!obstacle.isEmpty()) {
          runs.refuse(obstacle);
          return null;
        }
        runs.begunWith(cached);
      }
      meter.forceBy(forcer);
      return new OneRun(this, runs, phase, meter, target, forcer).run();
    } catch (IOException e) {
      runs.fail(e);
    } catch (Failure e) {
      runs.spoil(e.getMessage());
    } finally {
      Workspace.remove(target.path());
      if (BenchOnly.arrayBytes(cell.chunkBytes(), cell.fileBytes()) >= LARGE_BYTES) {
        // Or a run to come would pay for it, or find no memory outside of the heap.
        System.gc();
      }
    }
    return null;
  }

  private record OneRun(
      CellRunner runner,
      CellRuns runs,
      CellRuns.Phase phase,
      Meter meter,
      Contender.BenchFile target,
      Forcer forcer) {

    /// Tells what is wrong with what arrived, as a phrase; empty if nothing is.
    @FunctionalInterface
    private interface Check {
      String finding() throws IOException;
    }

    TimedRun run() throws IOException, InterruptedException, Failure {
      BenchSource source = runs.source();
      Content.Generated made = runner.workspace.content();
      long bytes = runs.cell().fileBytes();
      return switch (runs.cell().experiment()) {
        case READ -> {
          ContentCheck check = check();
          TimedWork work = work(source.file(), new Contender.CheckingSink(check));
          yield checked(timed(work, () -> {}), check::finding);
        }
        case WRITE, FORCE -> {
          TimedWork work = work(new Contender.Memory(made, bytes), target);
          Check check = () -> ContentCheck.ofFile(target.path(), made, bytes);
          yield checked(timed(work, () -> {}), check);
        }
        case COPY -> checked(timed(work(source.file(), target), () -> {}), this::copied);
        case SEND -> send();
        case RECEIVE -> receive();
      };
    }

    /// Java tells the half of what the kernel reserves, since the other half is for its
    /// bookkeeping: socket(7). So a size that was granted is told as it was asked for.
    private TimedRun send() throws IOException, InterruptedException {
      BenchSource source = runs.source();
      Cell.Peer peer = runs.cell().peer();
      try (Loopback loopback = Loopback.connect(runs.cell().socketBufferBytes())) {
        runs.sentBy(loopback.near().getOption(StandardSocketOptions.SO_SNDBUF));
        ContentCheck check = check();
        Path file = peer.toFile() ? target.path() : null;
        Loopback.FarEnd taker = loopback.take(peer, source.bytes(), check, file);
        TimedWork work = work(source.file(), new Contender.Socket(loopback.near()));
        TimedRun run = timed(work, loopback::shutDown);
        loopback.endOfNear();
        awaitEnd(taker);
        throwFailure(taker);
        return checked(
            run.endedBy(taker.completeNs()),
            () -> check.finding().isEmpty() && peer.toFile() ? copied() : check.finding());
      }
    }

    private TimedRun receive() throws IOException, InterruptedException, Failure {
      try (Loopback loopback = Loopback.connect(runs.cell().socketBufferBytes())) {
        runs.sentBy(loopback.near().getOption(StandardSocketOptions.SO_RCVBUF));
        Loopback.FarEnd feeder = loopback.feed(runs.source(), runner.strategies);
        TimedWork work = work(new Contender.Socket(loopback.near()), target);
        TimedWork fed =
            () -> {
              feeder.begin();
              work.run();
            };
        TimedRun run = timed(fed, loopback::shutDown);
        // A contender that ended early leaves it stuck, and what befalls it then is not its fault.
        if (feeder.await(FEEDER_END_NS_MAX)) {
          throwFailure(feeder);
        }
        loopback.shutDown();
        awaitEnd(feeder);
        return checked(run, this::copied);
      }
    }

    private TimedWork work(Contender.Endpoint from, Contender.Endpoint to) {
      Cell cell = runs.cell();
      Contender.MoveTask task = new Contender.MoveTask(from, to, cell.fileBytes(), forcer);
      return () -> runs.contender().run(task, cell.chunkBytes(), meter);
    }

    private TimedRun timed(TimedWork work, Runnable abort) throws InterruptedException {
      return runner.thread.run(phase, work, abort);
    }

    private TimedRun checked(TimedRun run, Check check) throws IOException {
      if (run.failure() != null) {
        runs.fail(run.failure());
        return run;
      }
      String finding = check.finding();
      if (!finding.isEmpty()) {
        runs.spoil(finding);
      }
      return run;
    }

    private ContentCheck check() {
      BenchSource source = runs.source();
      boolean ofEveryByte = phase == CellRuns.Phase.CLOSE_LOOK;
      return new ContentCheck(source.content(), source.bytes(), ofEveryByte);
    }

    private String copied() throws IOException {
      BenchSource source = runs.source();
      return ContentCheck.ofFile(target.path(), source.content(), source.bytes());
    }

    private void awaitEnd(Loopback.FarEnd end) throws IOException, InterruptedException {
      if (!end.await(runner.thread.runNsMax())) {
        throw new IOException("the other end saw no end");
      }
    }

    private static void throwFailure(Loopback.FarEnd end) throws IOException {
      if (!end.failure().isEmpty()) {
        throw new IOException("the other end: " + end.failure());
      }
    }
  }
}
