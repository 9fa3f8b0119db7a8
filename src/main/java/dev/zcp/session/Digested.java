package dev.zcp.session;

import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;

/// Books a transfer whose bytes are digested on their way, and tells the digest's time apart from
/// that of the writing.
public record Digested(Tracked tracked, FileLog log, DigestingSink sink) implements Observer {

  @Override
  public void moved(String strategy, long offset, long bytes, long elapsedNs) {
    tracked.moved(strategy, offset, bytes, elapsedNs);
  }

  @Override
  public void read(long offset, long bytes, long elapsedNs) {
    tracked.read(offset, bytes, elapsedNs);
  }

  @Override
  public void written(long offset, long bytes, long elapsedNs) {
    long digestNs = sink.digestNs();
    log.sample(Stage.DIGEST, offset, bytes, digestNs);
    tracked.written(offset, bytes, elapsedNs - digestNs);
  }

  @Override
  public void declined(String strategy, String reason) {
    tracked.declined(strategy, reason);
  }
}
