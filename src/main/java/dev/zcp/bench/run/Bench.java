package dev.zcp.bench.run;

import dev.zcp.bench.BenchListener;
import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Plan;
import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.CellResult;
import dev.zcp.bench.result.Spread;
import dev.zcp.bench.result.Warmth;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Runs a plan: the groups one after the other, the cells of a group [in turns][Rounds].
public final class Bench {

  /// The most that one run may take, unless a cell may take longer.
  private static final long RUN_NS_MAX = 600_000_000_000L;

  private static final String NOTHING_TO_MOVE = "an empty file has nothing to measure";

  private final BenchRequest request;
  private final Contenders contenders;
  private final Host host;
  private final Progress progress;
  private final List<String> warnings = new ArrayList<>();

  /// Null where the benchmark makes its files itself.
  private final GivenFile given;

  private Bench(
      BenchRequest request,
      Contenders contenders,
      BenchListener listener,
      Host host,
      GivenFile given) {
    this.request = request;
    this.contenders = contenders;
    this.host = host;
    this.progress = new Progress(listener);
    this.given = given;
  }

  /// Runs what `request` asks for. What goes wrong in a cell is that cell's result, and the others
  /// go on.
  ///
  /// @throws Failure USAGE where a cell names no contender; SOURCE where the user's file cannot be
  ///   read; DESTINATION where the files of the first group cannot be made, or there is no space
  ///   for those of any: later on that fails the cells of a group and no others. Nothing is left
  ///   behind
  public static BenchResult run(BenchRequest request, Strategies strategies, BenchListener listener)
      throws Failure {
    return run(request, Contenders.of(strategies), listener, new ThisHost(request.strace()));
  }

  static BenchResult run(
      BenchRequest request, Contenders contenders, BenchListener listener, Host host)
      throws Failure {
    try (GivenFile given = request.file() == null ? null : GivenFile.open(request.file())) {
      return new Bench(request, contenders, listener, host, given).run();
    }
  }

  private BenchResult run() throws Failure {
    long startedMs = System.currentTimeMillis();
    Plan plan = request.plan();
    for (Plan.Group group : plan.groups()) {
      for (Cell cell : group.cells()) {
        contenders.named(cell.contender());
      }
    }
    MadeContent content = new MadeContent(request.content(), request.seed());
    try (Workshop workshop = Workshop.open(request.directory(), content)) {
      for (Plan.Group group : plan.groups()) {
        reserve(workshop, group);
      }
      progress.planned(plan.cellCount(), request.runs());
      Host.Watch watch = host.watch();
      Lane lane = new Lane(host, Math.max(RUN_NS_MAX, request.cellTimeNs()));
      Trial trial = new Trial(lane, workshop, new CacheState(host), contenders.strategies());
      List<BenchResult.Group> groups = new ArrayList<>();
      for (Plan.Group group : plan.groups()) {
        long seed = request.seed() + groups.size();
        List<CellResult> cells;
        try {
          cells = run(group, seed, trial, workshop, watch);
        } catch (Failure e) {
          if (groups.isEmpty()) {
            throw e;
          }
          cells = failed(group, e);
        }
        groups.add(new BenchResult.Group(group.title(), group.note(), cells));
      }
      watch.look();
      warnings.addAll(watch.warnings());
      Warmth.warning(groups).ifPresent(warnings::add);
      Spread.warning(groups).ifPresent(warnings::add);
      return new BenchResult(
          request.command(),
          request.zcpVersion(),
          startedMs,
          host.machine(workshop.directory()),
          request.seed(),
          groups,
          warnings);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of(ExitCode.INTERNAL, "the benchmark was interrupted").because(e);
    }
  }

  /// @throws Failure where its files cannot be made; none of its cells was run
  private List<CellResult> run(
      Plan.Group group, long seed, Trial trial, Workshop workshop, Host.Watch watch)
      throws Failure, InterruptedException {
    reserve(workshop, group);
    List<CellRuns> cells = new ArrayList<>();
    for (Cell cell : group.cells()) {
      cells.add(begun(sized(cell), workshop));
    }
    cells.forEach(progress::look);
    new Rounds(cells, new Turns(seed, cells.size()), trial, progress, watch).run(request.runs());
    return cells.stream().map(this::ended).toList();
  }

  private CellRuns begun(Cell cell, Workshop workshop) throws Failure {
    Contender contender = contenders.named(cell.contender());
    Optional<String> refusal =
        cell.fileBytes() == 0 ? Optional.of(NOTHING_TO_MOVE) : contender.refusal(cell);
    Original original = null;
    if (refusal.isEmpty() && readsFile(cell)) {
      original = given == null ? workshop.original(cell.fileBytes()) : given.original();
    }
    CellRuns runs = new CellRuns(cell, contender, original, request.cellTimeNs());
    refusal.ifPresent(runs::refuse);
    return runs;
  }

  /// What was measured before is worth more than to be thrown away for this.
  private List<CellResult> failed(Plan.Group group, Failure failure) {
    List<CellResult> cells = new ArrayList<>();
    for (Cell cell : group.cells()) {
      CellResult result = new CellResult.Failed(sized(cell), failure.getMessage());
      cells.add(result);
      progress.ended(result);
      progress.passed(request.runs() + 1);
    }
    return cells;
  }

  private CellResult ended(CellRuns cell) {
    if (!cell.isIn()) {
      return cell.result();
    }
    if (cell.reads() && given != null && !given.isUnchanged()) {
      cell.spoil(request.file() + " changed while it was measured");
    }
    CellResult result = cell.result();
    progress.ended(result);
    if (!cell.countNote().isEmpty()) {
      warn("system calls: " + cell.countNote());
    }
    if (!cell.warmUpNote().isEmpty()) {
      warn(cell.warmUpNote());
    }
    return result;
  }

  /// Once, however many cells it is true of, and not before the end.
  private void warn(String message) {
    if (!warnings.contains(message)) {
      warnings.add(message);
    }
  }

  private Cell sized(Cell cell) {
    return given == null ? cell : cell.ofSize(given.bytes());
  }

  /// The files that a group reads are there together, those that it writes one at a time.
  private void reserve(Workshop workshop, Plan.Group group) throws Failure {
    Set<Long> sizes = new HashSet<>();
    long targetBytes = 0;
    for (Cell each : group.cells()) {
      Cell cell = sized(each);
      if (given == null && readsFile(cell)) {
        sizes.add(cell.fileBytes());
      }
      if (writesFile(cell)) {
        targetBytes = Math.max(targetBytes, cell.fileBytes());
      }
    }
    workshop.reserve(sizes, targetBytes);
  }

  private static boolean readsFile(Cell cell) {
    return switch (cell.experiment()) {
      case READ, COPY, SEND, RECEIVE -> true;
      case WRITE, FORCE -> false;
    };
  }

  private static boolean writesFile(Cell cell) {
    return switch (cell.experiment()) {
      case WRITE, COPY, RECEIVE, FORCE -> true;
      case SEND -> cell.peer().toFile();
      case READ -> false;
    };
  }
}
