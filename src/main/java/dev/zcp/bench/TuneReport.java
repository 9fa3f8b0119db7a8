package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Rate;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.RouteKey;
import dev.zcp.report.JsonLine;
import dev.zcp.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// What the tuning found, for people and for programs.
public final class TuneReport {

  private static final int COLUMNS = 80;

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
    for (TuneResult.Trial each : result.trials()) {
      if (each instanceof TuneResult.Trial.Refused(Choice choice, String reason)) {
        lines.add(text(choice) + ": no, " + reason);
      }
    }
    for (String name : result.leftOut()) {
      lines.add(name + ": not tried, auto never takes it: a source may be cut short meanwhile");
    }
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
        .filter(TuneResult.Trial.Timed.class::isInstance)
        .map(TuneResult.Trial.Timed.class::cast)
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
  /// @return one line, without its line feed
  public static String json(TuneResult result, RawPath profile) {
    return JsonLine.of(to -> write(to, result, profile));
  }

  private static void write(JsonGenerator json, TuneResult result, RawPath profile) {
    json.writeStringProperty("event", "tuned");
    switch (result.routeKey()) {
      case RouteKey.Send(String host) -> json.writeStringProperty("host", host);
      case RouteKey.Copy(Mount from, Mount to) -> {
        json.writeStringProperty("from", from.point());
        json.writeStringProperty("to", to.point());
      }
    }
    json.writeNumberProperty("bytes", result.fileBytes());
    json.writeNumberProperty("seed", result.seed());
    json.writeArrayPropertyStart("ways");
    result.trials().forEach(each -> write(json, each));
    json.writeEndArray();
    write(json, "fastest", result.fastest());
    write(json, "autoByItself", result.byItself());
    json.writeObjectPropertyStart("longFile");
    json.writeNumberProperty("bytes", TuneResult.LONG_BYTES);
    write(json, result.longFile());
    json.writeEndObject();
    if (result.again() == null) {
      json.writeNullProperty("gain");
    } else {
      json.writeNumberProperty("gain", Math.round(1000 * result.again().gain()) / 1000.0);
    }
    json.writeBooleanProperty("better", result.isBetter());
    json.writeStringProperty("profile", result.unwritten() == null ? profile.toString() : null);
  }

  private static void write(JsonGenerator json, String name, TuneResult.Chosen chosen) {
    json.writeObjectPropertyStart(name);
    write(json, chosen.choice());
    json.writeNumberProperty("startUpNs", chosen.startUpNs());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Choice choice) {
    json.writeStringProperty("strategy", choice.strategy());
    json.writeNumberProperty("chunk", choice.chunkBytes());
  }

  private static void write(JsonGenerator json, TuneResult.Trial each) {
    json.writeStartObject();
    write(json, each.choice());
    switch (each) {
      case TuneResult.Trial.Refused refused ->
          json.writeStringProperty("refused", refused.reason());
      case TuneResult.Trial.Timed timed -> {
        Summary ns = timed.ns();
        json.writeNumberProperty("runs", timed.runs());
        json.writeNumberProperty("firstNs", timed.firstNs());
        json.writeNumberProperty("medianNs", Math.round(ns.median()));
        json.writeNumberProperty("lowerQuartileNs", Math.round(ns.lowerQuartile()));
        json.writeNumberProperty("upperQuartileNs", Math.round(ns.upperQuartile()));
        json.writeNumberProperty("minNs", Math.round(ns.min()));
        json.writeNumberProperty("maxNs", Math.round(ns.max()));
      }
    }
    json.writeEndObject();
  }
}
