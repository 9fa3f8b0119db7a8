package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
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
  /// @param profile the user's profile, or null where there is to be none
  /// @throws Failure where the source is missing or either end cannot be looked at
  public static List<Line> of(
      Strategies strategies, RawPath source, RawPath target, RawPath profile) throws Failure {
    Explanation explanation = Explanation.of(strategies, source, target, profile);
    List<Line> lines = new ArrayList<>();
    for (Engine.Candidate candidate : explanation.usable()) {
      lines.add(new Line(candidate.strategy(), candidate.verdict()));
    }
    for (Explanation.Refusal refusal : explanation.refusals()) {
      lines.add(new Line(refusal.strategy(), new Verdict.Refused(refusal.reason())));
    }
    return lines;
  }
}
