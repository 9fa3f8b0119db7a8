package dev.zcp.bench.run;

import dev.zcp.engine.Observer;
import dev.zcp.insight.StageBook;

/// What one run did, told call by call on the thread that does it.
final class Meter implements Observer {

  private final StageBook book;
  private String ran = "";
  private long calls;
  private long readBytes;
  private long writtenBytes;

  /// @param book gets the latency of each call
  Meter(StageBook book) {
    this.book = book;
  }

  @Override
  public void moved(String strategy, long bytes, long elapsedNs) {
    ran = strategy;
    calls++;
    book.book(elapsedNs);
  }

  @Override
  public void read(long bytes, long elapsedNs) {
    readBytes += bytes;
  }

  @Override
  public void written(long bytes, long elapsedNs) {
    writtenBytes += bytes;
  }

  @Override
  public void declined(String strategy, String reason) {}

  /// The same for those that read or write a mapping: what they copy stays in this process.
  Observer ofMapping() {
    return new Observer() {
      @Override
      public void moved(String strategy, long bytes, long elapsedNs) {
        Meter.this.moved(strategy, bytes, elapsedNs);
      }

      @Override
      public void read(long bytes, long elapsedNs) {}

      @Override
      public void written(long bytes, long elapsedNs) {}

      @Override
      public void declined(String strategy, String reason) {}
    };
  }

  /// The name of what moved the last bytes; empty where nothing did.
  String ran() {
    return ran;
  }

  long calls() {
    return calls;
  }

  /// The bytes that were read from the source into memory of this process.
  long readBytes() {
    return readBytes;
  }

  /// The bytes that were written to the target from memory of this process.
  long writtenBytes() {
    return writtenBytes;
  }
}
