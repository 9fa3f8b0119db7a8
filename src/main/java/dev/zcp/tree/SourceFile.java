package dev.zcp.tree;

import dev.zcp.core.RawPath;
import dev.zcp.io.FileEnd;
import dev.zcp.io.SpecialFile;
import dev.zcp.linux.FileStatus;
import dev.zcp.spi.Source;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A source that was opened, with what was known of it at that moment.
///
/// @param end where its bytes come from
/// @param status its status when it was opened
/// @param isSized whether the length is known before the bytes are: true of regular files, save
///   those of /proc, which say 0 and hold something
public record SourceFile(RawPath name, Source end, FileStatus status, boolean isSized)
    implements Closeable {

  /// Opens what `name` leads to: a regular file, or a FIFO or device to be read to its end.
  ///
  /// @throws IOException where it is missing or may not be read
  public static SourceFile open(RawPath name) throws IOException {
    Path path = name.toPath();
    FileStatus status = FileStatus.of(path);
    if (!status.isRegular()) {
      return new SourceFile(name, SpecialFile.source(path, status.mode()), status, false);
    }
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      FileEnd end = FileEnd.of(channel, status.device());
      boolean isSized = status.sizeBytes() > 0 || end.read(ByteBuffer.allocate(1), 0) < 0;
      return new SourceFile(name, end, status, isSized);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// Whether the name still leads to the same file and nobody wrote to it since it was opened.
  /// Streams cannot tell and count as unchanged; a name that leads nowhere any more, or where
  /// nobody may look any more, has changed.
  public boolean isUnchanged() {
    try {
      return !isSized || FileStatus.of(name).isUnchangedSince(status);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    end.close();
  }
}
