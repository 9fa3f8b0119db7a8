package dev.zcp.testing;

import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;

/// The fastest there is: it says that it moved everything, and moves nothing.
public final class IdleStrategy implements TransferStrategy {

  private static final long CHUNK_BYTES = 1 << 20;

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String summary() {
    return "moves nothing and says it did";
  }

  @Override
  public Model model() {
    return new Model(0, 0, 0);
  }

  @Override
  public Verdict judge(Route route) {
    return new Verdict.Usable(new Verdict.Cost(0, 1_000_000_000), CHUNK_BYTES);
  }

  @Override
  public Mover open(Source source, Sink sink) {
    return span -> new Step.Moved(span.length());
  }
}
