package dev.zcp.bench.report;

import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.Summary;
import dev.zcp.core.Printable;
import dev.zcp.engine.Choice;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A benchmark for a spreadsheet: RFC 4180 in UTF-8, a header, then a row for each cell. What is
/// not known is empty. The columns are called as in [BenchJson]. Control characters of names are
/// escaped, so each row is one line.
public final class BenchCsv {

  private static final String LINE_END = "\r\n";

  private static final List<String> MEASURED =
      List.of(
          "runs",
          "warmUpRuns",
          "firstMs",
          "medianMs",
          "meanMs",
          "minMs",
          "maxMs",
          "spread",
          "bytesPerSecond",
          "userMs",
          "systemMs",
          "systemCalls",
          "systemCallsCounted",
          "contextSwitches",
          "voluntarySwitches",
          "involuntarySwitches",
          "minorFaults",
          "majorFaults",
          "latencyNsP50",
          "latencyNsP90",
          "latencyNsP99",
          "latencyNsP999",
          "latencyNsMax",
          "callsPerRun",
          "userBytes",
          "modelModeSwitches",
          "modelCopies",
          "socketBuffer",
          "cachedBefore");

  private static final List<String> HEADER = header();

  private BenchCsv() {}

  /// Does not close `out`.
  public static void write(BenchResult result, OutputStream out) throws IOException {
    write(Sheet.of(result), out);
  }

  static void write(Sheet sheet, OutputStream out) throws IOException {
    StringBuilder text = new StringBuilder(String.join(",", HEADER)).append(LINE_END);
    for (Sheet.Group group : sheet.groups()) {
      for (Row row : group.rows()) {
        Map<String, String> fields = fields(group, row);
        List<String> quoted = new ArrayList<>();
        HEADER.forEach(name -> quoted.add(quoted(fields.getOrDefault(name, ""))));
        text.append(String.join(",", quoted)).append(LINE_END);
      }
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> header() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "group",
                "experiment",
                "strategy",
                "chunk",
                "bytes",
                "cache",
                "force",
                "peer",
                "socketBufferAsked",
                "articleRow",
                "articleFigures",
                "checked",
                "refused",
                "failed"));
    names.addAll(MEASURED);
    return List.copyOf(names);
  }

  private static Map<String, String> fields(Sheet.Group group, Row row) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("group", Printable.ofPhrase(group.title()));
    fields.put("experiment", row.cell().experiment().word());
    fields.put("strategy", Trait.contender(row.cell()));
    long chunkBytes = row.cell().chunkBytes();
    boolean isNumber = chunkBytes != Choice.WHOLE && chunkBytes != Choice.ADAPTIVE;
    fields.put("chunk", isNumber ? Long.toString(chunkBytes) : Trait.chunk(row.cell()));
    fields.put("bytes", Long.toString(row.cell().fileBytes()));
    fields.put("cache", row.cell().cache().word());
    fields.put("force", Trait.FORCING.of(row.cell()));
    if (row.cell().experiment().needsSocket()) {
      fields.put("peer", Trait.PEER.of(row.cell()));
      fields.put("socketBufferAsked", Integer.toString(row.cell().socketBufferBytes()));
    }
    fields.put("articleRow", Printable.of(row.cell().claim().row()));
    fields.put("articleFigures", Printable.of(row.cell().claim().figures()));
    switch (row) {
      case Row.Measured measured -> {
        fields.put("checked", "true");
        putMeasured(fields, measured);
      }
      case Row.Refused refused -> {
        fields.put("checked", "false");
        fields.put("refused", Printable.ofPhrase(refused.reason()));
      }
      case Row.Failed failed -> {
        fields.put("checked", "false");
        fields.put("failed", Printable.ofPhrase(failed.message()));
      }
    }
    return fields;
  }

  private static void putMeasured(Map<String, String> fields, Row.Measured row) {
    Summary elapsed = row.elapsed();
    String[] values = {
      Integer.toString(row.samplesNs().size()),
      Integer.toString(row.warmUpRuns()),
      ms(row.firstNs()),
      ms(elapsed.median()),
      ms(elapsed.mean()),
      ms(elapsed.min()),
      ms(elapsed.max()),
      number(elapsed.spread()),
      number(Math.rint(row.bytesPerSecond())),
      ms(row.use().userNs()),
      ms(row.use().systemNs()),
      number(row.use().systemCalls()),
      JsonLines.word(row.systemCallCount()),
      number(row.use().contextSwitches()),
      number(row.use().voluntarySwitches()),
      number(row.use().involuntarySwitches()),
      number(row.use().minorFaults()),
      number(row.use().majorFaults()),
      Long.toString(row.calls().p50Ns()),
      Long.toString(row.calls().p90Ns()),
      Long.toString(row.calls().p99Ns()),
      Long.toString(row.calls().p999Ns()),
      Long.toString(row.calls().maxNs()),
      Long.toString(row.callsPerRun()),
      number(row.userBytes()),
      Integer.toString(row.model().modeSwitches()),
      Integer.toString(row.model().copies()),
      Integer.toString(row.socketBufferBytes()),
      number(row.cachedBefore())
    };
    for (int i = 0; i < values.length; i++) {
      fields.put(MEASURED.get(i), values[i]);
    }
  }

  private static String quoted(String field) {
    boolean needed = field.contains(",") || field.contains("\"");
    return needed ? '"' + field.replace("\"", "\"\"") + '"' : field;
  }

  private static String ms(double elapsedNs) {
    return number(elapsedNs / 1e6);
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Scale.plain(value) : "";
  }
}
