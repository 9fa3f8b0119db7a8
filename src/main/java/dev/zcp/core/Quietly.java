package dev.zcp.core;

import java.io.Closeable;
import java.io.IOException;

/// Closes what is given up: that it cannot be closed is of no interest any more.
public final class Quietly {

  private Quietly() {}

  /// @param closeable may be null
  public static void close(Closeable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (IOException e) {
      // Nothing is lost with it, and why it is given up is told elsewhere.
    }
  }
}
