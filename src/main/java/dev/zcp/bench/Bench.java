package dev.zcp.bench;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// Runs a benchmark: the groups one after the other, the cells of a group [in rounds][Rounds].
public final class Bench {

  /// The most that one run may take, unless a cell may take longer.
  private static final long RUN_NS_MAX = 600_000_000_000L;

  private static final String NOTHING_TO_MOVE = "an empty file has nothing to measure";

  private final BenchRequest request;
  private final Contenders contenders;
  private final BenchListener listener;
  private final Host host;

  /// Null if the benchmark makes its files itself.
  private final BenchSource given;

  /// Each once, however many cells it is true of.
  private final Set<String> warnings = new LinkedHashSet<>();

  private int runsDone;

  /// All that can be measured: the strategies of the process, `auto`, what only the benchmark has,
  /// and `others`.
  record Contenders(Strategies strategies, List<Contender> others) {

    /// @throws Failure USAGE if there is none of this name
    Contender named(String name) throws Failure {
      for (Contender other : others) {
        if (other.word().equals(name)) {
          return other;
        }
      }
      for (BenchOnly own : BenchOnly.values()) {
        if (own.word().equals(name)) {
          return own;
        }
      }
      return new StrategyContender(strategies, name);
    }
  }

  private Bench(
      BenchRequest request,
      Contenders contenders,
      BenchListener listener,
      Host host,
      BenchSource given) {
    this.request = request;
    this.contenders = contenders;
    this.listener = listener;
    this.host = host;
    this.given = given;
  }

  /// Runs what `request` asks for. What goes wrong in a cell is that cell's result, and the others
  /// go on.
  ///
  /// @throws Failure USAGE if a cell names no contender; SOURCE if the user's file cannot be read;
  ///   DESTINATION if the files of the first group cannot be made, or there is no space for those
  ///   of any: later on that fails the cells of a group and no others. Nothing is left behind
  public static BenchResult run(BenchRequest request, Strategies strategies, BenchListener listener)
      throws Failure {
    Contenders contenders = new Contenders(strategies, List.of());
    return run(request, contenders, listener, new Host(request.strace()));
  }

  static BenchResult run(
      BenchRequest request, Contenders contenders, BenchListener listener, Host host)
      throws Failure {
    try (BenchSource given = request.file() == null ? null : BenchSource.ofUser(request.file())) {
      return new Bench(request, contenders, listener, host, given).run();
    }
  }

  private BenchResult run() throws Failure {
    long startedMs = System.currentTimeMillis();
    int cellCount = 0;
    for (CellGroup group : request.groups()) {
      cellCount += group.cells().size();
      for (Cell cell : group.cells()) {
        contenders.named(cell.contender());
      }
    }
    Content.Generated content = new Content.Generated(request.content(), request.seed());
    try (Workspace workspace = Workspace.open(request.directory(), content)) {
      for (CellGroup group : request.groups()) {
        reserve(workspace, group);
      }
      listener.planned(cellCount, cellCount * (request.runs() + 1));
      BenchThread thread = new BenchThread(host, Math.max(RUN_NS_MAX, request.cellTimeNs()));
      CellRunner runner = new CellRunner(thread, workspace, contenders.strategies());
      List<BenchResult.Group> groups = new ArrayList<>();
      for (CellGroup group : request.groups()) {
        Random random = new Random(request.seed() + groups.size());
        List<CellResult> cells;
        try {
          cells = run(group, random, runner, workspace);
        } catch (Failure e) {
          if (groups.isEmpty()) {
            throw e;
          }
          // What was measured before is worth more than to be thrown away for this.
          cells = failed(group, e);
        }
        groups.add(new BenchResult.Group(group.title(), group.note(), cells));
      }
      host.look();
      List<String> all = new ArrayList<>(warnings);
      all.addAll(host.warnings());
      BenchResult.coolingWarning(groups).ifPresent(all::add);
      BenchResult.spreadWarning(groups).ifPresent(all::add);
      return new BenchResult(
          request.command(),
          request.zcpVersion(),
          startedMs,
          Machine.read(workspace.directory()),
          request.seed(),
          groups,
          all);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of(ExitCode.INTERNAL, "the benchmark was interrupted").because(e);
    }
  }

  /// First a round whose times stand apart. Then rounds of warm-up, each of the cells that [still
  /// get faster][CellRuns.WarmUp]. Then the rounds that count. At the end a run whose system calls
  /// are counted, and one whose every byte is looked at.
  ///
  /// @throws Failure if its files cannot be made; none of its cells was run
  private List<CellResult> run(
      CellGroup group, Random random, CellRunner runner, Workspace workspace)
      throws Failure, InterruptedException {
    reserve(workspace, group);
    List<CellRuns> cells = new ArrayList<>();
    for (Cell cell : group.cells()) {
      cells.add(begun(sized(cell), workspace));
    }
    cells.forEach(this::tellEnd);
    Rounds<CellRuns> rounds = new Rounds<>(cells, random);
    int planned = runsDone + cells.size();
    round(rounds, CellRuns.Phase.FIRST, runner);
    runsDone = planned;
    while (cells.stream().anyMatch(cell -> cell.wants(CellRuns.Phase.WARM_UP))) {
      round(rounds, CellRuns.Phase.WARM_UP, runner);
    }
    for (int i = 0; i < request.runs(); i++) {
      planned += cells.size();
      round(rounds, CellRuns.Phase.COUNTED, runner);
      // Also those that were not made.
      runsDone = planned;
    }
    round(rounds, CellRuns.Phase.SYSTEM_CALLS, runner);
    round(rounds, CellRuns.Phase.CLOSE_LOOK, runner);
    return cells.stream().map(this::ended).toList();
  }

  private void round(Rounds<CellRuns> rounds, CellRuns.Phase phase, CellRunner runner)
      throws InterruptedException {
    boolean isPlanned = phase == CellRuns.Phase.FIRST || phase == CellRuns.Phase.COUNTED;
    rounds.round(
        cell -> cell.wants(phase),
        cell -> {
          listener.running(cell.cell(), runsDone);
          cell.run(phase, runner);
          host.look();
          tellEnd(cell);
          runsDone += isPlanned ? 1 : 0;
        });
  }

  private CellRuns begun(Cell cell, Workspace workspace) throws Failure {
    Contender contender = contenders.named(cell.contender());
    Optional<String> refusal =
        cell.fileBytes() == 0 ? Optional.of(NOTHING_TO_MOVE) : contender.refusal(cell);
    BenchSource source = null;
    if (refusal.isEmpty() && cell.experiment().needsFile()) {
      source = given == null ? workspace.source(cell.fileBytes()) : given;
    }
    CellRuns runs = new CellRuns(cell, contender, source, request.cellTimeNs());
    refusal.ifPresent(runs::refuse);
    return runs;
  }

  private List<CellResult> failed(CellGroup group, Failure failure) {
    List<CellResult> cells = new ArrayList<>();
    for (Cell cell : group.cells()) {
      CellResult result = new CellResult.Failed(sized(cell), failure.getMessage());
      cells.add(result);
      listener.ended(result);
      runsDone += request.runs() + 1;
    }
    return cells;
  }

  /// A cell that came to its end in its turn is told of at once.
  private void tellEnd(CellRuns cell) {
    if (!cell.isIn()) {
      listener.ended(cell.result());
    }
  }

  private CellResult ended(CellRuns cell) {
    if (!cell.isIn()) {
      return cell.result();
    }
    if (!cell.isSourceUnchanged()) {
      cell.spoil(request.file() + " changed while it was measured");
    }
    CellResult result = cell.result();
    listener.ended(result);
    warnings.addAll(cell.warnings());
    return result;
  }

  private Cell sized(Cell cell) {
    return given == null ? cell : cell.ofSize(given.bytes());
  }

  /// The files that a group reads are there together, those that it writes one at a time.
  private void reserve(Workspace workspace, CellGroup group) throws Failure {
    Set<Long> sizes = new HashSet<>();
    long targetBytes = 0;
    for (Cell each : group.cells()) {
      Cell cell = sized(each);
      if (given == null && cell.experiment().needsFile()) {
        sizes.add(cell.fileBytes());
      }
      if (cell.experiment().writesFile() || cell.peer().toFile()) {
        targetBytes = Math.max(targetBytes, cell.fileBytes());
      }
    }
    workspace.reserve(sizes, targetBytes);
  }
}
