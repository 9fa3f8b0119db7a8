package dev.zcp.session;

import dev.zcp.core.ByteSize;
import dev.zcp.insight.Insight;
import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of a session were there from before and count as arrived without having been read
/// again at this end, as [ResumeVerify] allows. Any thread may call it.
public final class BelievedBytes {

  private final AtomicLong bytes = new AtomicLong();

  public void add(long more) {
    bytes.addAndGet(more);
  }

  /// Has the report tell of them beside how the others were proved, if there are any.
  public void tell(Insight insight) {
    long all = bytes.get();
    if (all > 0) {
      insight
          .ofSession()
          .proved(new ByteSize(all) + " from before were believed and not read again on this side");
    }
  }
}
