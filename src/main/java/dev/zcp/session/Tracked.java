package dev.zcp.session;

import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import java.util.function.LongConsumer;

/// Books a transfer's steps and tells their bytes to somebody else too.
public final class Tracked implements Observer {

  private final FileLog log;
  private final LongConsumer moved;
  private final DigestingSink through;
  private final boolean readsFile;

  private Tracked(FileLog log, LongConsumer moved, DigestingSink through, boolean readsFile) {
    this.log = log;
    this.moved = moved;
    this.through = through;
    this.readsFile = readsFile;
  }

  /// Of what is in memory, and was booked when it was read into it.
  public static Tracked ofMemory(FileLog log, LongConsumer moved) {
    return new Tracked(log, moved, null, false);
  }

  /// @param through digests what is written, which takes a part of the time of each write; null if
  ///   nothing does
  public Tracked(FileLog log, LongConsumer moved, DigestingSink through) {
    this(log, moved, through, true);
  }

  @Override
  public void moved(String strategy, long offset, long bytes, long elapsedNs) {
    log.moved(strategy, offset, bytes, elapsedNs);
    moved.accept(bytes);
  }

  @Override
  public void read(long offset, long bytes, long elapsedNs) {
    if (readsFile) {
      log.read(offset, bytes, elapsedNs);
    }
  }

  @Override
  public void written(long offset, long bytes, long elapsedNs) {
    long digestNs = 0;
    if (through != null) {
      digestNs = through.digestNs();
      log.sample(Stage.DIGEST, offset, bytes, digestNs);
    }
    log.written(offset, bytes, elapsedNs - digestNs);
  }

  @Override
  public void declined(String strategy, String reason) {
    log.declined(strategy, reason);
  }
}
