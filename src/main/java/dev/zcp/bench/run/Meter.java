package dev.zcp.bench.run;

import dev.zcp.bench.result.CellResult;
import dev.zcp.insight.StageBook;

/// What one run did, told call by call on the thread that does it. All calls are counted; of small
/// ones the time of some only is booked, since booking takes as long as such a call does.
final class Meter implements SamplingObserver {

  private final StageBook book;
  private final StageBook forces;
  private String ran = "";
  private long calls;
  private int smallToSkip;
  private long readBytes;
  private long writtenBytes;

  /// @param book gets the latency of each call
  /// @param forces gets the latency of each force, from whatever thread
  Meter(StageBook book, StageBook forces) {
    this.book = book;
    this.forces = forces;
  }

  @Override
  public void moved(String strategy, long bytes, long elapsedNs) {
    ran = strategy;
    calls++;
    if (wantsTimeOf(bytes)) {
      book.book(elapsedNs);
    }
    if (bytes < CellResult.SMALL_CALL_BYTES) {
      smallToSkip = smallToSkip == 0 ? CellResult.SMALL_CALLS_BOOKED_EVERY - 1 : smallToSkip - 1;
    }
  }

  @Override
  public boolean wantsTimeOf(long bytesMax) {
    return bytesMax >= CellResult.SMALL_CALL_BYTES || smallToSkip == 0;
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
  SamplingObserver ofMapping() {
    return new SamplingObserver() {
      @Override
      public boolean wantsTimeOf(long bytesMax) {
        return Meter.this.wantsTimeOf(bytesMax);
      }

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

  StageBook forces() {
    return forces;
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
