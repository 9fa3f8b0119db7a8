package dev.zcp.bench;

import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.spi.Model;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/// A strategy of the product, or `auto`, run by the product's own engine, which decides what it
/// refuses when it sees the ends, before the first byte.
final class StrategyContender implements Contender {

  static final Set<OpenOption> NEW_FILE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

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
    return strategies.all().stream()
        .filter(strategy -> strategy.name().equals(ran))
        .findFirst()
        .orElseThrow()
        .model();
  }

  @Override
  public Optional<String> refusal(Cell cell) {
    return Optional.empty();
  }

  @Override
  public void run(MoveTask task, long chunkBytes, Meter meter)
      throws IOException, TransferException, RefusedException {
    try (Source from = source(task.from());
        Sink to = sink(task.to())) {
      if (to instanceof ChannelEnd end && end.channel() instanceof FileChannel file) {
        task.forcer().begin(() -> file.force(false));
      }
      new Engine(strategies, new Choice(name, chunkBytes)).moveAll(from, to, task.bytes(), meter);
      task.forcer().finish();
    } catch (Failure e) {
      throw new IllegalStateException("a strategy that was there is gone: " + name, e);
    }
  }

  private static Source source(Endpoint end) throws IOException {
    return switch (end) {
      case BenchFile(Path path, long device) ->
          ChannelEnd.file(FileChannel.open(path, StandardOpenOption.READ), device);
      case Socket(SocketChannel channel) -> ChannelEnd.socket(channel);
      case Memory memory -> memory;
      case CheckingSink _ -> throw new IllegalArgumentException("a sink to read from");
    };
  }

  private static Sink sink(Endpoint end) throws IOException {
    return switch (end) {
      case BenchFile(Path path, long device) ->
          ChannelEnd.file(FileChannel.open(path, NEW_FILE), device);
      case Socket(SocketChannel channel) -> ChannelEnd.socket(channel);
      case CheckingSink sink -> sink;
      case Memory _ -> throw new IllegalArgumentException("a source to write to");
    };
  }
}
