package dev.zcp.bench;

import dev.zcp.spi.Model;
import java.io.IOException;
import java.util.Optional;

/// A contender that does what a test says.
record ScriptedContender(String word, Work work) implements Contender {

  @FunctionalInterface
  interface Work {
    void run(Contender.MoveTask task, Meter meter) throws IOException;
  }

  @Override
  public Model model(String ran) {
    return new Model(0, 0, 0);
  }

  @Override
  public Optional<String> refusal(Cell cell) {
    return Optional.empty();
  }

  @Override
  public void run(Contender.MoveTask task, long chunkBytes, Meter meter) throws IOException {
    work.run(task, meter);
  }
}
