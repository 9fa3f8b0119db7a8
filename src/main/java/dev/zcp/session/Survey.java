package dev.zcp.session;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.List;

/// What every strategy says of one route, without moving a byte.
public final class Survey {

  private Survey() {}

  /// One strategy and its verdict.
  public record Line(TransferStrategy strategy, Verdict verdict) {}

  /// The verdicts for a copy of `source` to `target`, in the order in which `auto` would try them:
  /// the first usable one is what it takes. Refusals come last.
  ///
  /// @throws Failure where the source is missing or either end cannot be looked at
  public static List<Line> of(Strategies strategies, RawPath source, RawPath target)
      throws Failure {
    throw new IllegalStateException("skeleton");
  }
}
