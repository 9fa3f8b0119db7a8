package dev.zcp.cli;

import dev.zcp.bench.Article;
import dev.zcp.bench.BenchOnly;
import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.bench.Cell;
import dev.zcp.bench.Content;
import dev.zcp.bench.Experiment;
import dev.zcp.bench.ExperimentPlan;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// The options of `zcp bench` that say what is measured, how, and with which files.
final class BenchOptions extends Options {

  /// In place of every experiment, and of every article.
  private static final String ALL = "all";

  private static final List<String> EXPERIMENTS = Words.of(Experiment.values());

  static final List<String> WORDS = with(ALL, EXPERIMENTS);

  /// The kernel doubles what it is asked for (socket(7)) and counts in an int.
  private static final long SOCKET_BUFFER_BYTES_MAX = 1L << 30;

  /// Where the summaries of [#listing] begin.
  private static final int SUMMARY_COLUMN = 17;

  static final int RUNS_MAX = 1000;

  /// What somebody waits for who just wants to know.
  static final long TIME_NS = 60_000_000_000L;

  /// Short enough to be typed again.
  private static final int RANDOM_SEED_MAX = 1_000_000;

  private final Option article = several("--article=LIST", with(ALL, Article.words()));
  private final Option sizeScale = option("--size-scale=N");
  private final Option strategy = several("--strategy=LIST", () -> contenders().iterator());
  private final Option chunkSize = several("--chunk-size=LIST", null);
  private final Option size = several("--size=LIST", null);
  private final Option cache = several("--cache=LIST", Words.of(Cell.Cache.values()));
  private final Option socketBuffer = option("--socket-buffer=SIZE");
  private final Option jars = strategyPath();
  private final Option time = option("--time=TIME");
  private final Option runs = option("--runs=N", "10");
  private final Option cellTime = option("--cell-time=TIME", "60s");
  private final Option seed = option("--seed=N");
  private final Option directory = option("--dir=DIRECTORY", ".");
  private final Option file = option("--file=FILE");
  private final Option content =
      option("--content=KIND", "random", Words.of(Content.ContentKind.values()));
  private final Option strace = option("--strace");

  /// Null until they are loaded.
  private Strategies strategies;

  Strategies strategies() throws Failure {
    strategies = strategies == null ? load(jars) : strategies;
    return strategies;
  }

  /// @param operands the experiments as typed
  /// @param command the command line, for the record
  BenchRequest request(List<String> operands, String command) throws Failure {
    RawPath userFile = pathOf(file);
    return new BenchRequest(
        groups(operands, userFile),
        command,
        Version.NUMBER,
        pathOf(directory),
        userFile,
        constant(content, Content.ContentKind.values()),
        timeNs(),
        (int) number(runs, 1, RUNS_MAX, ""),
        elapsedNs(cellTime),
        seed(seed),
        isSet(strace));
  }

  /// A table of an article has as many runs as its own figures need.
  private long timeNs() throws Failure {
    if (isGiven(time)) {
      return elapsedNs(time);
    }
    return isGiven(article) ? BenchRequest.UNLIMITED : TIME_NS;
  }

  static long seed(Option seed) throws Failure {
    return valueOf(seed) == null
        ? ThreadLocalRandom.current().nextInt(RANDOM_SEED_MAX)
        : number(seed, 0, Long.MAX_VALUE, "");
  }

  /// The groups of the experiments, then those of the articles.
  ///
  /// @param file a file of the user's own, or null
  private List<CellGroup> groups(List<String> operands, RawPath file) throws Failure {
    List<String> typed = operands.stream().map(RawText::printable).toList();
    List<Experiment> experiments = new ArrayList<>();
    for (String word : someOf(EXPERIMENTS, ALL, typed, "EXPERIMENT")) {
      experiments.add(Experiment.values()[EXPERIMENTS.indexOf(word)]);
    }
    List<Article> articles = articles();
    if (experiments.isEmpty() && articles.isEmpty()) {
      throw usage("EXPERIMENT is missing; there are" + listing());
    }
    refuseWhatIsOfNoUse(experiments, file);
    ExperimentPlan plan =
        new ExperimentPlan(
            experiments,
            strategyNames(),
            sizes(chunkSize, true),
            sizes(size, false),
            file,
            caches());
    List<CellGroup> groups = new ArrayList<>(plan.groups(strategies().all()));
    double scale = scale();
    articles.forEach(table -> groups.addAll(table.groups(scale)));
    return withSocketBuffer(groups);
  }

  private List<Article> articles() throws Failure {
    List<String> typed = words(article);
    if (typed.isEmpty() && isGiven(sizeScale)) {
      throw usage("--size-scale is for --article; --size gives experiments their size");
    }
    List<Article> articles = new ArrayList<>();
    for (String word : someOf(Article.words(), ALL, typed, article.longestName())) {
      articles.add(Article.valueOf(word));
    }
    return articles;
  }

  private double scale() throws Failure {
    String typed = valueOf(sizeScale);
    if (typed == null) {
      return 1;
    }
    // Java would also take 1e3, 0x1p3 and 1d.
    double scale =
        typed.matches("[0-9]+\\.?[0-9]*|\\.[0-9]+") ? Double.parseDouble(typed) : Double.NaN;
    if (!Article.isPossible(scale)) {
      throw usage(
          sizeScale,
          "'"
              + RawText.printable(typed)
              + "' is not a factor: give one such as 0.1 or 2, at most "
              + (int) Article.SCALE_MAX);
    }
    return scale;
  }

  private List<Cell.Cache> caches() throws Failure {
    Set<Cell.Cache> caches = new LinkedHashSet<>();
    for (String typed : words(cache)) {
      List<String> known = Words.of(Cell.Cache.values());
      caches.add(Cell.Cache.values()[known.indexOf(oneOf(known, typed, cache.longestName()))]);
    }
    return List.copyOf(caches);
  }

  private void refuseWhatIsOfNoUse(List<Experiment> experiments, RawPath file) throws Failure {
    for (Experiment each : experiments) {
      if (file != null && !each.needsFile()) {
        throw usage("--file is of no use to " + each.word());
      }
    }
    for (Option option : List.of(strategy, chunkSize, size, cache)) {
      if (experiments.isEmpty() && isGiven(option)) {
        throw usage(option.longestName() + " is for experiments, and an article has its own");
      }
    }
    if (isGiven(cache) && experiments.stream().noneMatch(Experiment::readsFile)) {
      throw usage("--cache is for read, copy and send, which read a file");
    }
  }

  private List<CellGroup> withSocketBuffer(List<CellGroup> groups) throws Failure {
    if (!isGiven(socketBuffer)) {
      return groups;
    }
    long bytes = bytes(socketBuffer, 1, Long.MAX_VALUE);
    if (bytes > SOCKET_BUFFER_BYTES_MAX) {
      throw usage(socketBuffer, "1G is the most there can be");
    }
    List<CellGroup> changed =
        groups.stream()
            .map(group -> group.with(cell -> cell.withSocketBuffer((int) bytes)))
            .toList();
    if (changed.equals(groups)) {
      throw usage("--socket-buffer is for send and receive");
    }
    return changed;
  }

  /// What there is to measure, each on a line of its own.
  private static String listing() {
    StringBuilder listing = new StringBuilder();
    for (Experiment experiment : Experiment.values()) {
      entry(listing, experiment.word(), experiment.summary());
    }
    entry(listing, ALL, "all of these");
    for (Article table : Article.values()) {
      entry(listing, "--article=" + table, table.summary());
    }
    entry(listing, "--article=" + ALL, "all of these");
    return listing.toString();
  }

  private static void entry(StringBuilder listing, String word, String summary) {
    int blanks = SUMMARY_COLUMN - 2 - word.length();
    listing.append("\n  ").append(word).repeat(' ', blanks).append(summary);
  }

  /// Proper names for what was typed, each once.
  private List<String> strategyNames() throws Failure {
    Set<String> names = new LinkedHashSet<>();
    for (String name : words(strategy)) {
      names.add(proper(name));
    }
    return List.copyOf(names);
  }

  private String proper(String typed) throws Failure {
    if (typed.equalsIgnoreCase(Choice.AUTO)) {
      return Choice.AUTO;
    }
    Optional<BenchOnly> own = BenchOnly.named(typed);
    if (own.isPresent()) {
      return own.get().word();
    }
    try {
      return strategies().named(typed).name();
    } catch (Failure e) {
      List<String> all = new ArrayList<>(List.of(Choice.AUTO));
      all.addAll(strategies().names());
      all.addAll(BenchOnly.words());
      String hint = Nearest.to(typed, all).map(n -> "; did you mean " + n + "?").orElse("");
      throw usage("--strategy: there is no '" + typed + "'" + hint)
          .with("one of: " + String.join(", ", all))
          .because(e);
    }
  }

  /// The words that `--strategy` takes here: those of the other commands, and those that only the
  /// benchmark has.
  private static List<String> contenders() {
    List<String> names = TransferOptions.strategyNames();
    names.addAll(BenchOnly.words());
    return names;
  }
}
