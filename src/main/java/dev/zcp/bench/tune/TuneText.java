package dev.zcp.bench.tune;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Rate;
import dev.zcp.core.RawPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What the tuning found, for people: 80 columns.
public final class TuneText {

  private static final List<String> HEAD =
      List.of("STRATEGY", "CHUNK", "FIRST", "MEDIAN", "QUARTILES", "RATE", "RUNS");

  private static final String GAP = "  ";

  private TuneText() {}

  /// @param profile where the figures were written
  public static List<String> lines(TuneResult result, RawPath profile) {
    List<String> lines = new ArrayList<>();
    lines.add(result.way() + ": " + new ByteSize(result.fileBytes()) + ", seed " + result.seed());
    lines.add("");
    lines.addAll(table(result));
    for (Trialled each : result.trialled()) {
      if (each instanceof Trialled.Refused refused) {
        lines.add(label(refused) + ": no, " + refused.reason());
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
    String without = result.byItself().candidate().toString();
    String longBytes = new ByteSize(TuneResult.LONG_BYTES).toString();
    List<String> lines = new ArrayList<>();
    if (result.again() == null) {
      lines.add("auto takes " + without + " for such a file by itself, and stays with it.");
    } else {
      String fastest = result.fastest().candidate().toString();
      String fastestTook = elapsed(result.again().fastestNs().median());
      String withoutTook = elapsed(result.again().byItselfNs().median());
      lines.add("auto takes " + without + " for such a file by itself. Once more against it,");
      lines.add(fastest + " took " + fastestTook + " and " + without + " " + withoutTook + ",");
      lines.add("start-up and all: " + difference(result));
    }
    if (result.unwritten() != null) {
      return lines;
    }
    lines.add(
        result.isBetter()
            ? "From now on auto goes by these figures for files of " + longBytes + " and more:"
            : "For files of " + longBytes + " and more auto stays as it is:");
    lines.add("for one of " + longBytes + " it takes " + result.longFile() + ".");
    if (result.fileBytes() < TuneResult.LONG_BYTES) {
      lines.add("Beware: this trial was shorter, and what is paid once weighs more in it.");
      lines.add("One of " + longBytes + " or more tells more about long files.");
    }
    return lines;
  }

  private static String difference(TuneResult result) {
    return result.isBetter()
        ? Math.round(100 * result.again().gain()) + " % less."
        : "nothing beats it by more than chance.";
  }

  private static List<String> table(TuneResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    List<Trialled.Measured> order = new ArrayList<>();
    for (Trialled each : result.trialled()) {
      if (each instanceof Trialled.Measured measured) {
        order.add(measured);
      }
    }
    order.sort(Comparator.comparingDouble(each -> each.ns().median()));
    for (Trialled.Measured each : order) {
      rows.add(row(each, result));
    }
    return aligned(rows);
  }

  private static List<String> row(Trialled.Measured each, TuneResult result) {
    Candidate candidate = new Candidate(each.strategy(), each.chunkBytes());
    String mark = candidate.equals(result.fastest().candidate()) ? "* " : "  ";
    long medianNs = Math.round(each.ns().median());
    return List.of(
        mark + each.strategy(),
        candidate.hasOwnChunk() ? "own" : new ByteSize(each.chunkBytes()).toString(),
        new Elapsed(each.firstNs()).toString(),
        new Elapsed(medianNs).toString(),
        elapsed(each.ns().lowerQuartile()) + " - " + elapsed(each.ns().upperQuartile()),
        new Rate(result.fileBytes(), medianNs).toString(),
        Integer.toString(each.runs()));
  }

  /// Columns as wide as their widest cell.
  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i));
        line.repeat(' ', widths[i] - row.get(i).length()).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static String label(Trialled each) {
    return new Candidate(each.strategy(), each.chunkBytes()).toString();
  }

  private static String elapsed(double ns) {
    return new Elapsed(Math.round(ns)).toString();
  }
}
