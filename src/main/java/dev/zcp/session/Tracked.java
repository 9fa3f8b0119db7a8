package dev.zcp.session;

import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.FileLog;
import java.util.function.LongConsumer;

/// Books a transfer's steps and tells their bytes to somebody else too.
public record Tracked(FileLog log, LongConsumer moved) implements Observer {

  @Override
  public void moved(String strategy, long bytes, long elapsedNs) {
    log.moved(strategy, bytes, elapsedNs);
    moved.accept(bytes);
  }

  @Override
  public void read(long bytes, long elapsedNs) {
    log.read(bytes, elapsedNs);
  }

  @Override
  public void written(long bytes, long elapsedNs) {
    log.written(bytes, elapsedNs);
  }

  @Override
  public void declined(String strategy, String reason) {
    log.declined(strategy, reason);
  }
}
