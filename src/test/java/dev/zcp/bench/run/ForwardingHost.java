package dev.zcp.bench.run;

import dev.zcp.bench.count.UsageCounter;
import dev.zcp.bench.result.Machine;
import java.io.IOException;
import java.nio.file.Path;

/// This host, but for what a test makes of it.
class ForwardingHost implements Host {

  private final Host host = new ThisHost(false);

  @Override
  public UsageCounter openCounter() throws IOException {
    return host.openCounter();
  }

  @Override
  public CallCount countCalls(Lane.Work work) throws Exception {
    return host.countCalls(work);
  }

  @Override
  public double evict(Path file) throws IOException {
    return host.evict(file);
  }

  @Override
  public double cachedShare(Path file) throws IOException {
    return host.cachedShare(file);
  }

  @Override
  public Machine machine(Path directory) {
    return host.machine(directory);
  }

  @Override
  public Watch watch() {
    return host.watch();
  }
}
