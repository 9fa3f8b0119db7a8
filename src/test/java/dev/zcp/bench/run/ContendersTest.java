package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.ContentKind;
import dev.zcp.bench.plan.Cache;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Claim;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.plan.Forcing;
import dev.zcp.bench.plan.Peer;
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
    names.addAll(
        List.of(
            Choice.AUTO,
            FileStreamContender.NAME,
            SingleByteContender.NAME,
            RandomAccessFileContender.NAME,
            MappedOnceContender.NAME,
            MappedBufferContender.NAME));
    return Stream.of(Experiment.values())
        .flatMap(experiment -> names.stream().map(name -> Arguments.of(experiment, name)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("pairs")
  void allBytesArriveAndTheyAreTheRightOnes(Experiment experiment, String name) throws Exception {
    Contenders contenders = Contenders.of(Strategies.load(List.of()));
    MadeContent content = new MadeContent(ContentKind.RANDOM, Requests.SEED);
    try (Workshop workshop = Workshop.open(RawPath.of(dir), content)) {
      Lane lane = new Lane(new ThisHost(false), Requests.CELL_NS_MAX);
      Trial trial =
          new Trial(lane, workshop, new CacheState(new ThisHost(false)), contenders.strategies());
      for (long size : SIZES) {
        for (long chunk : CHUNKS) {
          if (size <= SMALL_BYTES_MAX || chunk == 0 || chunk >= SMALL_BYTES_MAX - 1) {
            run(trial, workshop, contenders.named(name), cell(experiment, name, chunk, size));
          }
        }
      }
    }
    assertThat(dir).isEmptyDirectory();
  }

  private static Cell cell(Experiment experiment, String name, long chunk, long size) {
    Forcing forcing =
        experiment == Experiment.FORCE ? new Forcing(4096, size % 2 == 0) : Forcing.NEVER;
    Peer peer = new Peer(2048, size % 2 == 0);
    return new Cell(experiment, name, chunk, size, Cache.WARM, forcing, peer, 0, Claim.NONE);
  }

  private static void run(Trial trial, Workshop workshop, Contender contender, Cell cell)
      throws Exception {
    if (contender.refusal(cell).isPresent()) {
      assertThat(contender).isNotInstanceOf(StrategyContender.class);
      return;
    }
    boolean reads = cell.experiment() != Experiment.WRITE && cell.experiment() != Experiment.FORCE;
    Original original = reads ? workshop.original(cell.fileBytes()) : null;
    Meter meter = new Meter(new StageBook(0), new StageBook(0));
    Verdict verdict = trial.run(new Trial.Job(cell, contender, original, meter, Purpose.LOOK));
    switch (verdict) {
      case Verdict.Done _ ->
          assertThat(meter.calls() > 0).as("%s", cell).isEqualTo(cell.fileBytes() > 0);
      case Verdict.Refused(String reason) ->
          assertThat(serves(cell.experiment(), cell.contender()))
              .as("%s: %s", cell, reason)
              .isFalse();
      case Verdict.Failed(String message) -> throw new AssertionError(cell + ": " + message);
    }
    assertThat(left(workshop)).allMatch(name -> name.startsWith("source-"));
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

  private static List<String> left(Workshop workshop) throws IOException {
    try (Stream<Path> files = Files.list(workshop.directory())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
