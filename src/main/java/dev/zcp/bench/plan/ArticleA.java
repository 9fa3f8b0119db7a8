package dev.zcp.bench.plan;

import static dev.zcp.engine.Choice.WHOLE;

import java.util.List;

/// A close look at zero copy in Java: one file of 290 MB, read, copied and sent in the same ways,
/// each with the time of the first run and the mean of the next ten.
///
/// It counts switches and copies for each way of sending, which `zcp strategies` prints, and finds
/// that large arrays are slow, that a buffer of 200000 bytes serves well, and that several ways
/// take no time at all, which its author could not explain. The explanation is in the loops: a
/// buffer that is not cleared is full at the second read, which gives 0 and ends the loop; one that
/// is flipped twice is empty; and a mapping that nobody touches reads nothing.
/// bench/BROKEN-LOOPS.md has each of them.
///
/// It names splice(2) as something for which Java has no API: a row without figures.
final class ArticleA {

  private static final long FILE_BYTES = 290_000_000;
  private static final long BUFFER_BYTES = 200_000;
  private static final long SMALL_BUFFER_BYTES = 10_000;

  private static final String MACHINE =
      "The article's machine: MacBook Pro, i7 at 2.2 GHz, 16 GB; 290 MB is 290 000 000 bytes.";

  private static final String EARLY_END =
      " Its times of 0 and near it are of loops that ended after one buffer or none; here all bytes"
          + " move.";

  private ArticleA() {}

  static List<Plan.Group> reading(SizeScale scale) {
    return List.of(
        new ArticleTable("A1", Experiment.READ, FILE_BYTES, scale)
            .row("1.1", BenchOnly.FILE_STREAM.word(), WHOLE, 556, 472)
            .row("1.2", BenchOnly.FILE_STREAM.word(), BUFFER_BYTES, 176, 92)
            .row("1.3", "heap", BUFFER_BYTES, 107, 85)
            .row("2.1", "direct", WHOLE, 282, 285)
            .row("2.2", "direct", BUFFER_BYTES, 21, 0)
            .row("3.1", "mmap", WHOLE, 35, 20)
            .row("3.2", "mmap", BUFFER_BYTES, "no end in more than 10 s")
            .group(
                "article A1: read 290 MB",
                scale.note(
                    MACHINE
                        + EARLY_END
                        + " Nor did it touch the mapping of 3.1; here every byte is looked at.")));
  }

  static List<Plan.Group> copying(SizeScale scale) {
    return List.of(
        new ArticleTable("A2", Experiment.COPY, FILE_BYTES, scale)
            .row("1.1", BenchOnly.FILE_STREAM.word(), WHOLE, 1216, 941)
            .row("1.2", BenchOnly.FILE_STREAM.word(), BUFFER_BYTES, 392, 336)
            .row("1.3", "heap", BUFFER_BYTES, 26, 0)
            .row("2.1", "direct", WHOLE, 549, 495)
            .row("2.2", "direct", BUFFER_BYTES, 23, 0)
            .row("mmap", "mmap", WHOLE, 290, 262)
            .row("transferTo", "transferTo", WHOLE, 290, 253)
            .row("splice", "splice", WHOLE, "")
            .group("article A2: copy 290 MB", scale.note(MACHINE + EARLY_END)));
  }

  static List<Plan.Group> sending(SizeScale scale) {
    return List.of(
        new ArticleTable("A3", Experiment.SEND, FILE_BYTES, scale)
            .row("1.1", BenchOnly.FILE_STREAM.word(), WHOLE, 566, 566)
            .row("stream 10000", BenchOnly.FILE_STREAM.word(), SMALL_BUFFER_BYTES, 215, 200)
            .row("stream 200000", BenchOnly.FILE_STREAM.word(), BUFFER_BYTES, 165, 116)
            .row("heap", "heap", BUFFER_BYTES, 13, 0)
            .row("direct whole", "direct", WHOLE, 215, 200)
            .row("direct 200000", "direct", BUFFER_BYTES, 16, 0)
            .row("mmap", "mmap", WHOLE, 16, 0)
            .row("transferTo", "transferTo", WHOLE, 16, 10)
            .row("splice", "splice", WHOLE, "")
            .group(
                "article A3: send 290 MB to a local socket",
                scale.note(
                    MACHINE
                        + EARLY_END
                        + " The heap buffer is taken to have 200000 bytes, as in its other"
                        + " tables.")));
  }
}
