package dev.zcp.copy;

import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Observer;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.io.NativeFile;

/// Moves files that one copy_file_range(2) takes whole, without a ranking for each. What that call
/// does not do is the engine's, which finds out why and remembers it. Any thread may call it.
final class OneCall {

  /// The first step of the engine is as long, so progress is as live as there.
  static final long FILE_BYTES_MAX = 4L << 20;

  private static final String STRATEGY = "copyFileRange";

  private final boolean wanted;

  /// Turns true once and stays so: from then on all is the engine's.
  private volatile boolean refused;

  OneCall(Choice choice) {
    this.wanted = choice.isAuto() && choice.chunkBytes() == Choice.ADAPTIVE;
  }

  /// Whether a file of `size` bytes goes this way: within one file system, the only place where the
  /// call is sure to be of use.
  boolean takes(Engine engine, NativeFile source, NativeFile target, long size) {
    return wanted
        && !refused
        && size <= FILE_BYTES_MAX
        && source.traits().device() == target.traits().device()
        && !engine.isTuned();
  }

  /// Moves the bytes of `source` to `target`, both from the first on.
  ///
  /// @return how many they were; one more than `size` where there are more
  long move(Engine engine, NativeFile source, long size, NativeFile target, Observer observer)
      throws TransferException, RefusedException {
    long startedNs = System.nanoTime();
    // One byte more than there should be: a shorter answer has seen the end.
    long moved = source.copyTo(target, size + 1);
    if (moved > 0) {
      observer.moved(STRATEGY, moved, System.nanoTime() - startedNs);
    } else {
      refused = true;
    }
    long at = Math.max(moved, 0);
    if (at >= size) {
      return at;
    }
    Span rest = new Span(at, size - at);
    try (Transfer transfer = engine.begin(source, target, rest.length(), observer)) {
      return at + transfer.move(rest);
    }
  }
}
