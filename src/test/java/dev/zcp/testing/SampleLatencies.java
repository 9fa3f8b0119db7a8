package dev.zcp.testing;

import dev.zcp.insight.Latencies;
import dev.zcp.insight.StageBook;

/// Latencies of samples that a test makes up.
public final class SampleLatencies {

  private SampleLatencies() {}

  public static Latencies of(long... samplesNs) {
    StageBook book = new StageBook(0);
    for (long sampleNs : samplesNs) {
      book.book(sampleNs);
    }
    return book.close(0);
  }
}
