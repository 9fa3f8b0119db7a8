package dev.zcp.bench.run;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;
import dev.zcp.bench.count.UsageCounter;
import dev.zcp.bench.result.Machine;
import java.nio.file.Path;
import java.util.List;

/// The machine that this process runs on.
final class ThisHost implements Host {

  private final boolean strace;

  /// @param strace whether system calls are counted by strace
  ThisHost(boolean strace) {
    this.strace = strace;
  }

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
  public CallCount countCalls(Lane.Work work) throws Exception {
    work.run();
    return CallCount.NONE;
  }

  @Override
  public double evict(Path file) {
    return cachedShare(file);
  }

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
  public Watch watch() {
    return new Watch() {
      @Override
      public void look() {}

      @Override
      public List<String> warnings() {
        return List.of();
      }
    };
  }
}
