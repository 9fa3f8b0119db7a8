package dev.zcp.bench.run;

import dev.zcp.bench.count.MachineReader;
import dev.zcp.bench.count.NoiseWatch;
import dev.zcp.bench.count.Strace;
import dev.zcp.bench.count.StraceCount;
import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;
import dev.zcp.bench.count.UsageCounter;
import dev.zcp.bench.count.UsageCounters;
import dev.zcp.bench.result.Machine;
import dev.zcp.io.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The machine that this process runs on.
final class ThisHost implements Host {

  private static final String DROPPED_ALL =
      "the page cache of the whole machine was dropped before cold runs, since a file did not leave"
          + " it alone: what else runs here reads from its disk again";

  private final boolean strace;

  /// Turns true once.
  private boolean droppedAll;

  /// @param strace whether system calls are counted by strace, where that is to be had
  ThisHost(boolean strace) {
    this.strace = strace;
  }

  @Override
  public UsageCounter openCounter() throws IOException {
    return UsageCounters.openWithoutSystemCalls();
  }

  @Override
  public CallCount countCalls(Lane.Work work) throws Exception {
    return strace ? countByStrace(work) : countByCounter(work);
  }

  @Override
  public double evict(Path file) throws IOException {
    PageCache.Eviction eviction = PageCache.evict(file, CacheState.COLD_SHARE_MAX);
    droppedAll |= eviction.droppedAll();
    return eviction.share();
  }

  @Override
  public double cachedShare(Path file) throws IOException {
    return PageCache.cachedShare(file);
  }

  @Override
  public Machine machine(Path directory) {
    return MachineReader.read(directory);
  }

  @Override
  public Watch watch() {
    NoiseWatch watch = NoiseWatch.begin();
    return new Watch() {
      @Override
      public void look() {
        watch.look();
      }

      @Override
      public List<String> warnings() {
        List<String> warnings = new ArrayList<>(watch.warnings());
        if (droppedAll) {
          warnings.add(DROPPED_ALL);
        }
        return warnings;
      }
    };
  }

  private static CallCount countByCounter(Lane.Work work) throws Exception {
    try (UsageCounter counter = UsageCounters.open()) {
      return counted(counter, work);
    }
  }

  /// What `counter` sees of `work`.
  static CallCount counted(UsageCounter counter, Lane.Work work) throws Exception {
    Usage before = counter.read();
    work.run();
    Usage used = counter.read().since(before);
    return new CallCount(used.systemCalls(), counter.systemCallCount(), counter.note());
  }

  /// By the counter instead where strace did not even let the work begin.
  private static CallCount countByStrace(Lane.Work work) throws Exception {
    boolean[] done = new boolean[1];
    StraceCount count =
        Strace.ofPath()
            .<Exception>count(
                () -> {
                  done[0] = true;
                  work.run();
                });
    return switch (count) {
      case StraceCount.Counted counted ->
          new CallCount(counted.total(), SystemCallCount.STRACE, "");
      case StraceCount.Unavailable(String reason) when done[0] ->
          new CallCount(Usage.UNKNOWN, SystemCallCount.NONE, reason);
      case StraceCount.Unavailable(String reason) -> {
        CallCount instead = countByCounter(work);
        yield new CallCount(instead.calls(), instead.how(), reason);
      }
    };
  }
}
