package dev.zcp.walk;

import dev.zcp.core.Daemon;
import dev.zcp.core.RawPath;
import dev.zcp.core.Uninterruptible;
import java.util.List;

/// Counts what there is to do while it is done, so that somebody who watches sees a share and a
/// time left.
public final class BackgroundCount implements AutoCloseable {

  /// What is over sooner shows no progress.
  private static final long DELAY_MS = 250;

  private final TreeCounter counter;
  private final Thread thread;

  /// Hears the sums once, if they come to be known.
  @FunctionalInterface
  public interface SumListener {
    void on(long files, long bytes);
  }

  /// Begins in a moment.
  ///
  /// @param keepsLinks as [TreeCounter#TreeCounter] has it
  public BackgroundCount(
      Selection selection, boolean keepsLinks, List<RawPath> sources, SumListener listener) {
    this.counter = new TreeCounter(selection, keepsLinks, 1);
    this.thread = Daemon.start(() -> countLater(sources, listener), "zcp-count");
  }

  /// Ends it, known or not.
  @Override
  public void close() {
    counter.stop();
    thread.interrupt();
    Uninterruptible.join(thread);
  }

  private void countLater(List<RawPath> sources, SumListener listener) {
    try {
      Thread.sleep(DELAY_MS);
    } catch (InterruptedException e) {
      // It is all done.
      return;
    }
    if (counter.count(sources)) {
      listener.on(counter.files(), counter.bytes());
    }
  }
}
