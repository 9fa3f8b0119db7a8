package dev.zcp.bench.run;

import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.ContentKind;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Plan;
import dev.zcp.core.RawPath;
import java.nio.file.Path;
import java.util.List;

/// Small requests for tests.
final class Requests {

  static final long SEED = 20;
  static final long CELL_NS_MAX = 60_000_000_000L;

  private Requests() {}

  /// One group of `cells`, two runs each that count.
  static BenchRequest of(Path directory, Cell... cells) {
    return of(directory, null, ContentKind.RANDOM, cells);
  }

  static BenchRequest of(Path directory, Path file, ContentKind content, Cell... cells) {
    return new BenchRequest(
        new Plan(List.of(new Plan.Group("a group", "", List.of(cells)))),
        "zcp bench",
        "1",
        RawPath.of(directory),
        file == null ? null : RawPath.of(file),
        content,
        2,
        CELL_NS_MAX,
        SEED,
        false);
  }
}
