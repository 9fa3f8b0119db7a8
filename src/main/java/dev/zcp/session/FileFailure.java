package dev.zcp.session;

import dev.zcp.core.Failure;

/// One file failed, and the session goes on.
public final class FileFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final Failure failure;

  public FileFailure(Failure failure) {
    super(failure.getMessage(), failure);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
