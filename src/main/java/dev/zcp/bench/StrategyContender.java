package dev.zcp.bench;

import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.TransferException;
import dev.zcp.io.FileEnd;
import dev.zcp.io.SocketEnd;
import dev.zcp.spi.Model;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.TransferStrategy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A strategy of the product, or `auto`, run by the product's own engine: what `zcp copy` does with
/// a file's bytes, and nothing else of it.
///
/// The engine decides what it refuses when it sees the ends, before the first byte.
final class StrategyContender implements Contender {

  private final Strategies strategies;
  private final String name;

  /// @throws Failure USAGE if there is no such strategy
  StrategyContender(Strategies strategies, String name) throws Failure {
    this.strategies = strategies;
    this.name = new Engine(strategies, new Choice(name, Choice.ADAPTIVE)).asked();
  }

  @Override
  public String word() {
    return name;
  }

  @Override
  public Model model(String ran) {
    for (TransferStrategy strategy : strategies.all()) {
      if (strategy.name().equals(ran)) {
        return strategy.model();
      }
    }
    throw new IllegalArgumentException("no strategy moved these bytes: " + ran);
  }

  @Override
  public Optional<String> refusal(Cell cell) {
    return Optional.empty();
  }

  @Override
  public void run(Task task, long chunkBytes, Meter meter)
      throws IOException, TransferException, RefusedException {
    Engine engine = engine(chunkBytes);
    switch (task) {
      case Task.Read(BenchFile source, MemoryEnds.CheckingSink sink, long bytes) -> {
        try (Source end = source(source)) {
          engine.moveAll(end, sink, bytes, meter);
        }
      }
      case Task.Write(MemoryEnds.Memory source, BenchFile target, Forcer forcer, long bytes) -> {
        try (FileEnd end = sink(target)) {
          forcer.begin(() -> end.channel().force(false));
          engine.moveAll(source, end, bytes, meter);
          forcer.finish();
        }
      }
      case Task.Copy(BenchFile source, BenchFile target, long bytes) -> {
        try (Source from = source(source);
            Sink to = sink(target)) {
          engine.moveAll(from, to, bytes, meter);
        }
      }
      case Task.Send(BenchFile source, var socket, long bytes) -> {
        try (Source end = source(source)) {
          engine.moveAll(end, new SocketEnd(socket), bytes, meter);
        }
      }
      case Task.Receive(var socket, BenchFile target, long bytes) -> {
        try (Sink end = sink(target)) {
          engine.moveAll(new SocketEnd(socket), end, bytes, meter);
        }
      }
    }
  }

  private Engine engine(long chunkBytes) {
    try {
      return new Engine(strategies, new Choice(name, chunkBytes));
    } catch (Failure e) {
      throw new IllegalStateException("a strategy that was there is gone: " + name, e);
    }
  }

  private static FileEnd source(BenchFile source) throws IOException {
    return FileEnd.of(FileChannel.open(source.path(), StandardOpenOption.READ), source.device());
  }

  private static FileEnd sink(BenchFile target) throws IOException {
    FileChannel channel =
        FileChannel.open(
            target.path(),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    return FileEnd.of(channel, target.device());
  }
}
