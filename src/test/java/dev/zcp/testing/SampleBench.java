package dev.zcp.testing;

import dev.zcp.bench.BenchResult;
import dev.zcp.bench.Cell;
import dev.zcp.bench.CellResult;
import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.bench.Experiment;
import dev.zcp.bench.Machine;
import dev.zcp.bench.Usage;
import dev.zcp.engine.Choice;
import dev.zcp.spi.Model;
import java.util.ArrayList;
import java.util.List;

/// Results of benchmarks that nobody ran, with figures as real ones have.
public final class SampleBench {

  public static final Machine MACHINE =
      new Machine(
          "AMD EPYC 7B13", 4, 16L << 30, "Linux 6.1.0-28-amd64", "25.0.1", "ext4, rw, relatime");

  private static final long MIB = 1 << 20;
  private static final Model COPIES = new Model(4, 2, 0);
  private static final Model MAPPING = new Model(4, 0, 1);
  private static final Model KERNEL = new Model(2, 0, 1);

  private SampleBench() {}

  /// A measured cell in the making.
  public static final class Of {
    private Cell cell;
    private Model model = COPIES;
    private double firstMs = 1;
    private double[] runsMs = {1};
    private double userShare = 0.2;
    private long systemCalls = Usage.UNKNOWN;
    private CallCount.CountedBy count = CallCount.CountedBy.NONE;
    private long minorFaults = 3;
    private long[] callsNs = {1_000};
    private long callsPerRun = 1;
    private double copies = 1;
    private int socketBufferBytes;
    private double cachedBefore = 1;
    private long[] forcesNs = {};

    public Of(Cell cell) {
      this.cell = cell;
    }

    public Of cold() {
      this.cell = withCache(cell, Cell.Cache.COLD);
      this.cachedBefore = 0;
      return this;
    }

    public Of claim(String row, String figures, double meanMs) {
      this.cell = withClaim(cell, new Cell.ArticleClaim(row, figures, meanMs, cell.fileBytes()));
      return this;
    }

    /// The same claim, of a file of another size.
    public Of claimOfSize(long bytes) {
      Cell.ArticleClaim claim = cell.claim();
      this.cell =
          withClaim(
              cell, new Cell.ArticleClaim(claim.row(), claim.figures(), claim.meanMs(), bytes));
      return this;
    }

    public Of model(Model model, double copies) {
      this.model = model;
      this.copies = copies;
      return this;
    }

    public Of ms(double firstMs, double... runsMs) {
      this.firstMs = firstMs;
      this.runsMs = runsMs;
      return this;
    }

    /// @param percentilesNs of the calls: 50, 90, 99, 99.9, 100; or a single time for all of them
    public Of calls(long callsPerRun, long... percentilesNs) {
      this.callsPerRun = callsPerRun;
      this.callsNs = percentilesNs.length == 1 ? percentilesNs : samples(percentilesNs);
      return this;
    }

    /// Samples that have these percentiles.
    private static long[] samples(long... percentilesNs) {
      int[] upTo = {500, 900, 990, 999, 1_000};
      long[] samplesNs = new long[1_000];
      for (int i = 0, which = 0; i < samplesNs.length; i++) {
        which += i == upTo[which] ? 1 : 0;
        samplesNs[i] = percentilesNs[which];
      }
      return samplesNs;
    }

    public Of systemCalls(long systemCalls, CallCount.CountedBy count) {
      this.systemCalls = systemCalls;
      this.count = count;
      return this;
    }

    public Of faults(long minorFaults) {
      this.minorFaults = minorFaults;
      return this;
    }

    public Of userShare(double userShare) {
      this.userShare = userShare;
      return this;
    }

    public Of socketBuffer(int socketBufferBytes) {
      this.socketBufferBytes = socketBufferBytes;
      return this;
    }

    public Of unseenCopies() {
      this.copies = -1;
      return this;
    }

    /// @param forcesNs of the forces of one run
    public Of forces(Cell.ForceRule forcing, long... forcesNs) {
      this.cell = with(cell, cell.cache(), forcing, cell.peer(), cell.claim());
      this.forcesNs = forcesNs;
      return this;
    }

    public CellResult.Measurement measured() {
      List<CellResult.Sample> samples = new ArrayList<>();
      for (double runMs : runsMs) {
        samples.add(sample(runMs, samples.size()));
      }
      return new CellResult.Measurement(
          cell,
          model,
          sample(firstMs, 0),
          1,
          samples,
          SampleLatencies.of(callsNs),
          callsPerRun,
          copies < 0 ? Usage.UNKNOWN : Math.round(copies * cell.fileBytes()),
          new CallCount(systemCalls, count, ""),
          socketBufferBytes,
          cachedBefore,
          forcesNs.length,
          forcesNs.length == 0 ? null : SampleLatencies.of(forcesNs));
    }

    private CellResult.Sample sample(double elapsedMs, int run) {
      long elapsedNs = Math.round(elapsedMs * 1e6);
      long userNs = Math.round(elapsedNs * userShare) / 1000 * 1000;
      long systemNs = Math.round(elapsedNs * 0.95 - userNs) / 1000 * 1000;
      Usage usage = new Usage(userNs, Math.max(0, systemNs), run % 3, 1 + run % 2, minorFaults, 0);
      return new CellResult.Sample(elapsedNs, usage);
    }
  }

  public static Of of(Experiment experiment, String contender, long chunkBytes, long fileBytes) {
    return new Of(cell(experiment, contender, chunkBytes, fileBytes));
  }

  public static BenchResult result(List<BenchResult.Group> groups, String... warnings) {
    return new BenchResult(
        "zcp bench read copy --article=A1",
        "0.1.0",
        1_795_273_856_000L,
        MACHINE,
        4711,
        groups,
        List.of(warnings));
  }

  /// Three groups: an article's own table with a cell that failed and one that was refused; a copy,
  /// cold and warm; a sweep of sizes of one call, whose times are far apart.
  public static BenchResult result() {
    return result(
        List.of(article(), copies(), sweep()),
        "the machine was busy with something else for 12% of the time: other programs take turns"
            + " with the runs, and figures may be too high",
        "read stream 200000: the runs differ by more than their median");
  }

  public static BenchResult.Group article() {
    long size = 290 * MIB;
    CallCount.CountedBy all = CallCount.CountedBy.TRACEPOINT;
    CellResult failed =
        new CellResult.Failed(
            withClaim(
                cell(Experiment.READ, "mmap", 200_000, size),
                new Cell.ArticleClaim("A1 3.2", "did not end", Double.NaN, size)),
            "200000 of 304087040 bytes arrived, and the loop ended");
    CellResult refused =
        new CellResult.Refused(
            cell(Experiment.READ, "splice", Choice.ADAPTIVE, size),
            "splice moves between a pipe and something else, and nobody reads memory by it");
    return new BenchResult.Group(
        "read 290 MiB, warm",
        "The article's figures are of a MacBook Pro, 2.2 GHz i7, 16 GB.",
        List.of(
            of(Experiment.READ, "stream", Choice.WHOLE, size)
                .claim("A1 1.1", "556 ms, then 472 ms", 472)
                .ms(196.4, 131.7, 128.2, 130.1, 133.4, 129.9, 140.2, 129.1, 131.2, 130.8, 129.4)
                .calls(1, 131_700_000)
                .systemCalls(9_283, all)
                .faults(74_300)
                .measured(),
            of(Experiment.READ, "stream", 200_000, size)
                .claim("A1 1.2", "176 ms, then 92 ms", 92)
                .ms(71.2, 64.1, 66.9, 63.2, 64.4, 65.0, 63.8, 64.9, 88.2, 64.2, 64.7)
                .calls(1_521, 39_800, 44_100, 61_000, 141_900, 310_000)
                .systemCalls(1_531, all)
                .measured(),
            of(Experiment.READ, "heap", 200_000, size)
                .claim("A1 1.3", "107 ms, then 85 ms", 85)
                .ms(60.3, 55.7, 56.1, 55.2, 55.9, 57.0, 56.3, 55.6, 58.8, 56.0, 55.8)
                .calls(1_521, 34_000, 37_100, 46_000, 96_900, 270_000)
                .systemCalls(1_530, all)
                .measured(),
            of(Experiment.READ, "direct", 200_000, size)
                .claim("A1 2.2", "21 ms, then 0 ms", 0)
                .ms(52.8, 49.9, 48.3, 49.0, 47.4, 50.2, 48.8, 48.1, 55.6, 47.9, 48.6)
                .calls(1_521, 29_000, 32_500, 41_000, 91_900, 190_000)
                .systemCalls(1_529, all)
                .measured(),
            of(Experiment.READ, "direct", 512 << 10, size)
                .ms(51.9, 47.8, 49.3, 47.0, 47.1, 48.2, 48.1, 48.3, 51.6, 47.6, 48.0)
                .calls(580, 79_000, 84_500, 101_000, 133_900, 240_000)
                .systemCalls(588, all)
                .measured(),
            of(Experiment.READ, "mmap", Choice.WHOLE, size)
                .claim("A1 3.1", "35 ms, then 20 ms", 20)
                .model(MAPPING, 0)
                .userShare(0.7)
                .ms(80.6, 69.1, 70.2, 69.9, 71.4, 68.8, 70.0, 69.2, 70.4, 69.7, 70.9)
                .calls(1, 69_100_000)
                .systemCalls(11, all)
                .faults(4_640)
                .measured(),
            failed,
            refused));
  }

  public static BenchResult.Group copies() {
    long size = 1 << 30;
    CallCount.CountedBy some = CallCount.CountedBy.READS_AND_WRITES;
    return new BenchResult.Group(
        "copy 1 GiB",
        "",
        List.of(
            of(Experiment.COPY, "copyFileRange", Choice.ADAPTIVE, size)
                .model(KERNEL, 0)
                .userShare(0)
                .ms(402, 391, 388, 395, 401, 390)
                .calls(62, 5_900_000, 6_800_000, 11_400_000, 19_000_000, 21_000_000)
                .systemCalls(0, some)
                .measured(),
            of(Experiment.COPY, "direct", 512 << 10, size)
                .model(COPIES, 2)
                .ms(451, 440, 442, 439, 460, 441)
                .calls(2_048, 204_000, 240_000, 331_000, 900_000, 1_900_000)
                .systemCalls(4_096, some)
                .measured(),
            of(Experiment.COPY, "copyFileRange", Choice.ADAPTIVE, size)
                .cold()
                .model(KERNEL, 0)
                .userShare(0)
                .ms(1402, 1391, 1288, 1395, 1401, 1390)
                .calls(62, 20_900_000, 25_100_000, 36_400_000, 71_000_000, 91_000_000)
                .systemCalls(0, some)
                .measured()));
  }

  public static BenchResult.Group sweep() {
    long size = 64 * MIB;
    List<CellResult> cells = new ArrayList<>();
    for (long chunk = 32; chunk <= 8 << 20; chunk *= 8) {
      double calls = (double) size / chunk;
      double channelMs = 11 + calls * 0.0009;
      cells.add(
          of(Experiment.WRITE, "direct", chunk, size)
              .ms(channelMs * 1.1, channelMs, channelMs * 1.01, channelMs * 0.99, channelMs * 1.02)
              .calls((long) calls, 700, 810, 1_800, 9_200, 400_000)
              .systemCalls((long) calls + 9, CallCount.CountedBy.STRACE)
              .measured());
      double mappedMs = 19 + calls * 0.00002;
      cells.add(
          of(Experiment.WRITE, "mmap", chunk, size)
              .model(MAPPING, 0)
              .ms(mappedMs * 1.3, mappedMs, mappedMs * 1.03, mappedMs * 0.98, mappedMs * 1.01)
              .calls((long) calls, 20, 25, 31, 900, 14_000)
              .systemCalls(12, CallCount.CountedBy.STRACE)
              .faults(16_400)
              .measured());
    }
    return new BenchResult.Group("write 64 MiB, by the size of one call", "", cells);
  }

  /// Cells of every kind with a name and a message that would harm a terminal or a page.
  public static BenchResult hostile(String text) {
    Cell cell = cell(Experiment.SEND, text, Choice.ADAPTIVE, 0);
    BenchResult.Group group =
        new BenchResult.Group(
            text,
            text,
            List.of(
                new Of(cell).claim(text, text, Double.NaN).ms(0, 0, 0).calls(0, 1).measured(),
                new CellResult.Refused(cell, text),
                new CellResult.Failed(cell, text)));
    Machine machine = new Machine(text, 1, 1, text, text, text);
    return new BenchResult(text, text, 0, machine, -1, List.of(group), List.of(text));
  }

  /// The same cell, its source out of the page cache.
  private static Cell withCache(Cell cell, Cell.Cache cache) {
    return with(cell, cache, cell.forcing(), cell.peer(), cell.claim());
  }

  /// A warm cell with nothing special about it.
  public static Cell cell(
      Experiment experiment, String contender, long chunkBytes, long fileBytes) {
    return new Cell(
        experiment,
        contender,
        chunkBytes,
        fileBytes,
        Cell.Cache.WARM,
        Cell.ForceRule.NEVER,
        Cell.Peer.FAST,
        0,
        Cell.ArticleClaim.NONE);
  }

  private static Cell withClaim(Cell cell, Cell.ArticleClaim claim) {
    return with(cell, cell.cache(), cell.forcing(), cell.peer(), claim);
  }

  private static Cell with(
      Cell cell,
      Cell.Cache cache,
      Cell.ForceRule forcing,
      Cell.Peer peer,
      Cell.ArticleClaim claim) {
    return new Cell(
        cell.experiment(),
        cell.contender(),
        cell.chunkBytes(),
        cell.fileBytes(),
        cache,
        forcing,
        peer,
        cell.socketBufferBytes(),
        claim);
  }
}
