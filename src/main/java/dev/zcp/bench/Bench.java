package dev.zcp.bench;

import dev.zcp.bench.BenchRequest.BenchListener;
import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/// Runs a benchmark: the groups one after the other, the cells of a group in rounds.
public final class Bench {

  private static final long RUN_NS_MAX = 600_000_000_000L;

  /// Those after the rounds that count.
  private static final int LAST_ROUNDS = 2;

  private final BenchRequest request;
  private final Contenders contenders;
  private final BenchListener listener;
  private final Host host;

  /// Null if the benchmark makes its files itself.
  private final BenchSource given;

  /// As asked for, but with the size of the file that is given.
  private final List<CellGroup> groups;

  private final Workspace workspace;
  private final CellRunner runner;

  /// Each once, however many cells it is true of.
  private final Set<String> warnings = new LinkedHashSet<>();

  private int runsDone;

  /// When the present group began, and how long it may take.
  private long groupStartNs;

  private long groupNs;

  /// How long the last round took, with its preparations and checks.
  private long roundNs;

  /// All that can be measured: the strategies of the process, `auto`, what only the benchmark has,
  /// and `others`.
  record Contenders(Strategies strategies, List<Contender> others) {

    /// @throws Failure USAGE if there is none of this name
    Contender named(String name) throws Failure {
      Stream<Contender> own = Stream.concat(others.stream(), Stream.of(BenchOnly.values()));
      Optional<Contender> found = own.filter(each -> each.word().equals(name)).findFirst();
      return found.isPresent() ? found.get() : new StrategyContender(strategies, name);
    }
  }

  private Bench(
      BenchRequest request,
      Contenders contenders,
      BenchListener listener,
      Host host,
      BenchSource given,
      Workspace workspace) {
    this.request = request;
    this.contenders = contenders;
    this.listener = listener;
    this.host = host;
    this.given = given;
    this.groups =
        given == null
            ? request.groups()
            : request.groups().stream()
                .map(group -> group.with(cell -> cell.ofSize(given.bytes())))
                .toList();
    this.workspace = workspace;
    BenchThread thread = new BenchThread(host, Math.max(RUN_NS_MAX, request.cellTimeNs()));
    this.runner = new CellRunner(thread, workspace, contenders.strategies());
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
      for (CellGroup group : request.groups()) {
        for (Cell cell : group.cells()) {
          contenders.named(cell.contender());
        }
      }
      Content.Generated content = new Content.Generated(request.content(), request.seed());
      try (Workspace workspace = Workspace.open(request.directory(), content)) {
        return new Bench(request, contenders, listener, host, given, workspace).run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of(ExitCode.INTERNAL, "the benchmark was interrupted").because(e);
    }
  }

  /// An order in which competitors take turns: in each round another, so that whatever one leaves
  /// behind, and whatever the machine does besides, falls on no other alone. It does not depend on
  /// who is passed over when it is their turn.
  static <C> List<C> shuffled(List<C> competitors, Random random) {
    List<C> order = new ArrayList<>(competitors);
    Collections.shuffle(order, random);
    return order;
  }

  private BenchResult run() throws Failure, InterruptedException {
    long startedMs = System.currentTimeMillis();
    long startNs = System.nanoTime();
    int cellCount = 0;
    for (CellGroup group : groups) {
      reserve(group);
      cellCount += group.cells().size();
    }
    listener.planned(cellCount * (request.runs() + 1));
    List<BenchResult.Group> results = new ArrayList<>();
    for (CellGroup group : groups) {
      groupStartNs = System.nanoTime();
      groupNs = (request.timeNs() - (groupStartNs - startNs)) / (groups.size() - results.size());
      List<CellResult> cells;
      try {
        cells = run(group, new Random(request.seed() + results.size()));
      } catch (Failure e) {
        if (results.isEmpty()) {
          throw e;
        }
        // What was measured before is worth more than to be thrown away for this.
        cells = new ArrayList<>();
        for (Cell cell : group.cells()) {
          cells.add(new CellResult.Failed(cell, e.getMessage()));
        }
        runsDone += cells.size() * (request.runs() + 1);
      }
      results.add(new BenchResult.Group(group.title(), group.note(), cells));
    }
    host.look();
    List<String> all = new ArrayList<>(warnings);
    all.addAll(host.warnings());
    BenchResult.coolingWarning(results).ifPresent(all::add);
    BenchResult.spreadWarning(results).ifPresent(all::add);
    return new BenchResult(
        request.command(),
        request.zcpVersion(),
        startedMs,
        Machine.read(workspace.directory()),
        request.seed(),
        results,
        all);
  }

  /// First a round whose times stand apart. Then rounds of warm-up, each of the cells that [still
  /// get faster][CellRuns.WarmUp], in at most a third of the time. Then the rounds that count, as
  /// many as there is time for. At the end a run whose system calls are counted, and one whose
  /// every byte is looked at.
  ///
  /// @throws Failure if its files cannot be made; none of its cells was run
  private List<CellResult> run(CellGroup group, Random random)
      throws Failure, InterruptedException {
    reserve(group);
    List<CellRuns> cells = new ArrayList<>();
    for (Cell cell : group.cells()) {
      cells.add(begun(cell));
    }
    int runsBefore = runsDone;
    int planned = runsDone + cells.size();
    round(cells, random, CellRuns.Phase.FIRST);
    runsDone = planned;
    while (cells.stream().anyMatch(cell -> cell.wants(CellRuns.Phase.WARM_UP))
        && hasTimeFor(1, groupNs / 3)) {
      round(cells, random, CellRuns.Phase.WARM_UP);
    }
    for (int i = 0; i < request.runs() && (i == 0 || hasTimeFor(1 + LAST_ROUNDS, groupNs)); i++) {
      planned += cells.size();
      round(cells, random, CellRuns.Phase.COUNTED);
      // Also those that were not made.
      runsDone = planned;
    }
    runsDone = runsBefore + cells.size() * (request.runs() + 1);
    round(cells, random, CellRuns.Phase.SYSTEM_CALLS);
    round(cells, random, CellRuns.Phase.CLOSE_LOOK);
    return cells.stream().map(this::ended).toList();
  }

  private void round(List<CellRuns> cells, Random random, CellRuns.Phase phase)
      throws InterruptedException {
    boolean isPlanned = phase == CellRuns.Phase.FIRST || phase == CellRuns.Phase.COUNTED;
    // What was measured is checked, however long it took.
    boolean isNeeded = phase == CellRuns.Phase.CLOSE_LOOK;
    long startNs = System.nanoTime();
    for (CellRuns cell : shuffled(cells, random)) {
      if (cell.wants(phase) && (isNeeded || hasTimeFor(0, groupNs))) {
        listener.running(cell.cell(), runsDone);
        cell.run(phase, runner);
        host.look();
        runsDone += isPlanned ? 1 : 0;
      }
    }
    roundNs = System.nanoTime() - startNs;
  }

  /// Whether so many more rounds end before the group has taken `limitNs`.
  private boolean hasTimeFor(int rounds, long limitNs) {
    return System.nanoTime() - groupStartNs + rounds * roundNs < limitNs;
  }

  private CellRuns begun(Cell cell) throws Failure {
    Contender contender = contenders.named(cell.contender());
    String nothing = "an empty file has nothing to measure";
    Optional<String> refusal =
        cell.fileBytes() == 0 ? Optional.of(nothing) : contender.refusal(cell);
    BenchSource source = null;
    if (refusal.isEmpty() && cell.experiment().needsFile()) {
      source = given == null ? workspace.source(cell.fileBytes()) : given;
    }
    CellRuns runs = new CellRuns(cell, contender, source, request.cellTimeNs());
    refusal.ifPresent(runs::refuse);
    return runs;
  }

  private CellResult ended(CellRuns cell) {
    if (cell.isIn()) {
      warnings.addAll(cell.warnings());
      if (!cell.isSourceUnchanged()) {
        cell.spoil(request.file() + " changed while it was measured");
      } else if (!cell.isMeasured()) {
        cell.refuse("no time was left for it; --time gives more");
      }
    }
    return cell.result();
  }

  /// The files that a group reads are there together, those that it writes one at a time.
  private void reserve(CellGroup group) throws Failure {
    Set<Long> sizes = new HashSet<>();
    long targetBytes = 0;
    for (Cell cell : group.cells()) {
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
