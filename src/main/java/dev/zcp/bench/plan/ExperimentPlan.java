package dev.zcp.bench.plan;

import dev.zcp.core.ByteSize;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The plan of experiments: who competes unasked, and in which sizes.
///
/// What is measured unasked answers two questions in about a minute for each experiment: which
/// strategy is fastest here as it comes, and what does the size of a call do. So there is each
/// strategy with its own size, one strategy with several sizes, and the ways of the articles with
/// one size that many programs use; not every strategy with every size, which would say little more
/// and take ten times as long. Whoever names strategies or sizes gets all their combinations.
public final class ExperimentPlan {

  /// Larger than a processor's cache, smaller than the memory of any machine; 16 runs of a cell
  /// take some three seconds.
  static final long FILE_BYTES = 256L << 20;

  /// A quarter of it where each run waits for the device.
  static final long FORCED_FILE_BYTES = 64L << 20;

  /// A page, the buffer of many programs, what is nearly free of the cost of calls, and the folly
  /// of holding all of a file.
  private static final List<Long> CHUNKS_BYTES =
      List.of(4L << 10, 64L << 10, 1L << 20, Choice.WHOLE);

  /// The strategy that shows what the size of a call does: nothing else differs between its sizes.
  private static final String SWEPT = "direct";

  /// What each [BenchOnly] and everyone in [Experiment#FORCE] moves in one call unasked.
  private static final long CALL_BYTES = 64L << 10;

  /// Writing a file that is forced: through the page cache and through a mapping.
  private static final List<String> FORCED = List.of(SWEPT, BenchOnly.MAPPED_ONCE.word());

  /// Never, to compare with; once; now and then; often; and often beside the writing.
  private static final List<Forcing> FORCINGS =
      List.of(
          Forcing.NEVER,
          Forcing.AT_THE_END,
          new Forcing(16L << 20, false),
          new Forcing(1L << 20, false),
          new Forcing(1L << 20, true));

  private final Selection selection;
  private final Collection<TransferStrategy> strategies;

  private ExperimentPlan(Selection selection, Collection<TransferStrategy> strategies) {
    this.selection = selection;
    this.strategies = strategies;
  }

  /// A group for each experiment, size of the file and state of the cache, in that order.
  ///
  /// @param strategies all there are
  public static List<Plan.Group> of(Selection selection, Collection<TransferStrategy> strategies) {
    ExperimentPlan plan = new ExperimentPlan(selection, strategies);
    List<Plan.Group> groups = new ArrayList<>();
    for (Experiment experiment : selection.experiments()) {
      for (long fileBytes : plan.sizes(experiment)) {
        for (Cache cache : plan.caches(experiment)) {
          groups.add(
              new Plan.Group(
                  plan.title(experiment, fileBytes, cache),
                  "",
                  plan.cells(experiment, fileBytes, cache)));
        }
      }
    }
    return groups;
  }

  private String title(Experiment experiment, long fileBytes, Cache cache) {
    RawPath file = selection.file();
    String what = file == null ? new ByteSize(fileBytes).toString() : file.toString();
    String title = experiment.word() + " " + what;
    return experiment.readsFile() ? title + ", " + cache.word() : title;
  }

  private List<Long> sizes(Experiment experiment) {
    if (!selection.fileBytes().isEmpty()) {
      return selection.fileBytes();
    }
    return List.of(experiment == Experiment.FORCE ? FORCED_FILE_BYTES : FILE_BYTES);
  }

  private List<Cache> caches(Experiment experiment) {
    boolean asked = experiment.readsFile() && !selection.caches().isEmpty();
    return asked ? selection.caches() : List.of(Cache.WARM);
  }

  private List<Cell> cells(Experiment experiment, long fileBytes, Cache cache) {
    List<Cell> cells = new ArrayList<>();
    for (Entry entry : entries(experiment)) {
      for (Forcing forcing : forcings(experiment, fileBytes)) {
        cells.add(
            new Cell(
                experiment,
                entry.contender(),
                entry.chunkBytes(),
                fileBytes,
                cache,
                forcing,
                Peer.FAST,
                0,
                Claim.NONE));
      }
    }
    return cells;
  }

  /// Each that comes to the same as another is left out: it would be its own rival.
  private static List<Forcing> forcings(Experiment experiment, long fileBytes) {
    if (experiment != Experiment.FORCE) {
      return List.of(Forcing.NEVER);
    }
    return FORCINGS.stream().map(forcing -> forcing.of(fileBytes)).distinct().toList();
  }

  /// A contender and the size of its calls.
  private record Entry(String contender, long chunkBytes) {}

  private List<Entry> entries(Experiment experiment) {
    boolean isForce = experiment == Experiment.FORCE;
    if (selection.contenders().isEmpty() && selection.chunkBytes().isEmpty() && !isForce) {
      return unasked(experiment);
    }
    List<Entry> entries = new ArrayList<>();
    for (String contender : contenders(experiment)) {
      if (contender.equals(BenchOnly.SINGLE_BYTE.word())) {
        // It has but one size.
        entries.add(new Entry(contender, Choice.ADAPTIVE));
        continue;
      }
      for (long chunkBytes : chunks(isForce)) {
        entries.add(new Entry(contender, chunkBytes));
      }
    }
    return entries;
  }

  private List<Entry> unasked(Experiment experiment) {
    List<Entry> entries = new ArrayList<>();
    if (isJobOfTheProduct(experiment)) {
      // Whether its estimate is right here is what many will want to know.
      entries.add(new Entry(Choice.AUTO, Choice.ADAPTIVE));
    }
    for (String name : serving(experiment)) {
      entries.add(new Entry(name, Choice.ADAPTIVE));
      if (name.equals(SWEPT)) {
        CHUNKS_BYTES.forEach(chunkBytes -> entries.add(new Entry(name, chunkBytes)));
      }
    }
    for (String name : benchOnly(experiment)) {
      entries.add(new Entry(name, CALL_BYTES));
    }
    return entries;
  }

  private List<String> contenders(Experiment experiment) {
    if (!selection.contenders().isEmpty()) {
      return selection.contenders();
    }
    if (experiment == Experiment.FORCE) {
      return FORCED;
    }
    List<String> contenders = new ArrayList<>(serving(experiment));
    contenders.addAll(benchOnly(experiment));
    return contenders;
  }

  private List<Long> chunks(boolean isForce) {
    if (!selection.chunkBytes().isEmpty()) {
      return selection.chunkBytes();
    }
    if (isForce) {
      return List.of(CALL_BYTES);
    }
    List<Long> chunks = new ArrayList<>(List.of(Choice.ADAPTIVE));
    chunks.addAll(CHUNKS_BYTES);
    return chunks;
  }

  private static boolean isJobOfTheProduct(Experiment experiment) {
    return switch (experiment) {
      case COPY, SEND, RECEIVE -> true;
      case READ, WRITE, FORCE -> false;
    };
  }

  private List<String> serving(Experiment experiment) {
    return strategies.stream()
        .filter(strategy -> strategy.judge(experiment.route()) instanceof Verdict.Usable)
        .map(TransferStrategy::name)
        .toList();
  }

  private static List<String> benchOnly(Experiment experiment) {
    List<String> words = new ArrayList<>();
    for (BenchOnly each : BenchOnly.values()) {
      if (each.serves(experiment) && each.isMeasuredUnasked()) {
        words.add(each.word());
      }
    }
    return words;
  }
}
