package dev.zcp.copy;

import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Observer;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.io.NativeFile;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.DataExtents;
import java.io.IOException;

/// Moves a file that is large enough to repay system calls, in a process that has none bound yet.
///
/// Whether a file has holes only a system call can tell, and to bind one takes as long as 100 MiB
/// take to copy. So `auto` begins with what Java has, while another thread binds; then holes that
/// were filled meanwhile become holes again, and what is left goes the fastest way.
final class PlainLargeFiles {

  /// Shorter files would wait for the binding: their holes are filled, unless something else about
  /// the copy takes system calls, too.
  private static final long FILE_BYTES_MIN = 64L << 20;

  /// Between two looks whether calls are bound; a few milliseconds.
  private static final long SPAN_BYTES = 16L << 20;

  private final LargeFiles largeFiles;
  private final boolean canBegin;

  PlainLargeFiles(Choice choice, boolean holesAreKept) {
    this.largeFiles = new LargeFiles(choice, holesAreKept);
    this.canBegin = choice.isAuto() && choice.chunkBytes() == Choice.ADAPTIVE;
  }

  /// Whether a file of `bytes` ([Long#MAX_VALUE] where nobody knows) is to be moved from here.
  boolean take(Source source, Sink sink, long bytes) {
    return (canBegin || largeFiles.goAroundHoles())
        && bytes >= FILE_BYTES_MIN
        && bytes != Long.MAX_VALUE
        && isFile(source.traits())
        && isFile(sink.traits());
  }

  /// Moves a file of `size` bytes, or as much of it as the source has.
  ///
  /// @return how long the target is
  long move(Engine engine, Source source, Sink sink, long size, Observer observer)
      throws TransferException, RefusedException {
    try (Transfer transfer = engine.begin(source, sink, size, observer)) {
      long at = 0;
      // They own nothing: the descriptors are those of both ends.
      NativeFile from = NativeFile.of(source.descriptor(), source.traits(), false);
      NativeFile to = NativeFile.of(sink.descriptor(), sink.traits(), true);
      DataExtents extents = extents(from);
      if (extents != null) {
        return largeFiles.moveAround(extents, transfer, at, size, to);
      }
      Span rest = new Span(at, size - at);
      long end = largeFiles.moveByTwo(engine, from, to, rest, observer);
      return end >= 0 ? end : at + transfer.move(rest);
    }
  }

  private DataExtents extents(NativeFile source) throws TransferException {
    try {
      return largeFiles.extents(source, source.status());
    } catch (IOException e) {
      throw new TransferException(End.SOURCE, 0, e);
    }
  }

  private static boolean isFile(Route.Traits end) {
    return end.seekable() && end.hasDescriptor();
  }
}
