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
  /// @param startUpNs paid once, before the first byte: such as for making a pipe
  /// @param nsPerMiB paid for each MiB, both ends on a warm page cache
  record Cost(long startUpNs, long nsPerMiB) {

    /// The estimated time for `bytes`, in nanoseconds.
    public double estimateNs(long bytes) {
      return startUpNs + (double) nsPerMiB * bytes / (1 << 20);
    }
  }
}
