package dev.zcp.bench.plan;

/// The other end of a loopback connection, on a thread of its own in the same process. It takes
/// everything and checks it; a sending one feeds by sendfile(2) and pays no heed to these settings.
///
/// @param chunkBytes how much it reads at once
/// @param toFile whether it writes what it reads to a file
public record Peer(int chunkBytes, boolean toFile) {

  /// Reads with a direct buffer of the size that is fastest, and keeps nothing.
  public static final Peer FAST = new Peer(512 << 10, false);
}
