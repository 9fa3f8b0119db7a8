package dev.zcp.bench.run;

import dev.zcp.bench.count.UsageCounter;
import dev.zcp.bench.result.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What a benchmark asks of the machine that it runs on.
interface Host {

  /// Begins to count for the calling thread.
  UsageCounter openCounter();

  /// Puts a file out of the page cache as far as the kernel does so; [#cachedShare] tells how far
  /// it did.
  void evict(Path file) throws IOException;

  /// How much of a file is in the page cache, from 0 to 1; 1 for an empty one.
  double cachedShare(Path file) throws IOException;

  /// Where the benchmark runs.
  ///
  /// @param directory where its files are
  Machine machine(Path directory);

  /// Begins to watch for what makes figures less sure.
  NoiseWatch watch();

  /// Watches from its making to its end.
  interface NoiseWatch {

    /// What was seen, each a sentence without a full stop; empty where all was quiet.
    List<String> end();
  }
}
