package dev.zcp.bench;

import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.StageBook;

/// What one run did, told call by call on the thread that does it.
final class Meter implements Observer {

  private final StageBook book;
  private final StageBook forces;

  private String ran = "";
  private long calls;
  private int smallToSkip;
  private long readBytes;
  private long writtenBytes;
  private boolean isMapping;
  private Forcer forcer;

  /// @param book gets the latency of calls
  /// @param forces gets the latency of each force, from whatever thread
  Meter(StageBook book, StageBook forces) {
    this.book = book;
    this.forces = forces;
  }

  /// After each call from now on it may be time to force what was written.
  void forceBy(Forcer forcer) {
    this.forcer = forcer;
  }

  /// A mapping is read or written: what is copied stays in this process.
  void ofMapping() {
    isMapping = true;
  }

  @Override
  public void moved(String strategy, long offset, long bytes, long elapsedNs) {
    ran = strategy;
    calls++;
    if (wantsTimeOf(bytes)) {
      book.book(elapsedNs);
    }
    if (bytes < CellResult.SMALL_CALL_BYTES) {
      smallToSkip = smallToSkip == 0 ? CellResult.SMALL_CALLS_BOOKED_EVERY - 1 : smallToSkip - 1;
    }
    if (forcer != null) {
      forcer.wrote(bytes);
    }
  }

  /// Whether the time of the next call is wanted; if it is not, 0 will do and no clock need be
  /// read.
  ///
  /// @param bytesMax the most that this call may move
  boolean wantsTimeOf(long bytesMax) {
    return bytesMax >= CellResult.SMALL_CALL_BYTES || smallToSkip == 0;
  }

  @Override
  public void read(long offset, long bytes, long elapsedNs) {
    readBytes += isMapping ? 0 : bytes;
  }

  @Override
  public void written(long offset, long bytes, long elapsedNs) {
    writtenBytes += isMapping ? 0 : bytes;
  }

  /// What moved the last bytes; empty if nothing did.
  String ran() {
    return ran;
  }

  long calls() {
    return calls;
  }

  StageBook forces() {
    return forces;
  }

  long readBytes() {
    return readBytes;
  }

  long writtenBytes() {
    return writtenBytes;
  }
}
