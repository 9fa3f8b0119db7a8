package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.StageBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every contender that serves an experiment puts the right bytes, all of them, at the other end.
@Timeout(300)
class ContendersTest {

  private static final long SMALL_BYTES_MAX = 4097;
  private static final long[] SIZES = {0, 1, 4095, 4096, 4097, (1 << 20) + 7};
  private static final long[] CHUNKS = {1, 7, 4096, Choice.ADAPTIVE, Choice.WHOLE};

  @TempDir Path dir;

  static Stream<Arguments> pairs() throws Exception {
    List<String> names = new ArrayList<>(Strategies.load(List.of()).names());
    names.add(Choice.AUTO);
    names.addAll(BenchOnly.words());
    return Stream.of(Experiment.values())
        .flatMap(experiment -> names.stream().map(name -> Arguments.of(experiment, name)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("pairs")
  void allBytesArriveAndTheyAreTheRightOnes(Experiment experiment, String name) throws Exception {
    Bench.Contenders contenders = new Bench.Contenders(Strategies.load(List.of()), List.of());
    Content.Generated content = new Content.Generated(Content.ContentKind.RANDOM, Requests.SEED);
    try (Workspace workspace = Workspace.open(RawPath.of(dir), content)) {
      BenchThread thread = new BenchThread(new Host(false), Requests.CELL_NS_MAX);
      CellRunner runner = new CellRunner(thread, workspace, contenders.strategies());
      for (long size : SIZES) {
        for (long chunk : CHUNKS) {
          if (size <= SMALL_BYTES_MAX || chunk == 0 || chunk >= SMALL_BYTES_MAX - 1) {
            run(runner, workspace, contenders.named(name), cell(experiment, name, chunk, size));
          }
        }
      }
    }
    assertThat(dir).isEmptyDirectory();
  }

  private static Cell cell(Experiment experiment, String name, long chunk, long size) {
    Cell.ForceRule forcing =
        experiment == Experiment.FORCE
            ? new Cell.ForceRule(4096, size % 2 == 0)
            : Cell.ForceRule.NEVER;
    Cell.Peer peer = new Cell.Peer(2048, size % 2 == 0);
    return new Cell(
        experiment, name, chunk, size, Cell.Cache.WARM, forcing, peer, 0, Cell.ArticleClaim.NONE);
  }

  private static void run(CellRunner runner, Workspace workspace, Contender contender, Cell cell)
      throws Exception {
    if (contender.refusal(cell).isPresent()) {
      assertThat(contender).isNotInstanceOf(StrategyContender.class);
      return;
    }
    boolean reads = cell.experiment() != Experiment.WRITE && cell.experiment() != Experiment.FORCE;
    BenchSource original = reads ? workspace.source(cell.fileBytes()) : null;
    Meter meter = new Meter(new StageBook(0), new StageBook(0));
    CellRuns runs = new CellRuns(cell, contender, original, Requests.CELL_NS_MAX);
    runner.run(runs, CellRuns.Phase.CLOSE_LOOK, meter);
    if (runs.isIn()) {
      assertThat(meter.calls() > 0).as("%s", cell).isEqualTo(cell.fileBytes() > 0);
    } else {
      assertThat(runs.result()).isInstanceOf(CellResult.Refused.class);
      assertThat(serves(cell.experiment(), cell.contender())).as("%s", runs.result()).isFalse();
    }
    assertThat(left(workspace)).allMatch(name -> name.startsWith("source-"));
  }

  /// What must not be refused, or the contract above would hold of nothing.
  private static boolean serves(Experiment experiment, String name) {
    return switch (name) {
      case "stream", "heap", "direct", "mmap", "auto" -> true;
      case "transferTo" ->
          experiment == Experiment.COPY
              || experiment == Experiment.SEND
              || experiment == Experiment.RECEIVE;
      case "copyFileRange" -> experiment == Experiment.COPY;
      case "splice" -> experiment == Experiment.SEND || experiment == Experiment.RECEIVE;
      case "reflink" -> false;
      default -> true;
    };
  }

  private static List<String> left(Workspace workspace) throws IOException {
    try (Stream<Path> files = Files.list(workspace.directory())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
