package dev.zcp.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// This host, but for what a test makes of it.
class ForwardingHost implements Host {

  private final Host host = new Host.Local(false);

  @Override
  public UsageCounter openCounter() throws IOException {
    return host.openCounter();
  }

  @Override
  public CallCount countCalls(BenchThread.Work work) throws Exception {
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
  public void look() {
    host.look();
  }

  @Override
  public List<String> warnings() {
    return host.warnings();
  }
}
