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

/// What each strategy says of one route: the answer of `zcp strategies SOURCE TARGET`.
///
/// @param lines one for each strategy, in the order of the alphabet
/// @param best the name of the strategy that `auto` would begin with, or empty where none can serve
public record Survey(List<Line> lines, String best) {

  /// One strategy and its answer.
  public record Line(TransferStrategy strategy, Verdict verdict) {}

  /// Asks every strategy about the way from `source` to `target`. Opens the source, changes
  /// nothing.
  ///
  /// @param target a path, `-`, or the address of a receiver
  /// @throws Failure SOURCE or DESTINATION where an end cannot be looked at
  public static Survey of(Strategies strategies, RawPath source, RawPath target) throws Failure {
    Route route = new Route(Ends.ofSource(source), Ends.ofTarget(target));
    List<Line> lines = new ArrayList<>();
    for (TransferStrategy strategy : strategies.all()) {
      lines.add(new Line(strategy, strategy.judge(route)));
    }
    return new Survey(lines, best(strategies, route, Ends.bytesOf(source)));
  }

  private static String best(Strategies strategies, Route route, long bytes) throws Failure {
    try {
      return new Engine(strategies, Choice.DEFAULT).rank(route, bytes).getFirst().strategy().name();
    } catch (RefusedException e) {
      return "";
    }
  }
}
