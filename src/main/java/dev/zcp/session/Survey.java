package dev.zcp.session;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.spi.Route;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.ArrayList;
import java.util.List;

/// What every strategy says of one route, without moving a byte.
public final class Survey {

  private Survey() {}

  /// One strategy and its verdict.
  public record Line(TransferStrategy strategy, Verdict verdict) {}

  /// The verdicts for the way from `source` to `target`, in the order in which `auto` would try
  /// them: the first usable one is what it takes. Refusals come last.
  ///
  /// @param target a path, `-`, or the address of a receiver
  /// @throws Failure where the source is missing or either end cannot be looked at
  public static List<Line> of(Strategies strategies, RawPath source, RawPath target)
      throws Failure {
    Route route = new Route(Ends.ofSource(source), Ends.ofTarget(target));
    List<Line> lines = new ArrayList<>();
    try {
      Engine engine = new Engine(strategies, Choice.DEFAULT);
      for (Engine.Candidate candidate : engine.rank(route, Ends.bytesOf(source))) {
        lines.add(new Line(candidate.strategy(), candidate.verdict()));
      }
    } catch (RefusedException e) {
      // No strategy is usable; the lines below say why of each.
      lines.clear();
    }
    for (TransferStrategy strategy : strategies.all()) {
      if (strategy.judge(route) instanceof Verdict.Refused refused) {
        lines.add(new Line(strategy, refused));
      }
    }
    return lines;
  }
}
