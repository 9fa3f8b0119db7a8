package dev.zcp.session;

import dev.zcp.core.ByteSize;
import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of a session were there from before and count as arrived without having been read
/// again at this end, as [ResumeVerify] allows. Any thread may call it.
public final class BelievedBytes {

  private final AtomicLong bytes = new AtomicLong();

  public void add(long more) {
    bytes.addAndGet(more);
  }

  /// As the report tells it beside how the others were proved; empty where there are none.
  public String told() {
    long all = bytes.get();
    return all == 0
        ? ""
        : new ByteSize(all) + " from before were believed and not read again on this side";
  }
}
