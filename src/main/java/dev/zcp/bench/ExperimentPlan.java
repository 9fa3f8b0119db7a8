package dev.zcp.bench;

import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.core.ByteSize;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.engine.Choice;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// Which cells of the experiments to measure. An empty list leaves its choice to the plan.
///
/// What is measured unasked answers two questions for each experiment: which strategy is fastest
/// here as it comes, and what does the size of a call do. Whoever names strategies or sizes gets
/// all their combinations.
///
/// @param experiments what to do, in the order of the report
/// @param contenders proper names of strategies, of [BenchOnly], and `auto`; one that cannot serve
///   an experiment is in the plan all the same, for the report to say why not
/// @param chunkBytes sizes of one call, as in [Cell#chunkBytes]
/// @param fileBytes sizes of the files that are made
/// @param file a file of the user's own in place of made ones, or null; its size is found out by
///   who runs the plan
/// @param caches where the source's bytes are, of experiments that [read a
///   file][Experiment#readsFile]; others pay no heed to it
public record ExperimentPlan(
    List<Experiment> experiments,
    List<String> contenders,
    List<Long> chunkBytes,
    List<Long> fileBytes,
    RawPath file,
    List<Cell.Cache> caches) {

  /// Larger than a processor's cache, smaller than the memory of any machine; 16 runs of a cell
  /// take some three seconds.
  static final long FILE_BYTES = 256L << 20;

  /// A quarter of it if each run waits for the device.
  static final long FORCED_FILE_BYTES = 64L << 20;

  /// The contender's own, a page, the buffer of many programs, what is nearly free of the cost of
  /// calls, and the folly of holding all of a file.
  private static final List<Long> ALL_CHUNKS_BYTES =
      List.of(Choice.ADAPTIVE, 4L << 10, 64L << 10, 1L << 20, Choice.WHOLE);

  /// The strategy that shows what the size of a call does: nothing else differs between its sizes.
  private static final String SWEPT = "direct";

  /// What each [BenchOnly] and everyone in [Experiment#FORCE] moves in one call unasked.
  private static final long CALL_BYTES = 64L << 10;

  private static final List<String> FORCED = List.of(SWEPT, BenchOnly.MAPPED_ONCE.word());

  /// Never, to compare with; once; now and then; often; and often beside the writing.
  private static final List<Cell.ForceRule> FORCINGS =
      List.of(
          Cell.ForceRule.NEVER,
          Cell.ForceRule.AT_THE_END,
          new Cell.ForceRule(16L << 20, false),
          new Cell.ForceRule(1L << 20, false),
          new Cell.ForceRule(1L << 20, true));

  /// A group for each experiment, size of the file and state of the cache, in that order.
  ///
  /// @param strategies all there are
  public List<CellGroup> groups(Collection<TransferStrategy> strategies) {
    List<CellGroup> groups = new ArrayList<>();
    for (Experiment experiment : experiments) {
      for (long size : sizes(experiment)) {
        for (Cell.Cache cache : cachesOf(experiment)) {
          String what = file == null ? new ByteSize(size).toString() : file.toString();
          String title = experiment.word() + " " + what;
          List<Cell> cells = new ArrayList<>();
          for (Call call : calls(experiment, strategies)) {
            for (Cell.ForceRule forcing : forcings(experiment, size)) {
              String name = call.contender();
              cells.add(
                  new Cell(
                      experiment,
                      name,
                      call.chunkBytes(),
                      size,
                      cache,
                      forcing,
                      Cell.Peer.FAST,
                      0,
                      Cell.ArticleClaim.NONE));
            }
          }
          groups.add(
              new CellGroup(
                  experiment.readsFile() ? title + ", " + Words.of(cache) : title, "", cells));
        }
      }
    }
    return groups;
  }

  private List<Long> sizes(Experiment experiment) {
    if (!fileBytes.isEmpty()) {
      return fileBytes;
    }
    return List.of(experiment == Experiment.FORCE ? FORCED_FILE_BYTES : FILE_BYTES);
  }

  private List<Cell.Cache> cachesOf(Experiment experiment) {
    boolean asked = experiment.readsFile() && !caches.isEmpty();
    return asked ? caches : List.of(Cell.Cache.WARM);
  }

  /// Each that comes to the same as another is left out: it would be its own rival.
  private static List<Cell.ForceRule> forcings(Experiment experiment, long size) {
    return experiment == Experiment.FORCE
        ? FORCINGS.stream().map(each -> each.of(size)).distinct().toList()
        : List.of(Cell.ForceRule.NEVER);
  }

  private record Call(String contender, long chunkBytes) {}

  private List<Call> calls(Experiment experiment, Collection<TransferStrategy> strategies) {
    boolean isForce = experiment == Experiment.FORCE;
    if (contenders.isEmpty() && chunkBytes.isEmpty() && !isForce) {
      return unasked(experiment, strategies);
    }
    List<String> names = new ArrayList<>(contenders.isEmpty() && isForce ? FORCED : contenders);
    if (names.isEmpty()) {
      names.addAll(serving(experiment, strategies));
      names.addAll(benchOnly(experiment));
    }
    List<Long> chunks = new ArrayList<>(chunkBytes);
    if (chunks.isEmpty()) {
      chunks.addAll(isForce ? List.of(CALL_BYTES) : ALL_CHUNKS_BYTES);
    }
    List<Call> calls = new ArrayList<>();
    for (String name : names) {
      // A single byte is but one size.
      boolean hasSizes = !name.equals(BenchOnly.SINGLE_BYTE.word());
      for (long bytes : hasSizes ? chunks : List.of(Choice.ADAPTIVE)) {
        calls.add(new Call(name, bytes));
      }
    }
    return calls;
  }

  private static List<Call> unasked(
      Experiment experiment, Collection<TransferStrategy> strategies) {
    List<Call> calls = new ArrayList<>();
    if (experiment.isJobOfTheProduct()) {
      // Whether its estimate is right here is what many will want to know.
      calls.add(new Call(Choice.AUTO, Choice.ADAPTIVE));
    }
    for (String name : serving(experiment, strategies)) {
      List<Long> chunks = name.equals(SWEPT) ? ALL_CHUNKS_BYTES : List.of(Choice.ADAPTIVE);
      chunks.forEach(bytes -> calls.add(new Call(name, bytes)));
    }
    benchOnly(experiment).forEach(name -> calls.add(new Call(name, CALL_BYTES)));
    return calls;
  }

  private static List<String> serving(
      Experiment experiment, Collection<TransferStrategy> strategies) {
    return strategies.stream()
        .filter(strategy -> strategy.judge(experiment.route()) instanceof Verdict.Usable)
        .map(TransferStrategy::name)
        .toList();
  }

  private static List<String> benchOnly(Experiment experiment) {
    return Stream.of(BenchOnly.values())
        .filter(each -> each.serves(experiment) && each.isMeasuredUnasked())
        .map(BenchOnly::word)
        .toList();
  }
}
