package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.spi.Model;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Optional;

/// `RandomAccessFile` with a byte array, as ActiveMQ writes its journal.
final class RandomAccessFileContender implements Contender {

  static final String NAME = "randomAccessFile";

  @Override
  public String name() {
    return NAME;
  }

  /// As of a heap array.
  @Override
  public Model model(String ran) {
    return new Model(4, 2, 0);
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
        try (RandomAccessFile file = new RandomAccessFile(source.path().toFile(), "r")) {
          ArrayLoop.Input input = (target, bytesMax) -> file.read(target, 0, bytesMax);
          ArrayLoop.run(NAME, input, sink::take, array, bytes, meter);
        }
      }
      case Task.Write(MemorySource source, Place target, Forcer forcer, long bytes) -> {
        try (RandomAccessFile file = new RandomAccessFile(target.path().toFile(), "rw")) {
          forcer.begin(() -> file.getChannel().force(false));
          ArrayLoop.Output output = (next, count) -> file.write(next, 0, count);
          ArrayLoop.run(NAME, ArrayLoop.from(source), output, array, bytes, forcer.after(meter));
          forcer.finish();
        }
      }
      case Task.Copy _, Task.Send _, Task.Receive _ ->
          throw new IllegalStateException("refused before");
    }
  }
}
