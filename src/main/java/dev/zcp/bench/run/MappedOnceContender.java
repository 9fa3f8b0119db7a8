package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.linux.Mapping;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// Maps a file once and copies arrays out of the mapping or into it, as RocketMQ does. The `mmap`
/// strategy maps each chunk anew, since a transfer must not hold a large file in memory for long.
final class MappedOnceContender implements Contender {

  static final String NAME = "mappedOnce";

  /// A mapping is one buffer, and a buffer is below 2 GiB: a larger file is mapped in pieces.
  static final long PIECE_BYTES_MAX = 1L << 30;

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
    return FilesOnly.refusal(cell).or(() -> ArrayLoop.refusal(cell.chunkBytes(), cell.fileBytes()));
  }

  @Override
  public void run(Task task, long chunkBytes, Meter meter) throws IOException {
    byte[] array = new byte[ArrayLoop.arrayBytes(chunkBytes, task.bytes())];
    switch (task) {
      case Task.Read(Place source, CheckingSink sink, long bytes) -> {
        try (FileChannel channel = FileChannel.open(source.path(), StandardOpenOption.READ)) {
          read(channel, sink, array, bytes, meter);
        }
      }
      case Task.Write write -> {
        try (FileChannel channel =
            FileChannel.open(
                write.target().path(),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
          write(channel, write, array, meter);
        }
      }
      case Task.Copy _, Task.Send _, Task.Receive _ ->
          throw new IllegalStateException("refused before");
    }
  }

  private static void read(
      FileChannel channel, CheckingSink sink, byte[] array, long bytes, Meter meter)
      throws IOException {
    for (long at = 0; at < bytes; at += PIECE_BYTES_MAX) {
      long length = Math.min(PIECE_BYTES_MAX, bytes - at);
      try (Mapping mapping = Mapping.shared(channel, MapMode.READ_ONLY, at, length)) {
        MappedByteBuffer mapped = (MappedByteBuffer) mapping.bytes();
        ArrayLoop.Input input =
            (target, bytesMax) -> {
              mapped.get(target, 0, bytesMax);
              return bytesMax;
            };
        ArrayLoop.run(NAME, input, sink::take, array, length, meter.ofMapping());
      } catch (InternalError e) {
        throw new IOException("the mapped file lost a page", e);
      }
    }
  }

  private static void write(FileChannel channel, Task.Write task, byte[] array, Meter meter)
      throws IOException {
    Forcer forcer = task.forcer();
    for (long at = 0; at < task.bytes(); at += PIECE_BYTES_MAX) {
      long length = Math.min(PIECE_BYTES_MAX, task.bytes() - at);
      try (Mapping mapping = Mapping.shared(channel, MapMode.READ_WRITE, at, length)) {
        MappedByteBuffer mapped = (MappedByteBuffer) mapping.bytes();
        forcer.begin(mapped::force);
        ArrayLoop.Output output = forcer.after((next, count) -> mapped.put(next, 0, count));
        ArrayLoop.run(
            NAME, ArrayLoop.from(task.source()), output, array, length, meter.ofMapping());
        forcer.finish();
      } catch (InternalError e) {
        throw new IOException("the mapped file lost a page: no space, or an I/O error", e);
      }
    }
  }
}
