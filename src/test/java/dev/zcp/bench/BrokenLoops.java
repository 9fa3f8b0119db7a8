package dev.zcp.bench;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Four loops as articles on zero copy print them. None throws anything, all are very fast, and
/// none does what it is timed for.
final class BrokenLoops {

  private BrokenLoops() {}

  /// The buffer is never cleared. Once it is full and flipped, nothing remains of it: the second
  /// read has no room, returns 0, and the loop takes that for the end.
  static void withoutClear(Path source, WritableByteChannel sink, int chunkBytes)
      throws IOException {
    try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(chunkBytes);
      while (channel.read(buffer) > 0) {
        buffer.flip();
        sink.write(buffer);
        // Missing: buffer.clear()
      }
    }
  }

  /// The buffer is flipped twice. The first flip ends it where its bytes do; the second, at
  /// position 0, ends it at 0. Nothing is written, and there is no room to read any more.
  static void flippedTwice(Path source, Path target, int chunkBytes) throws IOException {
    try (FileChannel from = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(chunkBytes);
      while (from.read(buffer) > 0) {
        buffer.flip();
        buffer.flip(); // One too many.
        to.write(buffer);
      }
    }
  }

  /// The file is mapped, and that is all: mapping reads nothing. A page is read when it is touched.
  static void neverTouched(Path source) throws IOException {
    try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ)) {
      channel.map(MapMode.READ_ONLY, 0, channel.size());
      // Missing: whatever looks at the bytes.
    }
  }

  /// The array is written as long as it is, and not as long as what was read into it: what the read
  /// before left there goes along, and the file is too long.
  static void writtenWhole(SocketChannel socket, Path target) throws IOException {
    InputStream in = socket.socket().getInputStream();
    try (OutputStream out = new FileOutputStream(target.toFile())) {
      byte[] bytes = new byte[2048];
      while (in.read(bytes) >= 0) {
        out.write(bytes); // Should be: out.write(bytes, 0, count)
      }
    }
  }

  /// A channel that counts what it is given.
  static final class Counted implements WritableByteChannel {

    long bytes;

    @Override
    public int write(ByteBuffer next) {
      int count = next.remaining();
      next.position(next.limit());
      bytes += count;
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
