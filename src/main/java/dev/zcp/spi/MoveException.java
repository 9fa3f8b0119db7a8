package dev.zcp.spi;

import java.io.IOException;

/// A failure of one known end of a transfer.
public final class MoveException extends IOException {

  private static final long serialVersionUID = 1L;

  public enum End {
    SOURCE,
    SINK
  }

  private final End end;

  public MoveException(End end, IOException cause) {
    super(cause.getMessage(), cause);
    this.end = end;
  }

  public End end() {
    return end;
  }
}
