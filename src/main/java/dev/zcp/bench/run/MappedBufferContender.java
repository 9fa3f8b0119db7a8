package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.linux.Mapping;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// Fills a mapping like [MappedOnceContender], and puts a direct buffer where that puts an array:
/// one of the articles sets the two side by side.
final class MappedBufferContender implements Contender {

  static final String NAME = "mappedBuffer";

  /// The most that one call puts: this many bytes are off the heap.
  static final long CALL_BYTES_MAX = 64L << 20;

  @Override
  public String name() {
    return NAME;
  }

  /// As of `mmap`.
  @Override
  public Model model(String ran) {
    return new Model(4, 0, 1);
  }

  @Override
  public Optional<String> refusal(Cell cell) {
    return cell.experiment() == Experiment.WRITE
        ? ArrayLoop.refusal(callBytes(cell.chunkBytes()), cell.fileBytes())
        : Optional.of("is measured writing to a file only");
  }

  @Override
  public void run(Task task, long chunkBytes, Meter meter) throws IOException {
    if (!(task instanceof Task.Write(MemorySource source, Place target, Forcer _, long bytes))) {
      throw new IllegalStateException("refused before");
    }
    int callBytes = ArrayLoop.arrayBytes(callBytes(chunkBytes), bytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect(callBytes);
    // The loop takes the size of a call from an array; nothing is ever in this one.
    byte[] size = new byte[callBytes];
    try (FileChannel channel =
        FileChannel.open(
            target.path(),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += MappedOnceContender.PIECE_BYTES_MAX) {
        long length = Math.min(MappedOnceContender.PIECE_BYTES_MAX, bytes - at);
        try (Mapping mapping = Mapping.shared(channel, MapMode.READ_WRITE, at, length)) {
          MappedByteBuffer mapped = (MappedByteBuffer) mapping.bytes();
          ArrayLoop.Input input = (_, most) -> source.read(buffer.clear().limit(most));
          ArrayLoop.Output output = (_, _) -> mapped.put(buffer.flip());
          ArrayLoop.run(NAME, input, output, size, length, meter.ofMapping());
        } catch (InternalError e) {
          throw new IOException("the mapped file lost a page: no space, or an I/O error", e);
        }
      }
    }
  }

  private static long callBytes(long chunkBytes) {
    return Math.min(chunkBytes, CALL_BYTES_MAX);
  }
}
