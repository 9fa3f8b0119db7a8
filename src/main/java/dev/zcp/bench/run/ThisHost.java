package dev.zcp.bench.run;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;
import dev.zcp.bench.count.UsageCounter;
import dev.zcp.bench.result.Machine;
import java.nio.file.Path;
import java.util.List;

/// The machine that this process runs on.
final class ThisHost implements Host {

  @Override
  public UsageCounter openCounter() {
    return new UsageCounter() {
      @Override
      public Usage read() {
        return Usage.NONE;
      }

      @Override
      public SystemCallCount systemCallCount() {
        return SystemCallCount.NONE;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void evict(Path file) {}

  @Override
  public double cachedShare(Path file) {
    return 1;
  }

  @Override
  public Machine machine(Path directory) {
    return new Machine(
        "",
        Runtime.getRuntime().availableProcessors(),
        0,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.runtime.version"),
        "");
  }

  @Override
  public NoiseWatch watch() {
    return List::of;
  }
}
