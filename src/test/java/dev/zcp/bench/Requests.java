package dev.zcp.bench;

import dev.zcp.bench.BenchRequest.CellGroup;
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
    return of(directory, null, Content.ContentKind.RANDOM, cells);
  }

  static BenchRequest of(Path directory, Path file, Content.ContentKind content, Cell... cells) {
    return new BenchRequest(
        List.of(new CellGroup("a group", "", List.of(cells))),
        "zcp bench",
        "1",
        RawPath.of(directory),
        file == null ? null : RawPath.of(file),
        content,
        BenchRequest.UNLIMITED,
        2,
        CELL_NS_MAX,
        SEED,
        false);
  }
}
