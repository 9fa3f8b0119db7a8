package dev.zcp.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Prose;
import dev.zcp.core.Rate;
import dev.zcp.core.Scale;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.report.LatencyTable.StageRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Several runs side by side, by the names of their files. Runs of one kind are taken together:
/// those of one file, and of files whose names differ only in a number at the end. Two kinds differ
/// by more than chance if all runs of one are faster than all runs of the other.
public final class RunComparison {

  static final String HOW =
      "A rate is the bytes of a run by its time. A percentile of a kind is that of the samples of"
          + " all its runs. A difference exceeds the spread if there are at least two runs of both"
          + " kinds, and each run of one kind is beyond each run of the other.";

  /// `before` of `before2.json` and `before-2.json`.
  private static final Pattern STEM = Pattern.compile("(.*\\p{L})[-_.]?[0-9]+(\\.[^./]*)?");

  private final List<RunKind> kinds;

  /// @param sign how it is called here: `before.json`, `before*.json`
  private record RunKind(String sign, List<SavedRun> runs) {

    double[] rates() {
      return runs.stream().mapToDouble(run -> run.rate().bytesPerSecond()).sorted().toArray();
    }

    double[] elapsedNs() {
      return runs.stream().mapToDouble(run -> run.result().elapsedNs()).sorted().toArray();
    }

    String what() {
      Result result = runs.getFirst().result();
      String moved = Prose.count(result.filesDone(), "file") + ", " + new ByteSize(result.bytes());
      return result.command() + ", " + moved + ", " + result.strategyAsked();
    }

    Map<String, StageRow> stages() {
      Map<String, StageRow> stages = new LinkedHashMap<>();
      for (SavedRun run : runs) {
        for (StageRow row : run.rows()) {
          // Such a row explains the one above it, and here it may stand below another.
          if (!row.label().equals(LatencyTable.CORRECTED)) {
            stages.merge(row.name(), row, RunKind::sum);
          }
        }
      }
      return stages;
    }

    /// A percentile of each run that has enough samples of a stage, sorted.
    double[] percentiles(String stage, double percent) {
      return runs.stream()
          .flatMap(run -> run.rows().stream())
          .filter(row -> row.name().equals(stage))
          .filter(row -> LatencyTable.hasPercentile(row.latencies(), percent))
          .mapToDouble(row -> row.latencies().percentileNs(percent))
          .sorted()
          .toArray();
    }

    private static StageRow sum(StageRow one, StageRow other) {
      return new StageRow(one.label(), one.side(), one.latencies().plus(other.latencies()));
    }
  }

  private RunComparison(List<RunKind> kinds) {
    this.kinds = kinds;
  }

  /// @param runs at least one
  public static RunComparison of(List<SavedRun> runs) {
    Map<String, List<SavedRun>> groups = by(runs, run -> sign(run.file()));
    if (groups.size() == 1) {
      groups = by(runs, SavedRun::file);
    }
    boolean isLong =
        groups.keySet().stream().map(RunComparison::name).distinct().count() < groups.size();
    List<RunKind> kinds = new ArrayList<>();
    groups.forEach(
        (sign, group) -> {
          boolean isOne = group.stream().map(SavedRun::file).distinct().count() == 1;
          String whole = isOne ? group.getFirst().file() : sign;
          kinds.add(new RunKind(Chart.label(isLong ? whole : name(whole)), group));
        });
    return new RunComparison(kinds);
  }

  private static Map<String, List<SavedRun>> by(
      List<SavedRun> runs, Function<SavedRun, String> key) {
    return runs.stream()
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
  }

  /// `before*.json`, of which `file` may be one of several.
  private static String sign(String file) {
    Matcher stem = STEM.matcher(file);
    return stem.matches()
        ? stem.group(1) + "*" + (stem.group(2) == null ? "" : stem.group(2))
        : file;
  }

  private static String name(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /// @param stagesMax how many stages are shown
  public List<String> lines(int columns, boolean unicode, int stagesMax) {
    List<String> lines = new ArrayList<>(rates().lines(columns));
    lines.add("");
    for (String each : sentences()) {
      lines.addAll(Prose.wrap(each, columns));
    }
    Table stages = stages(unicode, stagesMax);
    if (!stages.isEmpty()) {
      lines.add("");
      lines.addAll(stages.lines(columns));
    }
    lines.add("");
    lines.addAll(Prose.wrap(HOW, columns, 0));
    return lines;
  }

  void write(HtmlPage to) {
    to.open("section", "aria-label", "At a glance").open("ul", "class", "glance").line();
    sentences().forEach(each -> to.element("li", each).line());
    to.close().close().line();
    to.section("Rates");
    writeTimes(to);
    rates().write(to, "Rates of the runs of each kind");
    to.close().line();
    to.section("Latencies");
    stages(true, Integer.MAX_VALUE).write(to, "Latencies by stage and kind");
    to.note(HOW);
    to.close().line();
  }

  private void writeTimes(HtmlPage to) {
    DoubleSummaryStatistics all =
        kinds.stream().flatMapToDouble(kind -> Arrays.stream(kind.elapsedNs())).summaryStatistics();
    Axis axis = Axis.forBars(Math.max(1, all.getMin()), Math.max(1_000, all.getMax()));
    to.open("figure", "class", "times").line();
    Chart chart = new Chart(to, axis, kinds.size(), "Median time of the runs of each kind", "time");
    for (RunKind kind : kinds) {
      double[] ns = kind.elapsedNs();
      double median = median(ns);
      chart.row(kind.sign(), "other", LatencyTable.time(Math.round(median), true));
      if (!axis.isLogarithmic()) {
        chart.bar(median, 1, 12, "bar");
      }
      chart.whisker(ns[0], ns[ns.length - 1]).dot(median, 7, 4, "bar").end();
    }
    chart.close();
    to.caption(
        "Median time of the runs of each kind, shorter is better; the line across goes from the"
            + " quickest run to the slowest."
            + (axis.isLogarithmic() ? " The axis is logarithmic." : ""));
  }

  private Table rates() {
    Table table = new Table().left("kind").right("runs", "failed", "median", "slowest", "fastest");
    table.left("what");
    for (RunKind kind : kinds) {
      double[] rates = kind.rates();
      long failed =
          kind.runs().stream().filter(run -> run.result().exitCode().number() != 0).count();
      table.row(
          Table.Mark.NONE,
          List.of(
              kind.sign(),
              Integer.toString(rates.length),
              Long.toString(failed),
              rate(median(rates)),
              rate(rates[0]),
              rate(rates[rates.length - 1])),
          kind.what());
    }
    return table;
  }

  private List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    RunKind first = kinds.getFirst();
    double[] before = first.rates();
    for (RunKind kind : kinds.subList(1, kinds.size())) {
      double[] rates = kind.rates();
      double ratio = median(rates) / median(before);
      if (!Double.isFinite(ratio) || ratio == 0) {
        sentences.add(kind.sign() + " cannot be compared with " + first.sign() + ": no bytes");
      } else if (rates.length < 2 || before.length < 2) {
        sentences.add(asFast(kind, ratio, first) + "; with a single run that may be chance");
      } else if (isApart(before, rates)) {
        sentences.add(asFast(kind, ratio, first) + "; the difference exceeds the spread");
      } else {
        sentences.add(asFast(kind, ratio, first) + "; the difference may be chance");
      }
    }
    if (kinds.size() == 1) {
      sentences.add("there is only one kind of run, and nothing to compare it with");
    }
    for (RunKind kind : kinds) {
      Map<String, Integer> verdicts = new LinkedHashMap<>();
      for (SavedRun run : kind.runs()) {
        if (run.verdict() != null) {
          verdicts.merge(run.verdict().sentence(), 1, Integer::sum);
        }
      }
      verdicts.forEach(
          (sentence, count) ->
              sentences.add(kind.sign() + ", " + Prose.count(count, "run") + ": " + sentence));
    }
    return sentences;
  }

  private static String asFast(RunKind kind, double ratio, RunKind first) {
    return kind.sign() + " is " + asFast(ratio) + " " + first.sign();
  }

  /// `12% faster than`, `10.3 times slower than`: nobody can picture 930 %, or a tenth of a speed.
  private static String asFast(double ratio) {
    if (ratio >= 2) {
      return Scale.threeFigures(ratio) + " times as fast as";
    }
    if (ratio <= 0.5) {
      return Scale.threeFigures(1 / ratio) + " times slower than";
    }
    long percent = Math.round(100 * Math.abs(ratio - 1));
    return percent == 0 ? "as fast as" : percent + (ratio > 1 ? "% faster than" : "% slower than");
  }

  private Table stages(boolean unicode, int stagesMax) {
    List<Map<String, StageRow>> all = kinds.stream().map(RunKind::stages).toList();
    Map<String, Long> totalsNs = new LinkedHashMap<>();
    for (Map<String, StageRow> stages : all) {
      stages.forEach((key, row) -> totalsNs.merge(key, row.latencies().totalNs(), Long::sum));
    }
    List<String> longest =
        totalsNs.keySet().stream()
            .sorted((one, other) -> Long.compare(totalsNs.get(other), totalsNs.get(one)))
            .limit(stagesMax)
            .toList();
    Table table = new Table().left("stage", "kind").right("count", "p50", "p90", "p99", "max");
    table.left("beyond the spread");
    for (String stage : totalsNs.keySet()) {
      for (int i = 0; i < kinds.size() && longest.contains(stage); i++) {
        StageRow row = all.get(i).get(stage);
        if (row != null) {
          Latencies latencies = row.latencies();
          table.row(
              List.of(
                  stage,
                  kinds.get(i).sign(),
                  Long.toString(latencies.count()),
                  LatencyTable.percentile(latencies, 50, unicode),
                  LatencyTable.percentile(latencies, 90, unicode),
                  LatencyTable.percentile(latencies, 99, unicode),
                  LatencyTable.time(latencies.maxNs(), unicode),
                  i == 0 ? "" : beyond(stage, kinds.get(i))));
        }
      }
    }
    return table;
  }

  /// `p50 higher, p99 lower`: what of a stage differs from the first kind by more than chance.
  private String beyond(String stage, RunKind kind) {
    List<String> found = new ArrayList<>();
    for (int percent : new int[] {50, 99}) {
      double[] before = kinds.getFirst().percentiles(stage, percent);
      double[] now = kind.percentiles(stage, percent);
      if (before.length > 1 && now.length > 1 && isApart(before, now)) {
        found.add("p" + percent + (now[0] > before[0] ? " higher" : " lower"));
      }
    }
    return String.join(", ", found);
  }

  /// @param one sorted, as the other
  private static boolean isApart(double[] one, double[] other) {
    return one[one.length - 1] < other[0] || other[other.length - 1] < one[0];
  }

  private static String rate(double bytesPerSecond) {
    return new Rate(Math.round(bytesPerSecond), 1_000_000_000).toString();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
