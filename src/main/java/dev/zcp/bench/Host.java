package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.RawPath;
import dev.zcp.linux.PageCache;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// The machine that a benchmark runs on. It knows no cell and no contender. Open for tests, which
/// replace what a machine does.
class Host {

  /// A file counts as evicted with at most this share of it left.
  static final double COLD_SHARE_MAX = 0.01;

  private static final String DROPPED_ALL =
      "the page cache of the whole machine was dropped before cold runs, since a file did not"
          + " leave it alone: what else runs here reads from its disk again";

  private final boolean strace;
  private final NoiseWatch noise = new NoiseWatch(NoiseWatch.Look.now());
  private boolean droppedAll;

  /// @param strace whether system calls are counted by strace, if that is to be had
  Host(boolean strace) {
    this.strace = strace;
  }

  /// Does `work` on the calling thread, once in any case, and counts its system calls if that can
  /// be done: by a counter if strace did not even let the work begin.
  ///
  /// @throws Exception if the work does
  CallCount countCalls(BenchThread.TimedWork work) throws Exception {
    if (!strace) {
      return countByCounter(work);
    }
    try {
      long calls = 0;
      for (long each : Strace.ofPath().count(work).values()) {
        calls += each;
      }
      return new CallCount(calls, CallCount.CountedBy.STRACE, "");
    } catch (Strace.UnavailableException e) {
      CallCount instead = e.isWorkDone() ? CallCount.NONE : countByCounter(work);
      return new CallCount(instead.calls(), instead.kind(), e.getMessage());
    }
  }

  private static CallCount countByCounter(BenchThread.TimedWork work) throws Exception {
    try (SystemCalls calls = SystemCalls.best()) {
      return calls.count(work);
    }
  }

  /// How much of a file is in the page cache, from 0 to 1; NaN if nobody can tell.
  double cachedShare(Path file) throws IOException {
    return PageCache.cachedShare(file);
  }

  /// Looks for what makes figures less sure: now and then, and never while a clock runs.
  void look() {
    noise.look(NoiseWatch.Look.now());
  }

  /// What was seen since this host was made, each a phrase for people.
  List<String> warnings() {
    List<String> warnings = new ArrayList<>(noise.warnings());
    if (droppedAll) {
      warnings.add(DROPPED_ALL);
    }
    return warnings;
  }

  /// Puts a file into the page cache or out of it, as `cache` asks for and as far as the kernel
  /// does so. That more than a file had to go is among the [#warnings].
  ///
  /// @return how much of the file is cached now, from 0 to 1; NaN if nobody can tell
  double prepare(Path file, Cell.Cache cache) throws IOException {
    if (cache == Cell.Cache.COLD) {
      PageCache.Eviction eviction = PageCache.evict(file, COLD_SHARE_MAX);
      droppedAll |= eviction.droppedAll();
      return eviction.share();
    }
    if (cachedShare(file) == 1) {
      return 1;
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        // What is in the buffer is of no use: the page cache has it too.
      }
    }
    // What memory still lacks of a file that lives there is holes, which need no device.
    return livesInMemory(file) ? 1 : cachedShare(file);
  }

  /// Why a run with that share would not be what was asked for, as a phrase; empty if it would.
  static String obstacle(Path file, Cell.Cache cache, double share) throws IOException {
    if (cache == Cell.Cache.WARM || share <= COLD_SHARE_MAX) {
      return "";
    }
    if (Double.isNaN(share)) {
      return "nobody can tell here whether the file has left the page cache";
    }
    return livesInMemory(file)
        ? "tmpfs keeps files in the page cache"
        : Math.round(100 * share) + " % of the file stays in the page cache";
  }

  private static boolean livesInMemory(Path file) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(file).parent())) {
      return directory.isInMemory();
    }
  }
}
