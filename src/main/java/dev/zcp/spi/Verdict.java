package dev.zcp.spi;

/// A strategy's answer to a [Route], given before anything is opened.
public sealed interface Verdict {

  /// It can serve the route at this cost, best in steps of up to `chunkBytes`.
  record Usable(Cost cost, long chunkBytes) implements Verdict {
    public Usable {
      if (chunkBytes < 1) {
        throw new IllegalArgumentException("a chunk of " + chunkBytes + " bytes");
      }
    }
  }

  /// It cannot, for this reason: a phrase a user can read, without a full stop.
  record Refused(String reason) implements Verdict {}

  /// An estimate from measurement, by which `auto` compares strategies for a given length.
  ///
  /// @param startUpNs paid once, before the first byte: binding native calls, making a pipe
  /// @param nsPerMiB paid for each MiB, both ends on a warm page cache
  /// @param pairedNsPerMiB paid for each MiB where two movers share the work, each with ranges of
  ///   its own, both ends being seekable; [#NEVER] where that is no gain or not possible
  record Cost(long startUpNs, long nsPerMiB, long pairedNsPerMiB) {

    public static final long NEVER = Long.MAX_VALUE;

    /// The cost of a strategy that works alone.
    public Cost(long startUpNs, long nsPerMiB) {
      this(startUpNs, nsPerMiB, NEVER);
    }

    /// The estimated time for `bytes` of one mover, in nanoseconds.
    public double estimateNs(long bytes) {
      return startUpNs + (double) nsPerMiB * bytes / (1 << 20);
    }
  }
}
