package dev.zcp.bench.run;

import dev.zcp.core.ByteSize;
import dev.zcp.engine.Choice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// The loop of all entries that only the benchmark has: an array is filled and emptied, again and
/// again. It reads the clock where the engine does, so that all pay for it alike, but for small
/// calls whose time nobody wants: there the clock would take longer than the call.
final class ArrayLoop {

  /// The most that one array holds: as much as a strategy's buffer.
  static final long ARRAY_BYTES_MAX = 1L << 30;

  /// Where the chunk is left to us: what the `stream` strategy takes.
  private static final int CHUNK_BYTES = 1 << 20;

  /// Where bytes come from: like [java.io.InputStream#read(byte[], int, int)] from 0 on.
  @FunctionalInterface
  interface Input {
    int read(byte[] target, int bytesMax) throws IOException;
  }

  /// Where they go, all that are given.
  @FunctionalInterface
  interface Output {
    void write(byte[] source, int bytes) throws IOException;
  }

  private ArrayLoop() {}

  /// The size of the array for a cell.
  static int arrayBytes(long chunkBytes, long fileBytes) {
    long wanted = chunkBytes == Choice.ADAPTIVE ? CHUNK_BYTES : chunkBytes;
    return (int) Math.min(Math.min(wanted, ARRAY_BYTES_MAX), Math.max(fileBytes, 1));
  }

  /// Why there can be no such array; empty where there can.
  static Optional<String> refusal(long chunkBytes, long fileBytes) {
    long bytes = arrayBytes(chunkBytes, fileBytes);
    long heapBytes = Runtime.getRuntime().maxMemory();
    return bytes < heapBytes
        ? Optional.empty()
        : Optional.of(
            "needs an array of "
                + new ByteSize(bytes)
                + ", and the heap has "
                + new ByteSize(heapBytes));
  }

  /// Moves up to `bytes`, and no more once `in` has ended.
  static void run(
      String name, Input in, Output out, byte[] array, long bytes, SamplingObserver meter)
      throws IOException {
    long left = bytes;
    while (left > 0) {
      int bytesMax = (int) Math.min(array.length, left);
      boolean timed = meter.wantsTimeOf(bytesMax);
      long startedNs = timed ? System.nanoTime() : 0;
      int count = in.read(array, bytesMax);
      if (count < 1) {
        return;
      }
      long readNs = timed ? System.nanoTime() : 0;
      meter.read(count, readNs - startedNs);
      out.write(array, count);
      long endedNs = timed ? System.nanoTime() : 0;
      meter.written(count, endedNs - readNs);
      meter.moved(name, count, endedNs - startedNs);
      left -= count;
    }
  }

  /// The bytes of a source in memory.
  static Input from(MemorySource source) {
    return (target, bytesMax) -> source.read(ByteBuffer.wrap(target, 0, bytesMax));
  }
}
