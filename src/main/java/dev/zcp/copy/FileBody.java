package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.io.NativeFile;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.DataExtents;
import dev.zcp.tree.OnChange;
import dev.zcp.tree.Reasons;
import java.io.IOException;

/// Moves the bytes of regular files. Any thread may call it; each call belongs to its thread.
final class FileBody {

  /// After as many bytes it is looked whether a file of no known size is one that grows.
  private static final long LOOK_BYTES = 1 << 20;

  private final Engine engine;
  private final SmallFiles smallFiles;
  private final OneCall oneCall;
  private final LargeFiles largeFiles;
  private final ChangeWatch watch;

  FileBody(Engine engine, CopyRequest request, Insight insight) {
    this.engine = engine;
    this.smallFiles = SmallFiles.with(request.choice());
    this.oneCall = new OneCall(request.choice());
    this.largeFiles = new LargeFiles(request.choice(), request.preserve().sparse());
    this.watch = new ChangeWatch(request.policy().onChange(), insight);
  }

  /// Moves all bytes of `source` to `target`, which is empty, so that both are equally long. Holes
  /// stay holes, where they are to be kept. A source that is written to meanwhile is dealt with as
  /// [OnChange] says.
  ///
  /// @param status what the source was when it was opened
  /// @return what the source was when its first byte was read; where a change was accepted, with
  ///   the length that the target has
  /// @throws Failure where either end fails, the source ended early or changed
  FileStatus copy(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      Object sourceLabel,
      Object targetLabel,
      FileLog log)
      throws Failure {
    return watch.copy(
        source,
        status,
        target,
        sourceLabel,
        targetLabel,
        now -> move(source, now, target, sourceLabel, targetLabel, log));
  }

  private long move(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      Object sourceLabel,
      Object targetLabel,
      FileLog log)
      throws Failure {
    long size = status.sizeBytes();
    try {
      DataExtents extents = largeFiles.extents(source, status);
      if (extents != null) {
        return aroundHoles(source, extents, size, target, log);
      }
      boolean byOneCall = oneCall.takes(engine, source, target, size);
      if (smallFiles.takes(size, byOneCall)) {
        return smallFiles.move(source, size, target, log);
      }
      if (ChangeWatch.saysNothing(size)) {
        return toTheEnd(source, size, target, log);
      }
      return byOneCall
          ? oneCall.move(engine, source, size, target, log)
          : largeFiles.move(engine, source, target, new Span(0, size), log);
    } catch (IOException e) {
      throw Reasons.source(sourceLabel, e);
    } catch (TransferException e) {
      throw Reasons.transfer(sourceLabel, targetLabel, e);
    } catch (RefusedException e) {
      throw Reasons.refused(targetLabel, e);
    }
  }

  private long aroundHoles(
      NativeFile source, DataExtents extents, long size, NativeFile target, FileLog log)
      throws TransferException, RefusedException {
    try (Transfer transfer = engine.begin(source, target, size, log)) {
      return largeFiles.moveAround(extents, transfer, 0, size, target);
    }
  }

  /// A file whose size says nothing, as long as that stays the same: one that grows may have no
  /// end.
  private long toTheEnd(NativeFile source, long size, NativeFile target, FileLog log)
      throws TransferException, RefusedException, IOException {
    try (Transfer transfer = engine.begin(source, target, size, log)) {
      long at = 0;
      do {
        long moved = transfer.move(new Span(at, LOOK_BYTES));
        at += moved;
        if (moved < LOOK_BYTES) {
          return at;
        }
      } while (source.status().sizeBytes() == size);
      return at;
    }
  }
}
