package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.linux.Mapping;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;

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

  private final long pieceBytesMax;

  MappedOnceContender() {
    this(PIECE_BYTES_MAX);
  }

  /// @param pieceBytesMax the most that is mapped at once
  MappedOnceContender(long pieceBytesMax) {
    this.pieceBytesMax = pieceBytesMax;
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

  private void read(FileChannel channel, CheckingSink sink, byte[] array, long bytes, Meter meter)
      throws IOException {
    for (long at = 0; at < bytes; at += pieceBytesMax) {
      long length = Math.min(pieceBytesMax, bytes - at);
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

  /// All pieces stay mapped until the last is forced: the end is that of the file.
  private void write(FileChannel channel, Task.Write task, byte[] array, Meter meter)
      throws IOException {
    Forcer forcer = task.forcer();
    try (Pieces pieces = new Pieces()) {
      forcer.begin(pieces::force);
      for (long at = 0; at < task.bytes(); at += pieceBytesMax) {
        long length = Math.min(pieceBytesMax, task.bytes() - at);
        MappedByteBuffer mapped = pieces.next(channel, at, length);
        ArrayLoop.Output output = (next, count) -> mapped.put(next, 0, count);
        SamplingObserver observer = forcer.after(meter.ofMapping());
        ArrayLoop.run(NAME, ArrayLoop.from(task.source()), output, array, length, observer);
      }
      forcer.finish();
    } catch (InternalError e) {
      throw new IOException("the mapped file lost a page: no space, or an I/O error", e);
    }
  }

  /// The pieces of one file that is written. One thread makes and closes them, and another may
  /// force them.
  private static final class Pieces implements AutoCloseable {

    private final List<Mapping> mappings = new ArrayList<>();

    /// The last is still being written; those before are forced once more and then no more.
    private final Deque<MappedByteBuffer> unforced = new ConcurrentLinkedDeque<>();

    MappedByteBuffer next(FileChannel channel, long offset, long bytes) throws IOException {
      Mapping mapping = Mapping.shared(channel, MapMode.READ_WRITE, offset, bytes);
      mappings.add(mapping);
      MappedByteBuffer mapped = (MappedByteBuffer) mapping.bytes();
      unforced.addLast(mapped);
      return mapped;
    }

    void force() {
      MappedByteBuffer last = unforced.getLast();
      while (unforced.getFirst() != last) {
        unforced.getFirst().force();
        unforced.removeFirst();
      }
      last.force();
    }

    @Override
    public void close() {
      mappings.forEach(Mapping::close);
    }
  }
}
