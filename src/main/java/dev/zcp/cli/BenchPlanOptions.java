package dev.zcp.cli;

import dev.zcp.bench.plan.Article;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.plan.ExperimentPlan;
import dev.zcp.bench.plan.Plan;
import dev.zcp.bench.plan.Selection;
import dev.zcp.bench.plan.SizeScale;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` that say what is measured.
final class BenchPlanOptions {

  /// In place of every experiment, and of every article.
  static final String ALL = "all";

  /// What `EXPERIMENT` may be.
  static final List<String> WORDS = Lists.with(ALL, Experiment.words());

  /// The kernel doubles what it is asked for (socket(7)) and counts in an int.
  private static final long SOCKET_BUFFER_BYTES_MAX = 1L << 30;

  /// Where the summaries of [#listing] begin.
  private static final int SUMMARY_COLUMN = 17;

  private final ArticleOptions articles = new ArticleOptions();
  private final SelectionOptions cells = new SelectionOptions();
  private final StrategyJars jars = new StrategyJars();
  private final OptionSpec socketBuffer =
      Options.value(
              "SIZE",
              "Ask the kernel for socket buffers of SIZE, to send and receive; the report has what"
                  + " it gave.",
              "--socket-buffer")
          .build();

  void addTo(CommandSpec spec) {
    articles.addTo(spec);
    cells.addTo(spec);
    spec.addOption(socketBuffer);
    jars.addTo(spec);
  }

  /// @throws Failure USAGE where a jar named is missing or holds no strategy
  Strategies strategies() throws Failure {
    return jars.load();
  }

  /// The groups of the experiments, then those of the articles.
  ///
  /// @param operands the experiments as typed
  /// @param file a file of the user's own, or null
  /// @throws Failure USAGE where one is no value, or they do not fit together
  Plan plan(List<String> operands, Strategies strategies, RawPath file) throws Failure {
    List<Experiment> experiments = experiments(operands);
    List<Article> tables = articles.articles();
    if (experiments.isEmpty() && tables.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "EXPERIMENT is missing; there are" + listing());
    }
    if (file != null) {
      refuseFile(experiments, tables);
    }
    Selection selection = cells.selection(experiments, strategies, file);
    List<Plan.Group> groups = new ArrayList<>(ExperimentPlan.of(selection, strategies.all()));
    SizeScale scale = articles.scale();
    for (Article table : tables) {
      groups.addAll(table.groups(scale));
    }
    return withSocketBuffer(new Plan(groups));
  }

  private static List<Experiment> experiments(List<String> operands) throws Failure {
    List<String> typed = operands.stream().map(RawText::printable).toList();
    List<Experiment> experiments = new ArrayList<>();
    for (String word : Lists.someOf(Experiment.words(), ALL, typed, "EXPERIMENT")) {
      experiments.add(Experiment.values()[Experiment.words().indexOf(word)]);
    }
    return experiments;
  }

  private static void refuseFile(List<Experiment> experiments, List<Article> tables)
      throws Failure {
    if (!tables.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "--file is for experiments, and an article has its own");
    }
    for (Experiment each : experiments) {
      if (!each.needsFile()) {
        throw Failure.of(ExitCode.USAGE, "--file is of no use to " + each.word());
      }
    }
  }

  private Plan withSocketBuffer(Plan plan) throws Failure {
    String typed = Options.valueOf(socketBuffer);
    if (typed == null) {
      return plan;
    }
    long bytes = Lists.size(socketBuffer, RawText.printable(typed));
    if (bytes > SOCKET_BUFFER_BYTES_MAX) {
      throw Failure.of(ExitCode.USAGE, socketBuffer.longestName(), "1G is the most there can be");
    }
    List<Plan.Group> groups = new ArrayList<>();
    boolean isOfUse = false;
    for (Plan.Group group : plan.groups()) {
      List<Cell> changed =
          group.cells().stream().map(cell -> cell.withSocketBuffer((int) bytes)).toList();
      isOfUse |= !changed.equals(group.cells());
      groups.add(new Plan.Group(group.title(), group.note(), changed));
    }
    if (!isOfUse) {
      throw Failure.of(ExitCode.USAGE, "--socket-buffer is for send and receive");
    }
    return new Plan(groups);
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
    listing
        .append("\n  ")
        .append(word)
        .repeat(' ', SUMMARY_COLUMN - 2 - word.length())
        .append(summary);
  }
}
