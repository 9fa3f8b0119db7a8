package dev.zcp.cli;

import dev.zcp.bench.Article;
import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.bench.Cell;
import dev.zcp.bench.Experiment;
import dev.zcp.bench.ExperimentPlan;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` that say what is measured.
final class BenchPlanOptions {

  /// In place of every experiment, and of every article.
  private static final String ALL = "all";

  /// What `EXPERIMENT` may be.
  static final List<String> WORDS = Lists.with(ALL, Experiment.words());

  private static final List<String> CACHES =
      Arrays.stream(Cell.Cache.values()).map(Cell.Cache::word).toList();

  /// The kernel doubles what it is asked for (socket(7)) and counts in an int.
  private static final long SOCKET_BUFFER_BYTES_MAX = 1L << 30;

  /// Where the summaries of [#listing] begin.
  private static final int SUMMARY_COLUMN = 17;

  private final OptionSpec article =
      Options.values(
              "LIST",
              "Run the tables of these articles, with their sizes, and set their figures beside"
                  + " ours: A1 (read), A2 (copy), A3, B and D (send), C (read, write, force), E"
                  + " (write, copy), or all.",
              "--article")
          .completionCandidates(Lists.with(ALL, Article.words()))
          .build();
  private final OptionSpec sizeScale =
      Options.value(
              "N",
              "Multiply the articles' file sizes by N: 0.1 takes about a tenth of the time. Calls"
                  + " keep their size.",
              "--size-scale")
          .build();
  private final OptionSpec strategy =
      Options.values(
              "LIST",
              "Measure these strategies, each with every chunk size, instead of all that serve."
                  + " Besides those of 'zcp strategies' there are fileStream, randomAccessFile,"
                  + " mappedOnce, mappedBuffer, and singleByte, which takes minutes.",
              "--strategy")
          .completionCandidates(new ContenderNames())
          .build();
  private final OptionSpec chunkSize =
      Options.values(
              "LIST",
              "Move at most so many bytes in one call: sizes such as 4K,1M, or 'whole'.",
              "--chunk-size")
          .build();
  private final OptionSpec size =
      Options.values(
              "LIST",
              "Make files of these sizes; 256M where nothing is said, 64M for force.",
              "--size")
          .build();
  private final OptionSpec cache =
      Options.values(
              "LIST",
              "Begin with the file in the page cache (warm), on its device (cold), or each in turn"
                  + " (warm,cold); for read, copy and send.",
              "--cache")
          .completionCandidates(CACHES)
          .build();
  private final OptionSpec socketBuffer =
      Options.value(
              "SIZE",
              "Ask the kernel for socket buffers of SIZE, to send and receive; the report has what"
                  + " it gave.",
              "--socket-buffer")
          .build();
  private final StrategyJars jars = new StrategyJars();

  void addTo(CommandSpec spec) {
    for (OptionSpec option :
        List.of(article, sizeScale, strategy, chunkSize, size, cache, socketBuffer)) {
      spec.addOption(option);
    }
    jars.addTo(spec);
  }

  /// @throws Failure USAGE if a jar named is missing or holds no strategy
  Strategies strategies() throws Failure {
    return jars.load();
  }

  /// The groups of the experiments, then those of the articles.
  ///
  /// @param operands the experiments as typed
  /// @param file a file of the user's own, or null
  /// @throws Failure USAGE if one is no value, or they do not fit together
  List<CellGroup> groups(List<String> operands, Strategies strategies, RawPath file)
      throws Failure {
    List<String> typed = operands.stream().map(RawText::printable).toList();
    List<Experiment> experiments = new ArrayList<>();
    for (String word : Lists.someOf(Experiment.words(), ALL, typed, "EXPERIMENT")) {
      experiments.add(Experiment.values()[Experiment.words().indexOf(word)]);
    }
    List<Article> articles = articles();
    if (experiments.isEmpty() && articles.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "EXPERIMENT is missing; there are" + listing());
    }
    refuseWhatIsOfNoUse(experiments, articles, file);
    ExperimentPlan plan =
        new ExperimentPlan(
            experiments,
            ContenderNames.proper(Lists.words(strategy), strategies),
            Lists.chunks(chunkSize),
            Lists.sizes(size),
            file,
            caches());
    List<CellGroup> groups = new ArrayList<>(plan.groups(strategies.all()));
    double scale = scale();
    articles.forEach(table -> groups.addAll(table.groups(scale)));
    return withSocketBuffer(groups);
  }

  private List<Article> articles() throws Failure {
    List<String> typed = Lists.words(article);
    if (typed.isEmpty() && Options.isGiven(sizeScale)) {
      throw Failure.of(
          ExitCode.USAGE, "--size-scale is for --article; --size gives experiments their size");
    }
    List<Article> articles = new ArrayList<>();
    for (String word : Lists.someOf(Article.words(), ALL, typed, article.longestName())) {
      articles.add(Article.valueOf(word));
    }
    return articles;
  }

  private double scale() throws Failure {
    String typed = Options.valueOf(sizeScale);
    if (typed == null) {
      return 1;
    }
    // Java would also take 1e3, 0x1p3 and 1d.
    boolean isDecimal =
        typed.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.')
            && typed.chars().filter(c -> c == '.').count() <= 1
            && typed.chars().anyMatch(c -> c != '.');
    double scale = isDecimal ? Double.parseDouble(typed) : Double.NaN;
    if (!Article.isPossible(scale)) {
      throw Failure.of(
          ExitCode.USAGE,
          sizeScale.longestName(),
          "'"
              + RawText.printable(typed)
              + "' is no factor: give one such as 0.1 or 2, at most "
              + (int) Article.SCALE_MAX);
    }
    return scale;
  }

  private List<Cell.Cache> caches() throws Failure {
    List<Cell.Cache> caches = new ArrayList<>();
    for (String typed : Lists.words(cache)) {
      String word = Lists.oneOf(CACHES, typed, cache.longestName());
      caches.add(Cell.Cache.values()[CACHES.indexOf(word)]);
    }
    return caches.stream().distinct().toList();
  }

  private void refuseWhatIsOfNoUse(
      List<Experiment> experiments, List<Article> articles, RawPath file) throws Failure {
    if (file != null && !articles.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "--file is for experiments, and an article has its own");
    }
    for (Experiment each : experiments) {
      if (file != null && !each.needsFile()) {
        throw Failure.of(ExitCode.USAGE, "--file is of no use to " + each.word());
      }
    }
    for (OptionSpec option : List.of(strategy, chunkSize, size, cache)) {
      if (experiments.isEmpty() && Options.isGiven(option)) {
        throw Failure.of(
            ExitCode.USAGE,
            option.longestName() + " is for experiments, and an article has its own");
      }
    }
    if (Options.isGiven(cache) && experiments.stream().noneMatch(Experiment::readsFile)) {
      throw Failure.of(ExitCode.USAGE, "--cache is for read, copy and send, which read a file");
    }
    if (file != null && Options.isGiven(size)) {
      throw Failure.of(ExitCode.USAGE, "--size is for files that are made, and --file names one");
    }
  }

  private List<CellGroup> withSocketBuffer(List<CellGroup> groups) throws Failure {
    String typed = Options.valueOf(socketBuffer);
    if (typed == null) {
      return groups;
    }
    long bytes = Lists.size(socketBuffer, RawText.printable(typed));
    if (bytes > SOCKET_BUFFER_BYTES_MAX) {
      throw Failure.of(ExitCode.USAGE, socketBuffer.longestName(), "1G is the most there can be");
    }
    List<CellGroup> changed = new ArrayList<>();
    for (CellGroup group : groups) {
      List<Cell> cells =
          group.cells().stream().map(cell -> cell.withSocketBuffer((int) bytes)).toList();
      changed.add(new CellGroup(group.title(), group.note(), cells));
    }
    if (changed.equals(groups)) {
      throw Failure.of(ExitCode.USAGE, "--socket-buffer is for send and receive");
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
}
