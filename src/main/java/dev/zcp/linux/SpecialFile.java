package dev.zcp.linux;

import dev.zcp.spi.Route;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// FIFOs and devices by their path, as ends of a transfer. They are opened as they are: never
/// created, replaced or cut.
public final class SpecialFile {

  private SpecialFile() {}

  /// Opens `path` to read from. Opening a FIFO waits for its writer: fifo(7).
  ///
  /// @param mode the file's `st_mode`
  public static StreamSource source(Path path, int mode) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return new StreamSource(channel, Descriptors.of(channel), kindOf(mode), true);
  }

  /// Opens `path` to write to. Opening a FIFO waits for its reader.
  ///
  /// @param mode the file's `st_mode`
  public static StreamSink sink(Path path, int mode) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
    return new StreamSink(channel, Descriptors.of(channel), kindOf(mode), true);
  }

  static Route.Kind kindOf(int mode) {
    return (mode & FileType.MASK) == FileType.FIFO ? Route.Kind.PIPE : Route.Kind.STREAM;
  }
}
