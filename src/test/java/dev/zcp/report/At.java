package dev.zcp.report;

import dev.zcp.insight.Event.Live;
import java.util.function.Supplier;

/// How far a transfer is, as the test says. Any thread may read it.
final class At implements Supplier<Live> {

  volatile long bytesMoved;
  volatile long bytesDurable = -1;
  volatile long bytesCarried = -1;
  volatile long filesEnded;
  volatile long filesAll = -1;
  volatile long bytesAll = -1;
  volatile String current = "";

  @Override
  public Live get() {
    return new Live(
        bytesMoved, bytesDurable, bytesCarried, filesEnded, filesAll, bytesAll, current);
  }
}
