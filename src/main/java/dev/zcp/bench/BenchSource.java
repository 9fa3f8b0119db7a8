package dev.zcp.bench;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/// A file that contenders read from, and what it holds: made here, or the user's own, which is
/// never written.
///
/// @param before what the user's own was when it was opened; null for one that was made
record BenchSource(Contender.BenchFile file, Content content, long bytes, FileStatus before)
    implements Closeable {

  /// The user's own. Reads it once.
  ///
  /// @throws Failure SOURCE if it cannot be read, is no regular file or is empty
  static BenchSource ofUser(RawPath name) throws Failure {
    Path path = name.toPath();
    try {
      FileStatus status = FileStatus.of(path);
      if (!status.isRegular()) {
        throw Failure.of(ExitCode.SOURCE, name, "is not a regular file");
      }
      if (status.sizeBytes() == 0) {
        throw Failure.of(ExitCode.SOURCE, name, "is empty: nothing can be measured");
      }
      Content content = new Content.OfFile(path, status.sizeBytes());
      return new BenchSource(
          new Contender.BenchFile(path, status.device()), content, status.sizeBytes(), status);
    } catch (IOException e) {
      throw Reasons.source(name, e);
    }
  }

  Path path() {
    return file.path();
  }

  /// Whether it is still what it was when it was opened.
  boolean isUnchanged() {
    try {
      return before == null || FileStatus.of(path()).isUnchangedSince(before);
    } catch (IOException e) {
      // It went, or cannot be looked at any more.
      return false;
    }
  }

  @Override
  public void close() {
    if (content instanceof Content.OfFile given) {
      given.close();
    }
  }
}
