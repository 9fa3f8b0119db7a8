package dev.zcp.copy;

import dev.zcp.engine.Observer;
import dev.zcp.engine.TransferException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;

/// One read into a direct buffer, and the writes that put it where it belongs: the calls of the
/// strategy `direct`, for whoever has a buffer already and knows what to do next.
final class DirectStep {

  static final String STRATEGY = "direct";

  private DirectStep() {}

  /// Moves what one read at `at` gives into all of `buffer`, up to its limit.
  ///
  /// @return how many bytes, or -1 at the end of the source
  /// @throws TransferException where an end failed
  static int move(Source source, Sink sink, ByteBuffer buffer, long at, Observer observer)
      throws TransferException {
    long startedNs = System.nanoTime();
    int count = read(source, buffer.rewind(), at);
    if (count < 0) {
      return count;
    }
    long readNs = System.nanoTime();
    observer.read(count, readNs - startedNs);
    writeAll(sink, buffer.flip(), at);
    long writtenNs = System.nanoTime();
    observer.written(count, writtenNs - readNs);
    observer.moved(STRATEGY, count, writtenNs - startedNs);
    return count;
  }

  private static int read(Source source, ByteBuffer buffer, long at) throws TransferException {
    try {
      return source.read(buffer, at);
    } catch (IOException e) {
      throw new TransferException(End.SOURCE, at, e);
    }
  }

  private static void writeAll(Sink sink, ByteBuffer bytes, long at) throws TransferException {
    try {
      while (bytes.hasRemaining()) {
        if (sink.write(bytes, at + bytes.position()) < 1) {
          throw new IOException("A write took no byte");
        }
      }
    } catch (IOException e) {
      throw new TransferException(End.SINK, at + bytes.position(), e);
    }
  }
}
