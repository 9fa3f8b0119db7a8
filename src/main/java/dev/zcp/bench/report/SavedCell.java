package dev.zcp.bench.report;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.plan.Cache;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Claim;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.plan.Forcing;
import dev.zcp.bench.plan.Peer;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.spi.Model;
import java.util.List;

/// Reads one cell. The median, the mean and what else follows from the single runs is made anew
/// from them.
final class SavedCell {

  /// Thirty years; as nanoseconds it still fits into a `long`.
  private static final double MS_MAX = 1e12;

  private static final double NS_PER_MS = 1e6;

  private static final int COPIES_MAX = 1_000;

  private SavedCell() {}

  static Row row(Fields from) throws Failure {
    Cell cell = cell(from);
    if (from.flag("checked")) {
      return measured(cell, from);
    }
    return from.has("refused")
        ? new Row.Refused(cell, from.text("refused"))
        : new Row.Failed(cell, from.text("failed"));
  }

  private static Cell cell(Fields from) throws Failure {
    Experiment experiment = from.oneOf("experiment", Experiment.values(), Experiment::word);
    return new Cell(
        experiment,
        from.text("strategy"),
        chunkBytes(from),
        from.count("bytes", Long.MAX_VALUE),
        from.oneOf("cache", Cache.values(), Cache::word),
        new Forcing(forceEvery(from), from.flag("forceAsynchronously")),
        experiment.needsSocket() ? peer(from) : Peer.FAST,
        experiment.needsSocket() ? (int) from.count("socketBufferAsked", Integer.MAX_VALUE) : 0,
        claim(from));
  }

  private static Peer peer(Fields from) throws Failure {
    return new Peer((int) from.count("peerChunk", Integer.MAX_VALUE), from.flag("peerToFile"));
  }

  private static long chunkBytes(Fields from) throws Failure {
    long chunk = from.numberOr("chunk", JsonLines.WHOLE, JsonLines.OWN);
    return chunk == -1 ? Choice.WHOLE : chunk == -2 ? Choice.ADAPTIVE : chunk;
  }

  private static long forceEvery(Fields from) throws Failure {
    long every = from.numberOr("forceEvery", JsonLines.NEVER, JsonLines.END);
    if (every > 0) {
      return every;
    }
    return (every == -1 ? Forcing.NEVER : Forcing.AT_THE_END).everyBytes();
  }

  private static Claim claim(Fields from) throws Failure {
    if (!from.has("article")) {
      return Claim.NONE;
    }
    Fields article = from.object("article");
    return new Claim(
        article.text("row"),
        article.text("figures"),
        article.amountIfKnown("meanMs", MS_MAX),
        article.count("bytes", Long.MAX_VALUE));
  }

  private static Row.Measured measured(Cell cell, Fields from) throws Failure {
    List<Long> samplesNs =
        from.amounts("samplesMs", MS_MAX).stream()
            .map(elapsedMs -> Math.round(elapsedMs * NS_PER_MS))
            .toList();
    if (samplesNs.isEmpty()) {
      throw from.malformed("'samplesMs' is empty");
    }
    Fields model = from.object("model");
    return new Row.Measured(
        cell,
        new Model(
            (int) model.count("modeSwitches", COPIES_MAX),
            (int) model.count("userKernelCopies", COPIES_MAX),
            (int) model.count("kernelKernelCopies", COPIES_MAX)),
        ns(from, "firstMs"),
        (int) from.count("warmUpRuns", Integer.MAX_VALUE),
        samplesNs,
        new Use(
            ns(from, "userMs"),
            ns(from, "systemMs"),
            from.amountIfKnown("systemCalls", Long.MAX_VALUE),
            from.amount("contextSwitches", Long.MAX_VALUE),
            from.amount("voluntarySwitches", Long.MAX_VALUE),
            from.amount("involuntarySwitches", Long.MAX_VALUE),
            from.amount("minorFaults", Long.MAX_VALUE),
            from.amount("majorFaults", Long.MAX_VALUE)),
        times(from.object("latencyNs")),
        from.count("callsPerRun", Long.MAX_VALUE),
        from.amountIfKnown("userBytes", Long.MAX_VALUE),
        from.oneOf("systemCallsCounted", SystemCallCount.values(), JsonLines::word),
        (int) from.count("socketBuffer", Integer.MAX_VALUE),
        from.amountIfKnown("cachedBefore", 1),
        from.count("forces", Long.MAX_VALUE),
        from.has("forceLatencyNs") ? times(from.object("forceLatencyNs")) : null);
  }

  private static CallTimes times(Fields from) throws Failure {
    return new CallTimes(
        from.count("p50", Long.MAX_VALUE),
        from.count("p90", Long.MAX_VALUE),
        from.count("p99", Long.MAX_VALUE),
        from.count("p999", Long.MAX_VALUE),
        from.count("max", Long.MAX_VALUE));
  }

  private static long ns(Fields from, String key) throws Failure {
    return Math.round(from.amount(key, MS_MAX) * NS_PER_MS);
  }
}
