package dev.zcp.session.copy;

import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.io.FileStatus;
import dev.zcp.io.NativeFile;
import dev.zcp.session.Reasons;
import java.io.IOException;

/// Moves the bytes of regular files. Any thread may call it; each call belongs to its thread.
final class FileBody {

  private final Engine engine;

  FileBody(Engine engine, CopyRequest request, Insight insight) {
    this.engine = engine;
  }

  FileStatus copy(
      NativeFile source, NativeFile target, Object sourceLabel, Object targetLabel, FileLog log)
      throws Failure, IOException {
    FileStatus status = source.status();
    move(source, status, target, sourceLabel, targetLabel, log);
    return status;
  }

  /// Moves all bytes of `source` to `target`, which is empty, so that both are equally long.
  ///
  /// @param status what the source was before its first byte was read
  /// @return how many bytes the target has now
  /// @throws Failure where either end fails, or the source ended early
  long move(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      Object sourceLabel,
      Object targetLabel,
      FileLog log)
      throws Failure {
    try {
      long expected = status.sizeBytes() > 0 ? status.sizeBytes() : Long.MAX_VALUE;
      return engine.moveAll(source, target, expected, log);
    } catch (TransferException e) {
      throw Reasons.transfer(sourceLabel, targetLabel, e);
    } catch (RefusedException e) {
      throw Reasons.refused(targetLabel, e);
    }
  }
}
