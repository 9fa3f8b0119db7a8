package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.linux.NativeFile;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.spi.Verdict.Refused;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Partials.Partial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What every strategy says of one route, once it has been tried.
///
/// A strategy's own verdict may hope: that both files are on one file system does not tell whether
/// this one shares extents. So each moves the first bytes of the source into a file without a name
/// in the directory of the target, if both ends are files and one can be made there.
public final class Survey {

  /// Whole blocks of every file system: less could not be shared.
  private static final long TRIED_BYTES_MAX = 64 << 10;

  private Survey() {}

  /// One strategy and its verdict.
  public record StrategyVerdict(TransferStrategy strategy, Verdict verdict) {}

  /// The verdicts for the way from `source` to `target`, in the order in which `auto` would try
  /// them: the first usable one is what it takes. Refusals come last.
  ///
  /// @param target a path, `-`, or the address of a receiver
  /// @param profile the user's profile, or null if there is to be none
  /// @throws Failure if the source is missing or either end cannot be looked at
  public static List<StrategyVerdict> of(
      Strategies strategies, RawPath source, RawPath target, RawPath profile) throws Failure {
    Explanation explanation = Explanation.of(strategies, source, target, profile);
    Map<TransferStrategy, String> refused = refused(explanation, source, target);
    List<StrategyVerdict> lines = new ArrayList<>();
    for (Engine.Candidate candidate : explanation.usable()) {
      if (!refused.containsKey(candidate.strategy())) {
        lines.add(new StrategyVerdict(candidate.strategy(), candidate.verdict()));
      }
    }
    refused.forEach(
        (strategy, reason) -> lines.add(new StrategyVerdict(strategy, new Refused(reason))));
    for (Explanation.Refusal refusal : explanation.refusals()) {
      lines.add(new StrategyVerdict(refusal.strategy(), new Refused(refusal.reason())));
    }
    return lines;
  }

  /// Those that hoped in vain, and why.
  private static Map<TransferStrategy, String> refused(
      Explanation explanation, RawPath source, RawPath target) {
    Map<TransferStrategy, String> refused = new LinkedHashMap<>();
    long bytes = Math.min(explanation.bytes(), TRIED_BYTES_MAX);
    Route route = explanation.route();
    if (bytes == 0 || route.source().kind() != Kind.FILE || route.sink().kind() != Kind.FILE) {
      return refused;
    }
    try (OpenDirectory above = OpenDirectory.open(source.parent());
        NativeFile from = above.file(source.lastComponent(), true);
        OpenDirectory directory =
            OpenDirectory.open(RawPath.of(Explanation.directoryOf(target.toPath())));
        NativeFile nameless = nameless(directory)) {
      for (Engine.Candidate candidate : explanation.usable()) {
        try (Mover mover = candidate.strategy().open(from, nameless)) {
          if (mover.move(new Span(0, bytes)) instanceof Step.Declined(_, String reason)) {
            refused.put(candidate.strategy(), reason);
          }
        }
      }
    } catch (IOException e) {
      // Nothing can be tried there. A copy would say why.
      return refused;
    }
    return refused;
  }

  /// A file that nobody finds, and that is gone when it is closed.
  private static NativeFile nameless(OpenDirectory directory) throws IOException {
    Partial partial = new Partials().begin(directory);
    try {
      return partial.createFile();
    } finally {
      partial.discard();
    }
  }
}
