package dev.zcp.report;

import dev.zcp.insight.Event.Live;

/// How far a transfer is, as the test says. Any thread may read it.
final class At implements Live {

  volatile long bytesMoved;
  volatile long bytesDurable = -1;
  volatile long bytesCarried = -1;
  volatile long filesEnded;
  volatile long filesAll = -1;
  volatile long bytesAll = -1;
  volatile String current = "";

  @Override
  public long bytesMoved() {
    return bytesMoved;
  }

  @Override
  public long bytesDurable() {
    return bytesDurable;
  }

  @Override
  public long bytesCarried() {
    return bytesCarried;
  }

  @Override
  public long filesEnded() {
    return filesEnded;
  }

  @Override
  public long filesAll() {
    return filesAll;
  }

  @Override
  public long bytesAll() {
    return bytesAll;
  }

  @Override
  public String current() {
    return current;
  }
}
