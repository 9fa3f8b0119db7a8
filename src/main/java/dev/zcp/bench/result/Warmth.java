package dev.zcp.bench.result;

import dev.zcp.bench.plan.Cache;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Tells which warm cells did not find their file in the page cache.
public final class Warmth {

  private Warmth() {}

  /// How many of the warm cells had a run that did not find all of its file there, and the one that
  /// found least, as a phrase for people; empty where each found all, or nobody could tell.
  public static Optional<String> warning(List<BenchResult.Group> groups) {
    List<CellResult.Measured> warm =
        groups.stream()
            .flatMap(group -> group.cells().stream())
            .filter(CellResult.Measured.class::isInstance)
            .map(CellResult.Measured.class::cast)
            .filter(each -> each.cell().cache() == Cache.WARM)
            .filter(each -> !Double.isNaN(each.cachedBefore()))
            .toList();
    List<CellResult.Measured> cooled =
        warm.stream().filter(each -> each.cachedBefore() < 1).toList();
    return cooled.stream()
        .min(Comparator.comparingDouble(CellResult.Measured::cachedBefore))
        .map(least -> warning(cooled.size(), warm.size(), least));
  }

  private static String warning(int cooled, int warm, CellResult.Measured least) {
    return cooled
        + " of "
        + warm
        + " cells that read a warm file did not find all of it in the page cache before one run or"
        + " more, least of all "
        + CellName.of(least.cell())
        + " with "
        // Never 100 %.
        + Math.round(Math.floor(100 * least.cachedBefore()))
        + " %";
  }
}
