package dev.zcp.bench.run;

import dev.zcp.bench.count.UsageCounter;
import dev.zcp.bench.result.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What a benchmark asks of the machine that it runs on.
interface Host {

  /// Begins to count for the calling thread. System calls are not among what it counts.
  ///
  /// @throws IOException where nothing can be counted, as a phrase a user can read
  UsageCounter openCounter() throws IOException;

  /// Does `work` on the calling thread and counts its system calls, where that can be done; does it
  /// once in any case.
  ///
  /// @throws Exception where the work does
  CallCount countCalls(Lane.Work work) throws Exception;

  /// Puts a file out of the page cache as far as the kernel does so. That more than a file had to
  /// go is among the [warnings][Watch#warnings].
  ///
  /// @return the share that stayed, as [#cachedShare]
  double evict(Path file) throws IOException;

  /// How much of a file is in the page cache, from 0 to 1; NaN where nobody can tell.
  double cachedShare(Path file) throws IOException;

  /// Where the benchmark runs.
  ///
  /// @param directory where its files are
  Machine machine(Path directory);

  /// Begins to watch for what makes figures less sure.
  Watch watch();

  /// Watches from its making to its last look.
  interface Watch {

    /// Looks again. To be called now and then, and never while a clock runs.
    void look();

    /// What was seen, each a phrase for people; none where all was quiet.
    List<String> warnings();
  }
}
