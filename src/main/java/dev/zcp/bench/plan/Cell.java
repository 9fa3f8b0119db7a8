package dev.zcp.bench.plan;

/// One thing to measure.
///
/// @param contender the name of a strategy, of one of [BenchOnly], or `auto`
/// @param chunkBytes the most that one call is asked to move; `Choice.ADAPTIVE` leaves it to the
///   strategy, `Choice.WHOLE` asks for the whole file at once
/// @param fileBytes the size of the file
/// @param cache where the source's bytes are; WARM for experiments that read no file
/// @param forcing [Forcing#NEVER] but in FORCE
/// @param peer the other end, of SEND and RECEIVE
/// @param socketBufferBytes what to ask the kernel for, of SEND and RECEIVE; 0 leaves it to the
///   kernel
/// @param claim what an article says of this cell
public record Cell(
    Experiment experiment,
    String contender,
    long chunkBytes,
    long fileBytes,
    Cache cache,
    Forcing forcing,
    Peer peer,
    int socketBufferBytes,
    Claim claim) {

  /// A warm cell with nothing special about it.
  public static Cell of(Experiment experiment, String contender, long chunkBytes, long fileBytes) {
    return new Cell(
        experiment,
        contender,
        chunkBytes,
        fileBytes,
        Cache.WARM,
        Forcing.NEVER,
        Peer.FAST,
        0,
        Claim.NONE);
  }

  /// The same cell with other socket buffers, where it has a socket.
  public Cell withSocketBuffer(int bytes) {
    return experiment.needsSocket()
        ? new Cell(experiment, contender, chunkBytes, fileBytes, cache, forcing, peer, bytes, claim)
        : this;
  }

  /// The same with a file of another size.
  public Cell ofSize(long bytes) {
    return new Cell(
        experiment, contender, chunkBytes, bytes, cache, forcing, peer, socketBufferBytes, claim);
  }
}
