package dev.zcp.bench.plan;

import java.util.List;

/// FileChannel against streams: 500 MB written 100 bytes or 1 KB at a time in five ways, and 1 GB
/// copied in three, each with total, user and system time in seconds.
///
/// It finds that a mapping is far ahead in small writes, that a copy takes about the same time
/// whichever way, that a stream's buffer of 10 MB is slower than one of 1 MB, and concludes that
/// fewer copies alone make nothing fast: measure your own work.
///
/// Left out is its copy on a network disk, where all three ways took about 16 s: that is the
/// network's figure, and `zcp bench copy --dir=DIRECTORY` measures whatever disk there is.
final class ArticleE {

  private static final long WRITTEN_BYTES = 500L << 20;
  private static final long COPIED_BYTES = 1L << 30;
  private static final long BUFFER_BYTES = 1L << 20;
  private static final long LARGE_BUFFER_BYTES = 10L << 20;

  private static final String MACHINE =
      "The article's machine: RedHat with Linux 4.10, SSD; MB and GB are taken for MiB and GiB.";

  private ArticleE() {}

  static List<Plan.Group> tables(SizeScale scale) {
    return List.of(hundred(scale), thousand(scale), copy(scale));
  }

  private static Plan.Group hundred(SizeScale scale) {
    return new ArticleTable("E", Experiment.WRITE, WRITTEN_BYTES, scale)
        .row("100 B stream", BenchOnly.FILE_STREAM.word(), 100, "13 s (user 3, system 10)", 13_000)
        .row("100 B heap", "heap", 100, "8 s (user 3.5, system 5)", 8_000)
        .row("100 B direct", "direct", 100, "8 s (user 2.7, system 5.4)", 8_000)
        .row("100 B mmap", BenchOnly.MAPPED_ONCE.word(), 100, "0.5 s (user 0.38, system 0.15)", 500)
        .row(
            "100 B mmap buffer",
            BenchOnly.MAPPED_BUFFER.word(),
            100,
            "1 s (user 0.8, system 0.2)",
            1_000)
        .group("article E: write 500 MB, 100 bytes a call", scale.note(MACHINE));
  }

  private static Plan.Group thousand(SizeScale scale) {
    long callBytes = 1L << 10;
    return new ArticleTable("E", Experiment.WRITE, WRITTEN_BYTES, scale)
        .row(
            "1 KB stream",
            BenchOnly.FILE_STREAM.word(),
            callBytes,
            "2.3 s (user 0.5, system 0.7)",
            2_300)
        .row("1 KB heap", "heap", callBytes, "2.1 s (user 1.3, system 0.7)", 2_100)
        .row("1 KB direct", "direct", callBytes, "1.7 s (user 0.8, system 0.7)", 1_700)
        .row(
            "1 KB mmap",
            BenchOnly.MAPPED_ONCE.word(),
            callBytes,
            "0.5 s (user 0.3, system 0.2)",
            500)
        .row(
            "1 KB mmap buffer",
            BenchOnly.MAPPED_BUFFER.word(),
            callBytes,
            "0.8 s (user 0.6, system 0.2)",
            800)
        .group("article E: write 500 MB, 1 KB a call", "");
  }

  private static Plan.Group copy(SizeScale scale) {
    return new ArticleTable("E", Experiment.COPY, COPIED_BYTES, scale)
        .row(
            "copy stream",
            BenchOnly.FILE_STREAM.word(),
            BUFFER_BYTES,
            "3 s (user 0.27, system 1.5)",
            3_000)
        .row(
            "copy stream 10 MB",
            BenchOnly.FILE_STREAM.word(),
            LARGE_BUFFER_BYTES,
            "slower than 1 MB")
        .row(
            "copy transferFrom", "transferTo", BUFFER_BYTES, "2.2 s (user 0.11, system 1.3)", 2_200)
        .row("copy mmap", "mmap", BUFFER_BYTES, "2.4 s (user 0.8, system 1.3)", 2_400)
        .group(
            "article E: copy 1 GB, 1 MB a call",
            scale.note(
                MACHINE
                    + " It copies by transferFrom, which between files does what transferTo does."
                    + " Its mapping of both files, for which its user time speaks, is here one of"
                    + " the source."));
  }
}
