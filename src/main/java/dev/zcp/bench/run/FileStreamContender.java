package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.spi.Model;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/// The streams of `java.io` themselves, with a byte array between them: what the articles' rows of
/// streams measure. The `stream` strategy has the same loop over a channel, since zcp opens files
/// by channels.
final class FileStreamContender implements Contender {

  static final String NAME = "fileStream";

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
    return cell.experiment() == Experiment.RECEIVE
        ? Optional.of("is measured with files and as a sender only")
        : ArrayLoop.refusal(cell.chunkBytes(), cell.fileBytes());
  }

  @Override
  public void run(Task task, long chunkBytes, Meter meter) throws IOException {
    byte[] array = new byte[ArrayLoop.arrayBytes(chunkBytes, task.bytes())];
    switch (task) {
      case Task.Read(Place source, CheckingSink sink, long bytes) -> {
        try (FileInputStream in = new FileInputStream(source.path().toFile())) {
          ArrayLoop.run(NAME, from(in), sink::take, array, bytes, meter);
        }
      }
      case Task.Write(MemorySource source, Place target, Forcer forcer, long bytes) -> {
        try (FileOutputStream out = new FileOutputStream(target.path().toFile())) {
          forcer.begin(() -> out.getChannel().force(false));
          ArrayLoop.run(NAME, ArrayLoop.from(source), to(out), array, bytes, forcer.after(meter));
          forcer.finish();
        }
      }
      case Task.Copy(Place source, Place target, long bytes) -> {
        try (FileInputStream in = new FileInputStream(source.path().toFile());
            FileOutputStream out = new FileOutputStream(target.path().toFile())) {
          ArrayLoop.run(NAME, from(in), to(out), array, bytes, meter);
        }
      }
      case Task.Send(Place source, var socket, long bytes) -> {
        OutputStream out = socket.socket().getOutputStream();
        try (FileInputStream in = new FileInputStream(source.path().toFile())) {
          ArrayLoop.run(NAME, from(in), to(out), array, bytes, meter);
        }
      }
      case Task.Receive _ -> throw new IllegalStateException("refused before");
    }
  }

  private static ArrayLoop.Input from(FileInputStream in) {
    return (target, bytesMax) -> in.read(target, 0, bytesMax);
  }

  private static ArrayLoop.Output to(OutputStream out) {
    return (source, bytes) -> out.write(source, 0, bytes);
  }
}
