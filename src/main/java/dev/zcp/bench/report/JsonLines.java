package dev.zcp.bench.report;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Forcing;
import dev.zcp.bench.result.Machine;
import dev.zcp.bench.result.Summary;
import dev.zcp.engine.Choice;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/// What the lines of the JSON hold, each within an object that is open already.
final class JsonLines {

  static final String WHOLE = "whole";
  static final String OWN = "own";
  static final String NEVER = "never";
  static final String END = "end";

  private static final double NS_PER_MS = 1e6;

  private JsonLines() {}

  static void begin(JsonGenerator to, Sheet sheet) {
    to.writeStringProperty("kind", "bench");
    to.writeStringProperty("version", sheet.version());
    to.writeStringProperty("command", sheet.command());
    to.writeNumberProperty("seed", sheet.seed());
    to.writeNumberProperty("startedMs", sheet.startedMs());
    Machine machine = sheet.machine();
    to.writeObjectPropertyStart("machine");
    to.writeStringProperty("processor", machine.processor());
    to.writeNumberProperty("processors", machine.processors());
    to.writeNumberProperty("memoryBytes", machine.memoryBytes());
    to.writeStringProperty("kernel", machine.kernel());
    to.writeStringProperty("java", machine.java());
    to.writeStringProperty("fileSystem", machine.fileSystem());
    to.writeEndObject();
    to.writeArrayPropertyStart("groups");
    for (Sheet.Group group : sheet.groups()) {
      to.writeStartObject();
      to.writeStringProperty("title", group.title());
      to.writeStringProperty("note", group.note());
      to.writeNumberProperty("cells", group.rows().size());
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  static void end(JsonGenerator to, Sheet sheet) {
    to.writeStringProperty("kind", "end");
    to.writeArrayPropertyStart("warnings");
    sheet.warnings().forEach(to::writeString);
    to.writeEndArray();
    to.writeNumberProperty("exitCode", sheet.exitCode());
  }

  /// @param change null where there is nothing to compare the cell with
  static void cell(JsonGenerator to, String group, Row row, Change change) {
    to.writeStringProperty("kind", "cell");
    to.writeStringProperty("group", group);
    identity(to, row.cell());
    switch (row) {
      case Row.Measured measured -> {
        to.writeBooleanProperty("checked", true);
        measured(to, measured);
      }
      case Row.Refused refused -> {
        to.writeBooleanProperty("checked", false);
        to.writeStringProperty("refused", refused.reason());
      }
      case Row.Failed failed -> {
        to.writeBooleanProperty("checked", false);
        to.writeStringProperty("failed", failed.message());
      }
    }
    if (change != null) {
      to.writeObjectPropertyStart("compare");
      ms(to, "oldMedianMs", change.oldMedianNs());
      number(to, "ratio", change.ratio());
      to.writeStringProperty("verdict", change.verdict().word());
      to.writeEndObject();
    }
  }

  private static void identity(JsonGenerator to, Cell cell) {
    to.writeStringProperty("experiment", cell.experiment().word());
    to.writeStringProperty("strategy", cell.contender());
    if (cell.chunkBytes() == Choice.WHOLE) {
      to.writeStringProperty("chunk", WHOLE);
    } else if (cell.chunkBytes() == Choice.ADAPTIVE) {
      to.writeStringProperty("chunk", OWN);
    } else {
      to.writeNumberProperty("chunk", cell.chunkBytes());
    }
    to.writeNumberProperty("bytes", cell.fileBytes());
    to.writeStringProperty("cache", cell.cache().word());
    Forcing forcing = cell.forcing();
    if (forcing.everyBytes() == Forcing.NEVER.everyBytes()) {
      to.writeStringProperty("forceEvery", NEVER);
    } else if (forcing.everyBytes() == Forcing.AT_THE_END.everyBytes()) {
      to.writeStringProperty("forceEvery", END);
    } else {
      to.writeNumberProperty("forceEvery", forcing.everyBytes());
    }
    to.writeBooleanProperty("forceAsynchronously", forcing.asynchronous());
    if (cell.experiment().needsSocket()) {
      to.writeNumberProperty("peerChunk", cell.peer().chunkBytes());
      to.writeBooleanProperty("peerToFile", cell.peer().toFile());
      to.writeNumberProperty("socketBufferAsked", cell.socketBufferBytes());
    } else {
      to.writeNullProperty("peerChunk");
      to.writeNullProperty("peerToFile");
      to.writeNullProperty("socketBufferAsked");
    }
    if (cell.claim().row().isEmpty()) {
      to.writeNullProperty("article");
    } else {
      to.writeObjectPropertyStart("article");
      to.writeStringProperty("row", cell.claim().row());
      to.writeStringProperty("figures", cell.claim().figures());
      number(to, "meanMs", cell.claim().meanMs());
      to.writeNumberProperty("bytes", cell.claim().fileBytes());
      to.writeEndObject();
    }
  }

  private static void measured(JsonGenerator to, Row.Measured row) {
    Summary elapsed = row.elapsed();
    to.writeNumberProperty("runs", row.samplesNs().size());
    to.writeNumberProperty("warmUpRuns", row.warmUpRuns());
    ms(to, "firstMs", row.firstNs());
    ms(to, "medianMs", elapsed.median());
    ms(to, "meanMs", elapsed.mean());
    ms(to, "minMs", elapsed.min());
    ms(to, "maxMs", elapsed.max());
    number(to, "spread", elapsed.spread());
    number(to, "bytesPerSecond", Math.rint(row.bytesPerSecond()));
    ms(to, "userMs", row.use().userNs());
    ms(to, "systemMs", row.use().systemNs());
    number(to, "systemCalls", row.use().systemCalls());
    to.writeStringProperty("systemCallsCounted", word(row.systemCallCount()));
    number(to, "contextSwitches", row.use().contextSwitches());
    number(to, "voluntarySwitches", row.use().voluntarySwitches());
    number(to, "involuntarySwitches", row.use().involuntarySwitches());
    number(to, "minorFaults", row.use().minorFaults());
    number(to, "majorFaults", row.use().majorFaults());
    to.writeObjectPropertyStart("latencyNs");
    times(to, row.calls());
    to.writeEndObject();
    to.writeNumberProperty("callsPerRun", row.callsPerRun());
    number(to, "userBytes", row.userBytes());
    to.writeObjectPropertyStart("model");
    to.writeNumberProperty("modeSwitches", row.model().modeSwitches());
    to.writeNumberProperty("copies", row.model().copies());
    to.writeNumberProperty("userKernelCopies", row.model().userKernelCopies());
    to.writeNumberProperty("kernelKernelCopies", row.model().kernelKernelCopies());
    to.writeEndObject();
    to.writeNumberProperty("socketBuffer", row.socketBufferBytes());
    number(to, "cachedBefore", row.cachedBefore());
    to.writeNumberProperty("forces", row.forces());
    if (row.forceTimes() == null) {
      to.writeNullProperty("forceLatencyNs");
    } else {
      to.writeObjectPropertyStart("forceLatencyNs");
      times(to, row.forceTimes());
      to.writeEndObject();
    }
    to.writeArrayPropertyStart("samplesMs");
    row.samplesNs().forEach(elapsedNs -> to.writeNumber(Scale.plain(elapsedNs / NS_PER_MS)));
    to.writeEndArray();
  }

  private static void times(JsonGenerator to, CallTimes times) {
    to.writeNumberProperty("p50", times.p50Ns());
    to.writeNumberProperty("p90", times.p90Ns());
    to.writeNumberProperty("p99", times.p99Ns());
    to.writeNumberProperty("p999", times.p999Ns());
    to.writeNumberProperty("max", times.maxNs());
  }

  /// `tracepoint`, `strace`, `reads-and-writes`, `none`.
  static String word(SystemCallCount count) {
    return count.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void ms(JsonGenerator to, String name, double elapsedNs) {
    number(to, name, elapsedNs / NS_PER_MS);
  }

  /// JSON has neither a NaN nor an infinity, so these are not known.
  private static void number(JsonGenerator to, String name, double value) {
    if (Double.isFinite(value)) {
      to.writeName(name);
      to.writeNumber(Scale.plain(value));
    } else {
      to.writeNullProperty(name);
    }
  }
}
