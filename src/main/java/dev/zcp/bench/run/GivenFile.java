package dev.zcp.bench.run;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/// A file of the user's own that is read in place of made ones. It is never written.
final class GivenFile implements Closeable {

  private final RawPath name;
  private final FileStatus before;
  private final GivenContent content;

  private GivenFile(RawPath name, FileStatus before, GivenContent content) {
    this.name = name;
    this.before = before;
    this.content = content;
  }

  /// Reads it once.
  ///
  /// @throws Failure SOURCE where it cannot be read, is no regular file or is empty
  static GivenFile open(RawPath name) throws Failure {
    Path path = name.toPath();
    try {
      FileStatus status = FileStatus.of(path);
      if (!status.isRegular()) {
        throw Failure.of(ExitCode.SOURCE, name.toString(), "is no regular file");
      }
      if (status.sizeBytes() == 0) {
        throw Failure.of(ExitCode.SOURCE, name.toString(), "is empty: nothing can be measured");
      }
      return new GivenFile(name, status, GivenContent.of(path, status.sizeBytes()));
    } catch (IOException e) {
      throw Failure.of(ExitCode.SOURCE, name.toString(), Phrase.of(e)).because(e);
    }
  }

  Original original() {
    return new Original(new Place(name.toPath(), before.device()), content, bytes());
  }

  long bytes() {
    return before.sizeBytes();
  }

  /// Whether it is still what it was when it was opened.
  boolean isUnchanged() {
    try {
      return FileStatus.of(name).isUnchangedSince(before);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    content.close();
  }
}
