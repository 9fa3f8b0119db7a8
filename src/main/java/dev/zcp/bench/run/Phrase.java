package dev.zcp.bench.run;

import dev.zcp.core.Printable;
import dev.zcp.engine.TransferException;
import dev.zcp.tree.Reasons;
import java.io.IOException;

/// What went wrong in a cell, in words that a table has room for.
final class Phrase {

  private Phrase() {}

  static String of(IOException e) {
    return Reasons.of(e);
  }

  static String of(TransferException e) {
    return "after " + e.offset() + " bytes: " + of(e.failure());
  }

  /// Of something that nobody foresaw.
  static String ofDefect(Throwable e) {
    return Printable.of(String.valueOf(e));
  }
}
