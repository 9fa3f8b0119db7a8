package dev.zcp.session.copy;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.io.FileStatus;
import dev.zcp.io.NativeFile;
import dev.zcp.session.Reasons;
import dev.zcp.spi.MoveException.End;
import java.io.IOException;

/// Moves the bytes of regular files. Any thread may call it; each call belongs to its thread.
final class FileBody {

  /// What stat(2) counts blocks in, whatever the file system's own are.
  private static final long BLOCK_BYTES = 512;

  /// After as many bytes it is looked whether a file of no known size is one that grows.
  private static final long LOOK_BYTES = 1 << 20;

  private final Engine engine;
  private final boolean holesAreKept;
  private final SmallFiles smallFiles;
  private final ChangeWatch watch;

  FileBody(Engine engine, CopyRequest request, Insight insight) {
    this.engine = engine;
    this.holesAreKept = request.preserve().sparse();
    this.smallFiles = SmallFiles.with(request.choice());
    this.watch = new ChangeWatch(request.policy().onChange(), insight);
  }

  /// Moves all bytes of `source` to `target`, which is empty, so that both are equally long. Holes
  /// stay holes, where they are to be kept. A source that is written to meanwhile is dealt with as
  /// [OnChange] says.
  ///
  /// @return what the source was when its first byte was read; where a change was accepted, with
  ///   the length that the target has
  /// @throws Failure where either end fails, the source ended early or changed
  FileStatus copy(
      NativeFile source, NativeFile target, Object sourceLabel, Object targetLabel, FileLog log)
      throws Failure {
    return watch.copy(
        source,
        target,
        sourceLabel,
        targetLabel,
        status -> move(source, status, target, sourceLabel, targetLabel, log));
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
      DataExtents extents = hasHoles(status) ? new DataExtents(source, size) : null;
      if (extents != null && !extents.coverAll()) {
        return aroundHoles(source, extents, size, target, log);
      }
      if (smallFiles.takes(size)) {
        return smallFiles.move(source, size, target, log);
      }
      return ChangeWatch.saysNothing(size)
          ? toTheEnd(source, size, target, log)
          : engine.moveAll(source, target, size, log);
    } catch (IOException e) {
      throw Reasons.source(sourceLabel, e);
    } catch (TransferException e) {
      throw Reasons.transfer(sourceLabel, targetLabel, e);
    } catch (RefusedException e) {
      throw Reasons.refused(targetLabel, e);
    }
  }

  private boolean hasHoles(FileStatus status) {
    return holesAreKept
        && status.blocks() != FileStatus.UNKNOWN
        && status.blocks() < (status.sizeBytes() + BLOCK_BYTES - 1) / BLOCK_BYTES;
  }

  private long aroundHoles(
      NativeFile source, DataExtents extents, long size, NativeFile target, FileLog log)
      throws TransferException, RefusedException {
    try (Transfer transfer = engine.begin(source, target, size, log)) {
      for (Span data = extents.next(); data != null; data = extents.next()) {
        long moved = transfer.move(data);
        if (moved < data.length()) {
          return data.offset() + moved;
        }
      }
    }
    lengthen(target, size);
    return size;
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

  private static void lengthen(NativeFile target, long size) throws TransferException {
    try {
      target.resize(size);
    } catch (IOException e) {
      throw new TransferException(End.SINK, size, e);
    }
  }
}
