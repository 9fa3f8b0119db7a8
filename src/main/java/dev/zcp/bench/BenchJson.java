package dev.zcp.bench;

import static dev.zcp.json.JsonType.COUNT;
import static dev.zcp.json.JsonType.FLAG;
import static dev.zcp.json.JsonType.INT;
import static dev.zcp.json.JsonType.NUMBER;
import static dev.zcp.json.JsonType.TEXT;

import dev.zcp.core.Words;
import dev.zcp.engine.Choice;
import dev.zcp.insight.Latencies;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonType;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/// A benchmark for programs: JSON in UTF-8, one object a line, each with its `kind`: `bench`, then
/// a `cell` for each cell, then `end`. What is not known is `null`. Keys and their meaning are kept
/// from release to release; new ones may be added.
public final class BenchJson {

  private static final JsonType<Double> MS = NUMBER.as(ns -> ns / 1e6, ms -> ms * 1e6);

  private static final JsonTable<Machine> MACHINE =
      new JsonTable<Machine>()
          .field("processor", TEXT, Machine::processor)
          .field("processors", INT, Machine::processors)
          .field("memoryBytes", COUNT, Machine::memoryBytes)
          .field("kernel", TEXT, Machine::kernel)
          .field("java", TEXT, Machine::java)
          .field("fileSystem", TEXT, Machine::fileSystem);

  private static final JsonTable<BenchResult.Group> GROUP =
      new JsonTable<BenchResult.Group>()
          .field("title", TEXT, BenchResult.Group::title)
          .field("note", TEXT, BenchResult.Group::note)
          .field("cells", INT, group -> group.cells().size());

  private static final JsonTable<BenchResult> BEGIN =
      new JsonTable<BenchResult>()
          .field("kind", TEXT, _ -> "bench")
          .field("version", TEXT, BenchResult::zcpVersion)
          .field("command", TEXT, BenchResult::command)
          .field("seed", COUNT, BenchResult::seed)
          .field("startedMs", COUNT, BenchResult::startedMs)
          .field("machine", MACHINE, BenchResult::machine)
          .field("groups", GROUP.list(), BenchResult::groups);

  private static final JsonTable<BenchResult> END =
      new JsonTable<BenchResult>()
          .field("kind", TEXT, _ -> "end")
          .field("warnings", TEXT.list(), BenchResult::warnings)
          .field("exitCode", INT, result -> result.exitCode().number());

  private static final JsonTable<Cell.ArticleClaim> ARTICLE =
      new JsonTable<Cell.ArticleClaim>()
          .field("row", TEXT, Cell.ArticleClaim::row)
          .field("figures", TEXT, Cell.ArticleClaim::figures)
          .field("meanMs", NUMBER, Cell.ArticleClaim::meanMs)
          .field("bytes", COUNT, Cell.ArticleClaim::fileBytes);

  private static final JsonTable<Latencies> LATENCIES =
      new JsonTable<Latencies>()
          .field("p50", COUNT, latencies -> latencies.percentileNs(50))
          .field("p90", COUNT, latencies -> latencies.percentileNs(90))
          .field("p99", COUNT, latencies -> latencies.percentileNs(99))
          .field("p999", COUNT, latencies -> latencies.percentileNs(99.9))
          .field("max", COUNT, Latencies::maxNs);

  private static final JsonTable<Model> MODEL =
      new JsonTable<Model>()
          .field("modeSwitches", INT, Model::modeSwitches)
          .field("copies", INT, Model::copies)
          .field("userKernelCopies", INT, Model::userKernelCopies)
          .field("kernelKernelCopies", INT, Model::kernelKernelCopies);

  private static final JsonTable<Cell> CELL =
      new JsonTable<Cell>()
          .field("experiment", TEXT, cell -> cell.experiment().word())
          .field("strategy", TEXT, Cell::contender)
          .fieldIfAny("chunk", COUNT, cell -> cell.hasChunk() ? (Long) cell.chunkBytes() : null)
          .fieldIfAny("chunk", TEXT, BenchJson::chunkWord)
          .field("bytes", COUNT, Cell::fileBytes)
          .field("cache", TEXT, cell -> Words.of(cell.cache()))
          .fieldIfAny("forceEvery", COUNT, BenchJson::forceEvery)
          .fieldIfAny("forceEvery", TEXT, BenchJson::forceWord)
          .field("forceAsynchronously", FLAG, cell -> cell.forcing().asynchronous())
          .field("peerChunk", INT, cell -> hasPeer(cell) ? cell.peer().chunkBytes() : null)
          .field("peerToFile", FLAG, cell -> hasPeer(cell) ? cell.peer().toFile() : null)
          .field("socketBufferAsked", INT, cell -> hasPeer(cell) ? cell.socketBufferBytes() : null)
          .field("article", ARTICLE, cell -> cell.claim().row().isEmpty() ? null : cell.claim());

  private static final JsonTable<CellResult.Measurement> MEASUREMENT =
      new JsonTable<CellResult.Measurement>()
          .field("runs", INT, cell -> cell.samples().size())
          .field("warmUpRuns", INT, CellResult.Measurement::warmUpRuns)
          .field("firstMs", MS, cell -> (double) cell.first().elapsedNs())
          .field("medianMs", MS, cell -> cell.elapsed().median())
          .field("meanMs", MS, cell -> cell.elapsed().mean())
          .field("minMs", MS, cell -> cell.elapsed().min())
          .field("maxMs", MS, cell -> cell.elapsed().max())
          .field("spread", NUMBER, cell -> cell.elapsed().spread())
          .field("bytesPerSecond", NUMBER, cell -> Math.rint(cell.bytesPerSecond()))
          .field("userMs", MS, cell -> cell.mean(Usage::userNs))
          .field("systemMs", MS, cell -> cell.mean(Usage::systemNs))
          .field("systemCalls", NUMBER, CellResult.Measurement::systemCalls)
          // tracepoint, strace, reads-and-writes, none
          .field("systemCallsCounted", TEXT, cell -> Words.of(cell.callCount().kind()))
          .field("contextSwitches", NUMBER, cell -> cell.median(Usage::contextSwitches))
          .field("voluntarySwitches", NUMBER, cell -> cell.median(Usage::voluntarySwitches))
          .field("involuntarySwitches", NUMBER, cell -> cell.median(Usage::involuntarySwitches))
          .field("minorFaults", NUMBER, cell -> cell.median(Usage::minorFaults))
          .field("majorFaults", NUMBER, cell -> cell.median(Usage::majorFaults))
          .field("latencyNs", LATENCIES, CellResult.Measurement::latencies)
          .field("callsPerRun", COUNT, CellResult.Measurement::callsPerRun)
          .field("userBytes", COUNT.orNull(Usage.UNKNOWN), CellResult.Measurement::userBytes)
          .field("model", MODEL, CellResult.Measurement::model)
          .field("socketBuffer", INT, CellResult.Measurement::socketBufferBytes)
          .field("cachedBefore", NUMBER, CellResult.Measurement::cachedBefore)
          .field("forces", COUNT, CellResult.Measurement::forces)
          .field("forceLatencyNs", LATENCIES, CellResult.Measurement::forceLatencies)
          .field("samplesMs", MS.list(), BenchJson::samplesNs);

  /// @param group the title
  private record CellLine(String group, CellResult result) {

    String refused() {
      return result instanceof CellResult.Refused refused ? refused.reason() : null;
    }

    String failed() {
      return result instanceof CellResult.Failed failed ? failed.message() : null;
    }
  }

  private static final JsonTable<CellLine> ROW =
      new JsonTable<CellLine>()
          .field("kind", TEXT, _ -> "cell")
          .field("group", TEXT, CellLine::group)
          .all(CELL, row -> row.result().cell())
          .field("checked", FLAG, row -> row.result() instanceof CellResult.Measurement)
          .fieldIfAny("refused", TEXT, CellLine::refused)
          .fieldIfAny("failed", TEXT, CellLine::failed);

  private static final JsonTable<CellLine> MEASURED_ROW =
      new JsonTable<CellLine>()
          .all(ROW, row -> row)
          .all(MEASUREMENT, row -> (CellResult.Measurement) row.result());

  private BenchJson() {}

  /// Does not close `out`.
  public static void write(BenchResult result, OutputStream out) throws IOException {
    JsonLines lines = new JsonLines();
    out.write(lines.line(BEGIN, result));
    for (BenchResult.Group group : result.groups()) {
      for (CellResult cell : group.cells()) {
        boolean isMeasured = cell instanceof CellResult.Measurement;
        out.write(lines.line(isMeasured ? MEASURED_ROW : ROW, new CellLine(group.title(), cell)));
      }
    }
    out.write(lines.line(END, result));
  }

  private static String chunkWord(Cell cell) {
    return cell.hasChunk() ? null : cell.chunkBytes() == Choice.WHOLE ? "whole" : "own";
  }

  private static String forceWord(Cell cell) {
    long every = cell.forcing().everyBytes();
    return every == 0 ? "never" : every == Long.MAX_VALUE ? "end" : null;
  }

  private static Long forceEvery(Cell cell) {
    return forceWord(cell) == null ? (Long) cell.forcing().everyBytes() : null;
  }

  private static boolean hasPeer(Cell cell) {
    return cell.experiment().needsSocket();
  }

  private static List<Double> samplesNs(CellResult.Measurement cell) {
    return cell.samples().stream().map(run -> (double) run.elapsedNs()).toList();
  }
}
