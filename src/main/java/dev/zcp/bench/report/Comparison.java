package dev.zcp.bench.report;

import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.Machine;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import java.util.ArrayList;
import java.util.List;

/// A benchmark beside an older run of it.
public final class Comparison {

  private final Sheet now;
  private final BenchJson.Saved old;
  private final Changes changes;

  private Comparison(Sheet now, BenchJson.Saved old) {
    this.now = now;
    this.old = old;
    this.changes = Changes.between(old.sheet(), now);
  }

  public static Comparison of(BenchResult now, BenchJson.Saved old) {
    return of(Sheet.of(now), old);
  }

  static Comparison of(Sheet now, BenchJson.Saved old) {
    return new Comparison(now, old);
  }

  Changes changes() {
    return changes;
  }

  /// Lines, each with its end: what else is not as it was, then each cell of both runs, then what
  /// only one of them has.
  ///
  /// @param unicode whether the screen shows more than ASCII; names may hold more in any case
  public String text(boolean unicode) {
    List<String> lines = new ArrayList<>();
    wrapped(lines, "Compared with " + old.file() + ", of " + Words.started(old.sheet()));
    for (String difference : differences()) {
      wrapped(lines, "differs: " + difference);
    }
    List<Row.Measured> matched = new ArrayList<>();
    for (int i = 0; i < now.groups().size(); i++) {
      addGroup(lines, matched, i, unicode);
    }
    lines.add("");
    if (matched.isEmpty()) {
      wrapped(lines, "No cell was measured in both runs.");
    }
    for (Changes.Place place : changes.onlyNow()) {
      Sheet.Group group = now.groups().get(place.group());
      wrapped(lines, "only now: " + name(group.title(), group.rows().get(place.row())));
    }
    for (Changes.OldRow before : changes.onlyBefore()) {
      wrapped(lines, "only before: " + name(before.group(), before.row()));
    }
    if (Ranking.hasFewRuns(matched) || Ranking.hasFewRuns(old.sheet().measured())) {
      wrapped(
          lines,
          "With fewer than "
              + Prose.count(Ranking.RUNS_MIN, "run")
              + " of a cell, what looks faster or slower may be chance.");
    }
    return String.join("\n", lines).stripTrailing() + "\n";
  }

  private void addGroup(
      List<String> lines, List<Row.Measured> matched, int index, boolean unicode) {
    Sheet.Group group = now.groups().get(index);
    List<Trait> traits = Trait.thatDiffer(group);
    TextTable table = new TextTable().left("strategy").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.right("before", "now", "ratio").left("");
    Scale times = scale(index);
    for (int i = 0; i < group.rows().size(); i++) {
      Change change = changes.of(index, i);
      if (change != null && group.rows().get(i) instanceof Row.Measured row) {
        matched.add(row);
        List<String> cells = new ArrayList<>(Trait.tellApart(row.cell(), traits));
        cells.add(times.text(change.oldMedianNs()));
        cells.add(times.text(change.newMedianNs()));
        cells.add(Scale.threeFigures(change.ratio()));
        cells.add(change.verdict().word());
        table.row(cells);
      }
    }
    if (!table.isEmpty()) {
      lines.add("");
      wrapped(lines, Printable.ofPhrase(group.title()) + " (medians, " + times.unit(unicode) + ")");
      lines.addAll(table.lines(BenchTable.COLUMNS));
    }
  }

  private Scale scale(int group) {
    double lowestNs = Double.MAX_VALUE;
    double highestNs = 0;
    for (int i = 0; i < now.groups().get(group).rows().size(); i++) {
      Change change = changes.of(group, i);
      if (change != null) {
        lowestNs = Math.min(lowestNs, Math.min(change.oldMedianNs(), change.newMedianNs()));
        highestNs = Math.max(highestNs, Math.max(change.oldMedianNs(), change.newMedianNs()));
      }
    }
    return Scale.ofTimes(lowestNs, highestNs);
  }

  /// What besides zcp's own doing may have made the figures other ones.
  private List<String> differences() {
    List<String> differences = new ArrayList<>();
    Machine before = old.sheet().machine();
    Machine later = now.machine();
    add(differences, "zcp", old.sheet().version(), now.version());
    add(differences, "kernel", before.kernel(), later.kernel());
    add(differences, "processor", before.processor(), later.processor());
    add(
        differences,
        "processors",
        Integer.toString(before.processors()),
        Integer.toString(later.processors()));
    add(
        differences,
        "memory",
        new ByteSize(before.memoryBytes()).toString(),
        new ByteSize(later.memoryBytes()).toString());
    add(differences, "Java", before.java(), later.java());
    add(differences, "file system", before.fileSystem(), later.fileSystem());
    return differences;
  }

  private static void add(List<String> differences, String what, String before, String later) {
    if (!before.equals(later)) {
      differences.add(what + ": " + known(before) + " before, " + known(later) + " now");
    }
  }

  private static String known(String text) {
    return text.isEmpty() ? "unknown" : Printable.ofPhrase(text);
  }

  private static String name(String group, Row row) {
    List<Trait> traits = List.of(Trait.CACHE);
    return Printable.ofPhrase(group) + ": " + String.join(" ", Trait.tellApart(row.cell(), traits));
  }

  private static void wrapped(List<String> lines, String text) {
    lines.addAll(Prose.wrap(text, BenchTable.COLUMNS));
  }
}
