package dev.zcp.engine;

import dev.zcp.spi.MoveException;
import java.io.IOException;

/// One end of a transfer failed; the bytes before `offset` have arrived.
public final class TransferException extends Exception {

  private static final long serialVersionUID = 1L;

  private final MoveException.End end;
  private final long offset;

  public TransferException(MoveException.End end, long offset, IOException cause) {
    super(cause.getMessage(), cause);
    this.end = end;
    this.offset = offset;
  }

  public MoveException.End end() {
    return end;
  }

  /// The offset of the first byte that did not arrive, in bytes.
  public long offset() {
    return offset;
  }

  /// What the end said, free of the wrapping that says which end it was.
  public IOException failure() {
    Throwable cause = getCause();
    while (cause instanceof MoveException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return (IOException) cause;
  }
}
