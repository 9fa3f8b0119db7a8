package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Puts a source into the page cache, or out of it, before each run.
final class CacheState {

  /// A file counts as evicted with at most this share of it left.
  static final double COLD_SHARE_MAX = 0.01;

  private static final int BUFFER_BYTES = 1 << 20;
  private static final String IN_MEMORY = "tmpfs";

  private final Host host;

  CacheState(Host host) {
    this.host = host;
  }

  /// Does what `cache` asks for.
  ///
  /// @return how much of the file is cached now, from 0 to 1; NaN where nobody can tell
  double prepare(Path file, Cache cache) throws IOException {
    return switch (cache) {
      case COLD -> host.evict(file);
      case WARM -> {
        double share = host.cachedShare(file);
        if (share == 1) {
          yield share;
        }
        read(file);
        // What memory still lacks of a file that lives there is holes, which need no device.
        yield livesInMemory(file) ? 1 : host.cachedShare(file);
      }
    };
  }

  /// Why a run with that share would not be what was asked for, as a phrase; empty where it would.
  static String obstacle(Path file, Cache cache, double share) throws IOException {
    if (cache == Cache.WARM || share <= COLD_SHARE_MAX) {
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
    return Files.getFileStore(file).type().equals(IN_MEMORY);
  }

  private static void read(Path file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        // What is in the buffer is of no use: the page cache has it too.
      }
    }
  }
}
