package dev.zcp.session;

import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// Books a transfer's steps and tells their bytes to somebody else too.
public final class Tracked implements Observer {

  /// In place of what else a read or write did.
  public static final LongSupplier NOTHING_ELSE = () -> 0;

  private final FileLog log;
  private final LongConsumer moved;
  private final DigestingSink through;
  private final LongSupplier otherNs;
  private final boolean readsFile;

  private Tracked(
      FileLog log,
      LongConsumer moved,
      DigestingSink through,
      LongSupplier otherNs,
      boolean readsFile) {
    this.log = log;
    this.moved = moved;
    this.through = through;
    this.otherNs = otherNs;
    this.readsFile = readsFile;
  }

  /// Of what is in memory, and was booked when it was read into it.
  public static Tracked ofMemory(FileLog log, LongConsumer moved) {
    return new Tracked(log, moved, null, NOTHING_ELSE, false);
  }

  /// @param through digests what is written, which takes a part of the time of each write; null if
  ///   nothing does
  /// @param otherNs gives how much of the last read or write was something else, which is booked
  public Tracked(FileLog log, LongConsumer moved, DigestingSink through, LongSupplier otherNs) {
    this(log, moved, through, otherNs, true);
  }

  @Override
  public void moved(String strategy, long offset, long bytes, long elapsedNs) {
    log.moved(strategy, offset, bytes, elapsedNs);
    moved.accept(bytes);
  }

  @Override
  public void read(long offset, long bytes, long elapsedNs) {
    if (readsFile) {
      log.read(offset, bytes, elapsedNs - otherNs.getAsLong());
    }
  }

  @Override
  public void written(long offset, long bytes, long elapsedNs) {
    long besideNs = otherNs.getAsLong();
    if (through != null) {
      long digestNs = through.digestNs();
      log.sample(Stage.DIGEST, offset, bytes, digestNs);
      besideNs += digestNs;
    }
    log.written(offset, bytes, elapsedNs - besideNs);
  }

  @Override
  public void declined(String strategy, String reason) {
    log.declined(strategy, reason);
  }
}
