package dev.zcp.bench;

import static dev.zcp.engine.Choice.WHOLE;

import dev.zcp.bench.BenchRequest.CellGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;

/// The tables of five articles on moving files in Java, to be run again here. Their figures stand
/// beside ours with the machine they were taken on; they are no aims. Calls are those of this
/// product's strategies if it has them; streams are those of `java.io`, as in the articles.
///
/// bench/BROKEN-LOOPS.md has the loops of A and B that did not do what was timed.
public enum Article {

  /// It finds that several ways take no time at all. The loops of those ended early.
  A1("A close look at zero copy in Java: a file of 290 MB read", Article::reading),
  A2("the same article: the file copied", Article::copying),
  A3("the same article: the file sent to a local socket", Article::sending),

  B("Three zero copies compared: 8 MB sent, read 2048 bytes at a time", Article::sendingToAServer),

  /// It has curves and no tables, so the sizes between the two ends are ours: each power of two at
  /// which a claim turns, its neighbours, and few beyond.
  C("MappedByteBuffer against FileChannel: 1 GB in calls of all sizes", Article::sweeps),

  /// Of IBM developerWorks, 2008.
  D("Efficient data transfer through zero copy: 21 MB to 1 GB sent", Article::sendingSevenSizes),

  /// Left out is its copy on a network disk, whose figure is the network's.
  E("FileChannel against streams: small writes, and a copy", Article::smallWritesAndACopy);

  public static final double SCALE_MAX = 1000;

  /// No file gets smaller than this: what a run would show of a smaller one is how it begins and
  /// ends.
  static final long BYTES_MIN = 64L << 10;

  private static final String STREAM = BenchOnly.FILE_STREAM.word();
  private static final String MAPPING = BenchOnly.MAPPED_ONCE.word();
  private static final long SIZE_A = 290_000_000;
  private static final long GIB = 1L << 30;

  /// In place of a time that the article does not give.
  private static final double NONE = Double.NaN;

  private static final String MACHINE_A =
      "The article's machine: MacBook Pro, i7 at 2.2 GHz, 16 GB; 290 MB is 290 000 000 bytes."
          + " Its times of 0 and near it are of loops that ended after one buffer or none; here all"
          + " bytes move.";

  private static final String MACHINE_C =
      "The article's machine: i7 at 4.2 GHz, SSD of about 2 GB/s; 1 GB is taken for 1 GiB.";

  private static final String MACHINE_E =
      "The article's machine: RedHat with Linux 4.10, SSD; MB and GB are taken for MiB and GiB.";

  private final String summary;
  private final DoubleFunction<List<CellGroup>> groups;

  Article(String summary, DoubleFunction<List<CellGroup>> groups) {
    this.summary = summary;
    this.groups = groups;
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Article::name).toList();
  }

  public String summary() {
    return summary;
  }

  public static boolean isPossible(double scale) {
    return scale > 0 && scale <= SCALE_MAX;
  }

  /// Its tables in its own order, rows in their order.
  ///
  /// @param scale by how much files are made larger or smaller, [possible][#isPossible]. The sizes
  ///   of calls stay: they are what an article is about
  public List<CellGroup> groups(double scale) {
    return groups.apply(scale);
  }

  private static List<CellGroup> reading(double scale) {
    return new Rows("A1", Experiment.READ, SIZE_A, scale)
        .row("1.1", STREAM, WHOLE, 556, 472)
        .row("1.2", STREAM, 200_000, 176, 92)
        .row("1.3", "heap", 200_000, 107, 85)
        .row("2.1", "direct", WHOLE, 282, 285)
        .row("2.2", "direct", 200_000, 21, 0)
        .row("3.1", "mmap", WHOLE, 35, 20)
        .row("3.2", "mmap", 200_000, "no end in more than 10 s", NONE)
        .groups(
            "article A1: read 290 MB",
            MACHINE_A + " Nor did it touch the mapping of 3.1; here every byte is looked at.");
  }

  private static List<CellGroup> copying(double scale) {
    return new Rows("A2", Experiment.COPY, SIZE_A, scale)
        .row("1.1", STREAM, WHOLE, 1216, 941)
        .row("1.2", STREAM, 200_000, 392, 336)
        .row("1.3", "heap", 200_000, 26, 0)
        .row("2.1", "direct", WHOLE, 549, 495)
        .row("2.2", "direct", 200_000, 23, 0)
        .row("mmap", "mmap", WHOLE, 290, 262)
        .row("transferTo", "transferTo", WHOLE, 290, 253)
        .row("splice", "splice", WHOLE, "", NONE)
        .groups("article A2: copy 290 MB", MACHINE_A);
  }

  private static List<CellGroup> sending(double scale) {
    return new Rows("A3", Experiment.SEND, SIZE_A, scale)
        .row("1.1", STREAM, WHOLE, 566, 566)
        .row("stream 10000", STREAM, 10_000, 215, 200)
        .row("stream 200000", STREAM, 200_000, 165, 116)
        .row("heap", "heap", 200_000, 13, 0)
        .row("direct whole", "direct", WHOLE, 215, 200)
        .row("direct 200000", "direct", 200_000, 16, 0)
        .row("mmap", "mmap", WHOLE, 16, 0)
        .row("transferTo", "transferTo", WHOLE, 16, 10)
        .row("splice", "splice", WHOLE, "", NONE)
        .groups(
            "article A3: send 290 MB to a local socket",
            MACHINE_A + " The heap buffer is taken to have 200000 bytes, as in its other tables.");
  }

  private static List<CellGroup> sendingToAServer(double scale) {
    return new Rows("B", Experiment.SEND, 8L << 20, scale)
        .to(new Cell.Peer(2048, true))
        .row("stream", STREAM, 2048, "46 ms", 46)
        .row("mmap", "mmap", WHOLE, "32 ms", 32)
        .row("direct", "direct", WHOLE, "26 ms", 26)
        .row("transferTo", "transferTo", WHOLE, "18 ms", 18)
        .groups(
            "article B: send 8 MB to a server that reads 2048 bytes at a time",
            "The article does not tell its machine; 8 MB is taken for 8 MiB. The buffer off the"
                + " heap is taken to be as large as the file, as the mapping is. Its server wrote"
                + " bytes that it had not read; here the file that arrives is compared. No word of"
                + " answer is waited for: a run ends when the file is written.");
  }

  private static List<CellGroup> sweeps(double scale) {
    List<CellGroup> groups = new ArrayList<>(sweep(Experiment.READ, 4L << 10, scale));
    groups.addAll(sweep(Experiment.WRITE, 64, scale));
    groups.addAll(forcing(scale));
    return groups;
  }

  /// A group for each size of a call; the first has the note of all.
  ///
  /// @param turnBytes from this size of a call on the channel is said to win
  private static List<CellGroup> sweep(Experiment experiment, long turnBytes, double scale) {
    List<CellGroup> groups = new ArrayList<>();
    String[] sizes = {
      "32 B", "64 B", "128 B", "512 B", "1 KiB", "2 KiB", "4 KiB", "16 KiB", "64 KiB", "1 MiB",
      "32 MiB", "whole"
    };
    long[] callsBytes = {
      32, 64, 128, 512, 1 << 10, 2 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20, 32 << 20, WHOLE
    };
    for (int i = 0; i < sizes.length; i++) {
      long bytes = callsBytes[i];
      String row = experiment.word() + " " + sizes[i];
      String calls = bytes == WHOLE ? "in one call" : sizes[i] + " a call";
      groups.addAll(
          new Rows("C", experiment, GIB, scale)
              .row(row, MAPPING, bytes, bytes < turnBytes ? "ahead of the channel" : "", NONE)
              .row(row, "direct", bytes, bytes < turnBytes ? "" : "ahead of the mapping", NONE)
              .row(row, BenchOnly.RANDOM_ACCESS_FILE.word(), bytes, "", NONE)
              .row(row, STREAM, bytes, "", NONE)
              .groups(
                  "article C: " + experiment.word() + " 1 GB, " + calls,
                  i > 0
                      ? ""
                      : MACHINE_C
                          + " It gives curves, not figures. If a buffer cannot hold the whole file,"
                          + " one call moves what it holds."));
    }
    return groups;
  }

  private static List<CellGroup> forcing(double scale) {
    Cell.ForceRule often = new Cell.ForceRule(16L << 10, true);
    String alone = "about 800 ms for the force alone";
    return new Rows("C", Experiment.FORCE, GIB, scale)
        .row("mapping, never forced", MAPPING, 4 << 10, "about 1500 ms", 1500)
        .forced(often)
        .row("mapping, forced every 16 KB", MAPPING, 4 << 10, "about 4000 ms", 4000)
        .forced(Cell.ForceRule.AT_THE_END)
        .row("mapping, forced at the end", MAPPING, 4 << 10, alone, NONE)
        .forced(Cell.ForceRule.NEVER)
        .row("channel, never forced", "direct", 4 << 10, "", NONE)
        .forced(often)
        .row("channel, forced every 16 KB", "direct", 4 << 10, "as without", NONE)
        .forced(Cell.ForceRule.AT_THE_END)
        .row("channel, forced at the end", "direct", 4 << 10, alone, NONE)
        .groups(
            "article C: write 1 GB and force it",
            MACHINE_C
                + " Calls are taken to be of 4 KiB. Forces beside the writing are done by one"
                + " thread here, which makes one of those that came meanwhile, and a run ends when"
                + " the last of them has; the article does not say how its own ended. Its 800 ms"
                + " are of the force alone, ours of writing and force together.");
  }

  private static List<CellGroup> sendingSevenSizes(double scale) {
    List<CellGroup> groups = new ArrayList<>();
    String[] sizes = {"21 MB", "63 MB", "98 MB", "200 MB", "350 MB", "700 MB", "1 GB"};
    int[] megabytes = {21, 63, 98, 200, 350, 700, 1024};
    int[] traditionalMs = {337, 843, 1320, 2124, 3631, 13498, 18399};
    int[] transferToMs = {128, 387, 617, 1150, 1762, 4422, 8537};
    for (int i = 0; i < sizes.length; i++) {
      String old = traditionalMs[i] + " ms";
      String better = transferToMs[i] + " ms";
      groups.addAll(
          new Rows("D", Experiment.SEND, (long) megabytes[i] << 20, scale)
              .to(new Cell.Peer(4 << 10, false))
              .row(sizes[i] + " traditional", STREAM, 4 << 10, old, traditionalMs[i])
              .row(sizes[i] + " transferTo", "transferTo", WHOLE, better, transferToMs[i])
              .groups(
                  "article D: send " + sizes[i] + " to a server that reads 4 KB at a time",
                  i > 0
                      ? ""
                      : "The article's machine: Linux 2.6 and no more is said; MB is taken for MiB."
                          + " It claims about 65 % less time by transferTo, over all these"
                          + " sizes."));
    }
    return groups;
  }

  private static List<CellGroup> smallWritesAndACopy(double scale) {
    String mapped = BenchOnly.MAPPED_BUFFER.word();
    List<CellGroup> groups =
        new ArrayList<>(
            new Rows("E", Experiment.WRITE, 500L << 20, scale)
                .row("100 B stream", STREAM, 100, "13 s (user 3, system 10)", 13_000)
                .row("100 B heap", "heap", 100, "8 s (user 3.5, system 5)", 8_000)
                .row("100 B direct", "direct", 100, "8 s (user 2.7, system 5.4)", 8_000)
                .row("100 B mmap", MAPPING, 100, "0.5 s (user 0.38, system 0.15)", 500)
                .row("100 B mmap buffer", mapped, 100, "1 s (user 0.8, system 0.2)", 1_000)
                .groups("article E: write 500 MB, 100 bytes a call", MACHINE_E));
    groups.addAll(
        new Rows("E", Experiment.WRITE, 500L << 20, scale)
            .row("1 KB stream", STREAM, 1 << 10, "2.3 s (user 0.5, system 0.7)", 2_300)
            .row("1 KB heap", "heap", 1 << 10, "2.1 s (user 1.3, system 0.7)", 2_100)
            .row("1 KB direct", "direct", 1 << 10, "1.7 s (user 0.8, system 0.7)", 1_700)
            .row("1 KB mmap", MAPPING, 1 << 10, "0.5 s (user 0.3, system 0.2)", 500)
            .row("1 KB mmap buffer", mapped, 1 << 10, "0.8 s (user 0.6, system 0.2)", 800)
            .groups("article E: write 500 MB, 1 KB a call", ""));
    groups.addAll(
        new Rows("E", Experiment.COPY, GIB, scale)
            .row("copy stream", STREAM, 1 << 20, "3 s (user 0.27, system 1.5)", 3_000)
            .row("copy stream 10 MB", STREAM, 10 << 20, "slower than 1 MB", NONE)
            .row("copy transferFrom", "transferTo", 1 << 20, "2.2 s (user 0.11, system 1.3)", 2_200)
            .row("copy mmap", "mmap", 1 << 20, "2.4 s (user 0.8, system 1.3)", 2_400)
            .groups(
                "article E: copy 1 GB, 1 MB a call",
                MACHINE_E
                    + " It copies by transferFrom, which between files does what transferTo does."
                    + " Its mapping of both files, for which its user time speaks, is here one of"
                    + " the source."));
    return groups;
  }

  /// A table as it grows, row by row in the article's order: a group of cells that do the same
  /// work.
  private static final class Rows {

    private final String name;
    private final Experiment experiment;
    private final long articleBytes;
    private final double scale;
    private final List<Cell> cells = new ArrayList<>();
    private Cell.Peer peer = Cell.Peer.FAST;
    private Cell.ForceRule forcing = Cell.ForceRule.NEVER;

    /// @param name what the claim of each row begins with: `A1`
    /// @param articleBytes the size of the file in the article
    Rows(String name, Experiment experiment, long articleBytes, double scale) {
      this.name = name;
      this.experiment = experiment;
      this.articleBytes = articleBytes;
      this.scale = scale;
    }

    Rows to(Cell.Peer peer) {
      this.peer = peer;
      return this;
    }

    Rows forced(Cell.ForceRule forcing) {
      this.forcing = forcing;
      return this;
    }

    /// A row with a first run and the mean of the next ten, in milliseconds.
    Rows row(String row, String contender, long chunkBytes, int firstMs, int meanMs) {
      return row(row, contender, chunkBytes, firstMs + " ms, then " + meanMs + " ms", meanMs);
    }

    /// @param figures as the article gives them; may be empty
    Rows row(String row, String contender, long chunkBytes, String figures, double ms) {
      long fileBytes = Math.max(BYTES_MIN, Math.round(articleBytes * scale));
      Cell.ArticleClaim claim = new Cell.ArticleClaim(name + " " + row, figures, ms, articleBytes);
      Cell.Cache cache = Cell.Cache.WARM;
      cells.add(
          new Cell(experiment, contender, chunkBytes, fileBytes, cache, forcing, peer, 0, claim));
      return this;
    }

    List<CellGroup> groups(String title, String note) {
      String scaled =
          " Sizes here are " + scale + " times the article's; its figures are of its own sizes.";
      String all = scale == 1 || note.isEmpty() ? note : note + scaled;
      return List.of(new CellGroup(title, all, cells));
    }
  }
}
