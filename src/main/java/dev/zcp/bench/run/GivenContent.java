package dev.zcp.bench.run;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What a file of the user's holds: one byte of each page is kept in memory, a 4096th of the file,
/// and the others are read from it again.
final class GivenContent implements Content, Closeable {

  private static final int BUFFER_BYTES = 1 << 20;

  private final FileChannel channel;
  private final byte[] pages;

  private GivenContent(FileChannel channel, byte[] pages) {
    this.channel = channel;
    this.pages = pages;
  }

  /// Reads the whole file once.
  ///
  /// @param bytes its size
  /// @throws EOFException where it is shorter
  static GivenContent of(Path file, long bytes) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      byte[] pages = new byte[Math.toIntExact((bytes + PAGE_BYTES - 1) / PAGE_BYTES)];
      GivenContent content = new GivenContent(channel, pages);
      byte[] buffer = new byte[BUFFER_BYTES];
      for (long at = 0; at < bytes; at += BUFFER_BYTES) {
        int count = (int) Math.min(BUFFER_BYTES, bytes - at);
        content.fill(at, buffer, count);
        for (int i = 0; i < count; i += PAGE_BYTES) {
          pages[(int) ((at + i) / PAGE_BYTES)] = buffer[i];
        }
      }
      return content;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public byte atPage(long offset) {
    return pages[(int) (offset / PAGE_BYTES)];
  }

  @Override
  public void fill(long offset, byte[] target, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(target, 0, count);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw new EOFException("the file became shorter while it was measured");
      }
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was only read: nothing is lost.
    }
  }
}
