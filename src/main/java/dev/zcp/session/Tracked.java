package dev.zcp.session;

import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.FileLog;
import java.util.function.LongConsumer;

/// Books a transfer's steps and tells their bytes to somebody else too.
public record Tracked(FileLog log, LongConsumer moved) implements Observer {

  @Override
  public void moved(String strategy, long offset, long bytes, long elapsedNs) {
    log.moved(strategy, offset, bytes, elapsedNs);
    moved.accept(bytes);
  }

  @Override
  public void read(long offset, long bytes, long elapsedNs) {
    log.read(offset, bytes, elapsedNs);
  }

  @Override
  public void written(long offset, long bytes, long elapsedNs) {
    log.written(offset, bytes, elapsedNs);
  }

  @Override
  public void declined(String strategy, String reason) {
    log.declined(strategy, reason);
  }
}
