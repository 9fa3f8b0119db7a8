package dev.zcp.bench.plan;

import static dev.zcp.engine.Choice.WHOLE;

import java.util.List;

/// Three zero copies and how they compare: a client sends a file of 8 MB to a server on the same
/// machine, which reads 2048 bytes at a time, writes them to a file and answers.
///
/// It finds transferTo fastest, then a buffer off the heap, then a mapping, then a stream. Its
/// server writes the whole array of 2048 bytes however few were read, so the file that arrives is
/// not the one that was sent: bench/BROKEN-LOOPS.md.
final class ArticleB {

  private static final long FILE_BYTES = 8L << 20;
  private static final int ARRAY_BYTES = 2048;

  private ArticleB() {}

  static List<Plan.Group> sending(SizeScale scale) {
    Peer server = new Peer(ARRAY_BYTES, true);
    return List.of(
        new ArticleTable("B", Experiment.SEND, FILE_BYTES, scale, server)
            .row("stream", BenchOnly.FILE_STREAM.word(), ARRAY_BYTES, 46)
            .row("mmap", "mmap", WHOLE, 32)
            .row("direct", "direct", WHOLE, 26)
            .row("transferTo", "transferTo", WHOLE, 18)
            .group(
                "article B: send 8 MB to a server that reads 2048 bytes at a time",
                scale.note(
                    "The article does not tell its machine; 8 MB is taken for 8 MiB. The buffer off"
                        + " the heap is taken to be as large as the file, as the mapping is. Its"
                        + " server wrote bytes that it had not read; here the file that arrives is"
                        + " compared. No word of answer is waited for: a run ends when the file is"
                        + " written.")));
  }
}
