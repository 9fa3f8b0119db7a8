package dev.zcp.bench;

import static dev.zcp.json.JsonType.COUNT;
import static dev.zcp.json.JsonType.TEXT;

import dev.zcp.bench.TuneResult.Trial;
import dev.zcp.bench.TuneResult.Trial.Refused;
import dev.zcp.bench.TuneResult.Trial.Timed;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Rate;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonType;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/// What the tuning found, for people and for programs.
public final class TuneReport {

  private static final int COLUMNS = 80;

  private static final JsonType<Double> NS = JsonType.COUNT.as(Math::round, Long::doubleValue);

  private static final JsonTable<Choice> CHOICE =
      new JsonTable<Choice>()
          .field("strategy", TEXT, Choice::strategy)
          .field("chunk", COUNT, Choice::chunkBytes);

  private static final JsonTable<TuneResult.Chosen> CHOSEN =
      new JsonTable<TuneResult.Chosen>()
          .all(CHOICE, TuneResult.Chosen::choice)
          .field("startUpNs", COUNT, TuneResult.Chosen::startUpNs);

  private static final JsonTable<Choice> LONG_FILE =
      new JsonTable<Choice>()
          .field("bytes", COUNT, _ -> TuneResult.LONG_BYTES)
          .all(CHOICE, choice -> choice);

  private static final JsonTable<Trial> TRIAL =
      new JsonTable<Trial>()
          .all(CHOICE, Trial::choice)
          .fieldIfAny("refused", TEXT, trial -> trial instanceof Refused no ? no.reason() : null)
          .fieldIfAny("runs", JsonType.INT, trial -> trial instanceof Timed t ? t.runs() : null)
          .fieldIfAny("firstNs", COUNT, trial -> trial instanceof Timed t ? t.firstNs() : null)
          .fieldIfAny("medianNs", NS, trial -> ns(trial, Summary::median))
          .fieldIfAny("lowerQuartileNs", NS, trial -> ns(trial, Summary::lowerQuartile))
          .fieldIfAny("upperQuartileNs", NS, trial -> ns(trial, Summary::upperQuartile))
          .fieldIfAny("minNs", NS, trial -> ns(trial, Summary::min))
          .fieldIfAny("maxNs", NS, trial -> ns(trial, Summary::max));

  private TuneReport() {}

  /// `direct, 128 KiB`
  static String text(Choice choice) {
    return choice.chunkBytes() == Choice.ADAPTIVE
        ? choice.strategy()
        : choice.strategy() + ", " + new ByteSize(choice.chunkBytes());
  }

  /// @param profile where the figures were written
  public static List<String> lines(TuneResult result, RawPath profile) {
    List<String> lines = new ArrayList<>();
    lines.add(
        result.routeKey() + ": " + new ByteSize(result.fileBytes()) + ", seed " + result.seed());
    lines.add("");
    lines.addAll(table(result));
    for (Trial each : result.trials()) {
      if (each instanceof Refused(Choice choice, String reason)) {
        lines.add(text(choice) + ": no, " + reason);
      }
    }
    lines.add(
        Tuner.NEVER + ": not tried, auto never takes it: a source may be cut short meanwhile");
    lines.add("* the fastest for such a file with its start-up added, which no row shows;");
    lines.add("  with another chunk than its own only if that wins by more than chance");
    lines.add("");
    lines.addAll(verdict(result));
    lines.add("profile: " + (result.unwritten() == null ? profile : "not written"));
    if (!result.lost().isEmpty()) {
      lines.add("What was there before is replaced, since it could not be read: " + result.lost());
    }
    return lines;
  }

  private static List<String> verdict(TuneResult result) {
    String without = text(result.byItself().choice());
    String longBytes = new ByteSize(TuneResult.LONG_BYTES).toString();
    List<String> lines = new ArrayList<>();
    TuneResult.Duel again = result.again();
    if (again == null) {
      lines.add("auto takes " + without + " for such a file by itself, and stays with it.");
    } else {
      String fastest = text(result.fastest().choice()) + " took " + elapsed(again.fastestNs());
      lines.add("auto takes " + without + " for such a file by itself. Once more against it,");
      lines.add(fastest + " and " + without + " " + elapsed(again.byItselfNs()) + ",");
      String less = Math.round(100 * again.gain()) + " % less.";
      lines.add(
          "start-up and all: " + (again.isWon() ? less : "nothing beats it by more than chance."));
    }
    if (result.unwritten() != null) {
      return lines;
    }
    lines.add(
        result.isBetter()
            ? "From now on auto goes by these figures for files of " + longBytes + " and more:"
            : "For files of " + longBytes + " and more auto stays as it is:");
    lines.add("for one of " + longBytes + " it takes " + text(result.longFile()) + ".");
    if (result.fileBytes() < TuneResult.LONG_BYTES) {
      lines.add("Beware: this trial was shorter, and what is paid once weighs more in it.");
      lines.add("One of " + longBytes + " or more tells more about long files.");
    }
    return lines;
  }

  private static List<String> table(TuneResult result) {
    Table table =
        new Table().left("STRATEGY", "CHUNK", "FIRST", "MEDIAN", "QUARTILES", "RATE", "RUNS");
    result.trials().stream()
        .filter(Timed.class::isInstance)
        .map(Timed.class::cast)
        .sorted(Comparator.comparingDouble(each -> each.ns().median()))
        .forEach(
            each -> {
              Choice choice = each.choice();
              Summary ns = each.ns();
              boolean isOwn = choice.chunkBytes() == Choice.ADAPTIVE;
              table.row(
                  List.of(
                      (choice.equals(result.fastest().choice()) ? "* " : "  ") + choice.strategy(),
                      isOwn ? "own" : new ByteSize(choice.chunkBytes()).toString(),
                      elapsed(each.firstNs()),
                      elapsed(ns),
                      elapsed(ns.lowerQuartile()) + " - " + elapsed(ns.upperQuartile()),
                      new Rate(result.fileBytes(), Math.round(ns.median())).toString(),
                      Integer.toString(each.runs())));
            });
    return table.lines(COLUMNS);
  }

  private static String elapsed(Summary ns) {
    return elapsed(ns.median());
  }

  private static String elapsed(double ns) {
    return new Elapsed(Math.round(ns)).toString();
  }

  /// One object in one line. What is not known is `null`.
  ///
  /// @param profile where the figures were written
  /// @return one line
  public static byte[] json(TuneResult result, RawPath profile) {
    JsonTable<TuneResult> table =
        new JsonTable<TuneResult>()
            .field("event", TEXT, _ -> "tuned")
            .fieldIfAny("host", TEXT, found -> found.routeKey().host())
            .fieldIfAny("from", TEXT, found -> point(found.routeKey().from()))
            .fieldIfAny("to", TEXT, found -> point(found.routeKey().to()))
            .field("bytes", COUNT, TuneResult::fileBytes)
            .field("seed", COUNT, TuneResult::seed)
            .field("ways", TRIAL.list(), TuneResult::trials)
            .field("fastest", CHOSEN, TuneResult::fastest)
            .field("autoByItself", CHOSEN, TuneResult::byItself)
            .field("longFile", LONG_FILE, TuneResult::longFile)
            .field(
                "gain",
                JsonType.SHARE,
                found -> found.again() == null ? null : found.again().gain())
            .field("better", JsonType.FLAG, TuneResult::isBetter)
            .field("profile", TEXT, found -> found.unwritten() == null ? profile.toString() : null);
    return new JsonLines().line(table, result);
  }

  private static Double ns(Trial trial, Function<Summary, Double> which) {
    return trial instanceof Timed timed ? which.apply(timed.ns()) : null;
  }

  private static String point(Mount mount) {
    return mount == null ? null : mount.point();
  }
}
