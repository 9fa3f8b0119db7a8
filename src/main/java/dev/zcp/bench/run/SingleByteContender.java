package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.spi.Model;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Optional;

/// Unbuffered streams, a byte a call: the worst there is.
final class SingleByteContender implements Contender {

  static final String NAME = "singleByte";

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
    return FilesOnly.refusal(cell);
  }

  @Override
  public void run(Task task, long chunkBytes, Meter meter) throws IOException {
    byte[] one = new byte[1];
    switch (task) {
      case Task.Read(Place source, CheckingSink sink, long bytes) -> {
        try (FileInputStream in = new FileInputStream(source.path().toFile())) {
          ArrayLoop.run(NAME, (target, _) -> next(in, target), sink::take, one, bytes, meter);
        }
      }
      case Task.Write(MemorySource source, Place target, Forcer forcer, long bytes) -> {
        try (FileOutputStream out = new FileOutputStream(target.path().toFile())) {
          forcer.begin(() -> out.getChannel().force(false));
          ArrayLoop.Output output = (single, _) -> out.write(single[0]);
          ArrayLoop.run(NAME, ArrayLoop.from(source), output, one, bytes, forcer.after(meter));
          forcer.finish();
        }
      }
      case Task.Copy _, Task.Send _, Task.Receive _ ->
          throw new IllegalStateException("refused before");
    }
  }

  private static int next(FileInputStream in, byte[] target) throws IOException {
    int next = in.read();
    target[0] = (byte) next;
    return next < 0 ? -1 : 1;
  }
}
