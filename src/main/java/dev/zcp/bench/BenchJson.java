package dev.zcp.bench;

import dev.zcp.engine.Choice;
import dev.zcp.insight.Latencies;
import dev.zcp.report.JsonLine;
import dev.zcp.report.Scale;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/// A benchmark for programs: JSON in UTF-8, one object a line, each with its `kind`: `bench`, then
/// a `cell` for each cell, then `end`. What is not known is `null`. Keys and their meaning are kept
/// from release to release; new ones may be added.
public final class BenchJson {

  private static final double NS_PER_MS = 1e6;

  private BenchJson() {}

  /// Does not close `out`.
  public static void write(BenchResult result, OutputStream out) throws IOException {
    line(out, to -> begin(to, result));
    for (BenchResult.Group group : result.groups()) {
      for (CellResult cell : group.cells()) {
        line(out, to -> cell(to, group.title(), cell));
      }
    }
    line(out, to -> end(to, result));
  }

  private static void line(OutputStream out, Consumer<JsonGenerator> content) throws IOException {
    // Encoded here and not by the generator, which refuses half a surrogate pair; here it is '?'.
    out.write((JsonLine.of(content) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void begin(JsonGenerator to, BenchResult result) {
    to.writeStringProperty("kind", "bench");
    to.writeStringProperty("version", result.zcpVersion());
    to.writeStringProperty("command", result.command());
    to.writeNumberProperty("seed", result.seed());
    to.writeNumberProperty("startedMs", result.startedMs());
    Machine machine = result.machine();
    to.writeObjectPropertyStart("machine");
    to.writeStringProperty("processor", machine.processor());
    to.writeNumberProperty("processors", machine.processors());
    to.writeNumberProperty("memoryBytes", machine.memoryBytes());
    to.writeStringProperty("kernel", machine.kernel());
    to.writeStringProperty("java", machine.java());
    to.writeStringProperty("fileSystem", machine.fileSystem());
    to.writeEndObject();
    to.writeArrayPropertyStart("groups");
    for (BenchResult.Group group : result.groups()) {
      to.writeStartObject();
      to.writeStringProperty("title", group.title());
      to.writeStringProperty("note", group.note());
      to.writeNumberProperty("cells", group.cells().size());
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  private static void end(JsonGenerator to, BenchResult result) {
    to.writeStringProperty("kind", "end");
    to.writeArrayPropertyStart("warnings");
    result.warnings().forEach(to::writeString);
    to.writeEndArray();
    to.writeNumberProperty("exitCode", result.exitCode().number());
  }

  private static void cell(JsonGenerator to, String group, CellResult result) {
    to.writeStringProperty("kind", "cell");
    to.writeStringProperty("group", group);
    identity(to, result.cell());
    to.writeBooleanProperty("checked", result instanceof CellResult.Measurement);
    switch (result) {
      case CellResult.Measurement measured -> measured(to, measured);
      case CellResult.Refused refused -> to.writeStringProperty("refused", refused.reason());
      case CellResult.Failed failed -> to.writeStringProperty("failed", failed.message());
    }
  }

  private static void identity(JsonGenerator to, Cell cell) {
    to.writeStringProperty("experiment", cell.experiment().word());
    to.writeStringProperty("strategy", cell.contender());
    if (cell.hasChunk()) {
      to.writeNumberProperty("chunk", cell.chunkBytes());
    } else {
      to.writeStringProperty("chunk", cell.chunkBytes() == Choice.WHOLE ? "whole" : "own");
    }
    to.writeNumberProperty("bytes", cell.fileBytes());
    to.writeStringProperty("cache", cell.cache().word());
    long forceEvery = cell.forcing().everyBytes();
    if (forceEvery == 0 || forceEvery == Long.MAX_VALUE) {
      to.writeStringProperty("forceEvery", forceEvery == 0 ? "never" : "end");
    } else {
      to.writeNumberProperty("forceEvery", forceEvery);
    }
    to.writeBooleanProperty("forceAsynchronously", cell.forcing().asynchronous());
    boolean hasPeer = cell.experiment().needsSocket();
    number(to, "peerChunk", hasPeer ? cell.peer().chunkBytes() : Double.NaN);
    if (hasPeer) {
      to.writeBooleanProperty("peerToFile", cell.peer().toFile());
    } else {
      to.writeNullProperty("peerToFile");
    }
    number(to, "socketBufferAsked", hasPeer ? cell.socketBufferBytes() : Double.NaN);
    Cell.ArticleClaim claim = cell.claim();
    if (claim.row().isEmpty()) {
      to.writeNullProperty("article");
      return;
    }
    to.writeObjectPropertyStart("article");
    to.writeStringProperty("row", claim.row());
    to.writeStringProperty("figures", claim.figures());
    number(to, "meanMs", claim.meanMs());
    to.writeNumberProperty("bytes", claim.fileBytes());
    to.writeEndObject();
  }

  private static void measured(JsonGenerator to, CellResult.Measurement cell) {
    Summary elapsed = cell.elapsed();
    to.writeNumberProperty("runs", cell.samples().size());
    to.writeNumberProperty("warmUpRuns", cell.warmUpRuns());
    number(to, "firstMs", cell.first().elapsedNs() / NS_PER_MS);
    number(to, "medianMs", elapsed.median() / NS_PER_MS);
    number(to, "meanMs", elapsed.mean() / NS_PER_MS);
    number(to, "minMs", elapsed.min() / NS_PER_MS);
    number(to, "maxMs", elapsed.max() / NS_PER_MS);
    number(to, "spread", elapsed.spread());
    number(to, "bytesPerSecond", Math.rint(cell.bytesPerSecond()));
    number(to, "userMs", cell.mean(Usage::userNs) / NS_PER_MS);
    number(to, "systemMs", cell.mean(Usage::systemNs) / NS_PER_MS);
    number(to, "systemCalls", cell.systemCalls());
    // tracepoint, strace, reads-and-writes, none
    String counted = cell.callCount().kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    to.writeStringProperty("systemCallsCounted", counted);
    number(to, "contextSwitches", cell.median(Usage::contextSwitches));
    number(to, "voluntarySwitches", cell.median(Usage::voluntarySwitches));
    number(to, "involuntarySwitches", cell.median(Usage::involuntarySwitches));
    number(to, "minorFaults", cell.median(Usage::minorFaults));
    number(to, "majorFaults", cell.median(Usage::majorFaults));
    latencies(to, "latencyNs", cell.latencies());
    to.writeNumberProperty("callsPerRun", cell.callsPerRun());
    number(to, "userBytes", cell.userBytes() == Usage.UNKNOWN ? Double.NaN : cell.userBytes());
    to.writeObjectPropertyStart("model");
    to.writeNumberProperty("modeSwitches", cell.model().modeSwitches());
    to.writeNumberProperty("copies", cell.model().copies());
    to.writeNumberProperty("userKernelCopies", cell.model().userKernelCopies());
    to.writeNumberProperty("kernelKernelCopies", cell.model().kernelKernelCopies());
    to.writeEndObject();
    to.writeNumberProperty("socketBuffer", cell.socketBufferBytes());
    number(to, "cachedBefore", cell.cachedBefore());
    to.writeNumberProperty("forces", cell.forces());
    latencies(to, "forceLatencyNs", cell.forceLatencies());
    to.writeArrayPropertyStart("samplesMs");
    cell.samples().forEach(run -> to.writeNumber(Scale.plain(run.elapsedNs() / NS_PER_MS)));
    to.writeEndArray();
  }

  private static void latencies(JsonGenerator to, String name, Latencies latencies) {
    if (latencies == null) {
      to.writeNullProperty(name);
      return;
    }
    to.writeObjectPropertyStart(name);
    to.writeNumberProperty("p50", latencies.percentileNs(50));
    to.writeNumberProperty("p90", latencies.percentileNs(90));
    to.writeNumberProperty("p99", latencies.percentileNs(99));
    to.writeNumberProperty("p999", latencies.percentileNs(99.9));
    to.writeNumberProperty("max", latencies.maxNs());
    to.writeEndObject();
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
