package dev.zcp.bench.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import java.util.ArrayList;
import java.util.List;

/// The tables of the page.
final class PageTables {

  private PageTables() {}

  static PageTable times(Sheet.Group group, List<Trait> traits) {
    List<Row.Measured> measured = group.measured();
    boolean claims = measured.stream().anyMatch(row -> !row.cell().claim().row().isEmpty());
    Scale times = Scale.ofTimes(measured);
    Scale rates = Scale.ofRates(measured);
    PageTable table =
        new PageTable("Times in " + times.unit(true) + ", rates in " + rates.unit(true));
    table.words("strategy").numbers("chunk");
    traits.forEach(trait -> table.words(trait.header()));
    table.numbers("first", "median", "mean", "min", "max", "spread", "ratio", "rate");
    table.numbers("user", "system", "runs");
    if (claims) {
      table.words("article", "its figures");
    }
    Ranking ranking = Ranking.of(group);
    for (Row each : group.rows()) {
      List<String> cells = new ArrayList<>(Trait.tellApart(each.cell(), traits));
      switch (each) {
        case Row.Measured row -> {
          Ranking.Standing standing = ranking.of(row);
          cells.add(times.text(row.firstNs()));
          cells.add(times.text(row.elapsed().median()));
          cells.add(times.text(row.elapsed().mean()));
          cells.add(times.text(row.elapsed().min()));
          cells.add(times.text(row.elapsed().max()));
          cells.add(Scale.percent(row.elapsed().spread()));
          cells.add(Scale.threeFigures(ranking.ratio(row)));
          cells.add(rates.text(row.bytesPerSecond()));
          cells.add(times.text(row.use().userNs()));
          cells.add(times.text(row.use().systemNs()));
          cells.add(Integer.toString(row.samplesNs().size()));
          if (claims) {
            cells.add(row.cell().claim().row());
            cells.add(row.cell().claim().figures());
          }
          table.row(PageWords.kind(standing), cells, PageWords.mark(standing));
        }
        case Row.Refused row -> table.row("refused", cells, "", "not here: " + row.reason());
        case Row.Failed row -> table.row("failed", cells, "failed", row.message());
      }
    }
    return table;
  }

  static PageTable counts(Sheet.Group group, List<Trait> traits) {
    PageTable table = new PageTable("What one run used, and how long its calls took");
    table.words("strategy").numbers("chunk");
    traits.forEach(trait -> table.words(trait.header()));
    table.numbers("system: " + Words.callsHeader(group.measured()));
    table.numbers("waited", "evicted", "minor faults", "major", "calls");
    table.numbers("p50", "p90", "p99", "p99.9", "max");
    boolean cached = group.measured().stream().anyMatch(row -> !Double.isNaN(row.cachedBefore()));
    if (cached) {
      table.numbers("cached");
    }
    boolean sockets = group.measured().stream().anyMatch(row -> row.socketBufferBytes() > 0);
    if (sockets) {
      table.numbers("socket buffer");
    }
    Ranking ranking = Ranking.of(group);
    for (Row.Measured row : group.measured()) {
      List<String> cells = new ArrayList<>(Trait.tellApart(row.cell(), traits));
      cells.add(Scale.count(row.use().systemCalls()));
      cells.add(Scale.count(row.use().voluntarySwitches()));
      cells.add(Scale.count(row.use().involuntarySwitches()));
      cells.add(Scale.count(row.use().minorFaults()));
      cells.add(Scale.count(row.use().majorFaults()));
      cells.add(Scale.count(row.callsPerRun()));
      cells.add(time(row.calls().p50Ns()));
      cells.add(time(row.calls().p90Ns()));
      cells.add(time(row.calls().p99Ns()));
      cells.add(time(row.calls().p999Ns()));
      cells.add(time(row.calls().maxNs()));
      if (cached) {
        cells.add(Scale.percent(row.cachedBefore()));
      }
      if (sockets) {
        cells.add(new ByteSize(row.socketBufferBytes()).toString());
      }
      table.row(PageWords.kind(ranking.of(row)), cells, "");
    }
    return table;
  }

  static PageTable model(Sheet sheet) {
    PageTable table = new PageTable("By theory for one call, and measured for each MiB");
    List<ModelTable.Line> lines = ModelTable.lines(sheet, true);
    List<Trait> traits = new ArrayList<>(List.of(Trait.EXPERIMENT));
    traits.addAll(ModelTable.traits(lines));
    table.words("strategy").numbers("chunk");
    traits.forEach(trait -> table.words(trait.header()));
    table.numbers("theory: switches", "copies");
    table.numbers("measured: " + Words.callsHeader(sheet.measured()), "switches", "copied");
    table.numbers("context switches", "page faults");
    for (ModelTable.Line line : lines) {
      List<String> cells = new ArrayList<>(Trait.tellApart(line.row().cell(), traits));
      cells.add(Integer.toString(line.switchesPerCall()));
      cells.add(line.userCopies() + " + " + line.kernelCopies());
      cells.add(Scale.average(line.callsPerMib()));
      cells.add(Scale.average(line.modeSwitchesPerMib()));
      cells.add(ModelTable.copied(line.copied(), true));
      cells.add(Scale.average(line.contextSwitchesPerMib()));
      cells.add(Scale.average(line.faultsPerMib()));
      table.row("other", cells, "");
    }
    return table;
  }

  private static String time(long elapsedNs) {
    return new Elapsed(elapsedNs).toString();
  }
}
