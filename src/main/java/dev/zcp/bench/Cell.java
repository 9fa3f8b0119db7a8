package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Words;
import dev.zcp.engine.Choice;

/// One thing to measure.
///
/// @param contender the name of a strategy, of one of [BenchOnly], or `auto`
/// @param chunkBytes the most that one call is asked to move; `Choice.ADAPTIVE` leaves it to the
///   strategy, `Choice.WHOLE` asks for the whole file at once
/// @param fileBytes the size of the file
/// @param cache where the source's bytes are; WARM for experiments that read no file
/// @param forcing [ForceRule#NEVER] but in FORCE
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
    ForceRule forcing,
    Peer peer,
    int socketBufferBytes,
    ArticleClaim claim) {

  public enum Cache {
    WARM,
    /// On the device: put out of the page cache, and seen to be out.
    COLD
  }

  /// When what was written is forced to its device.
  ///
  /// @param everyBytes after how many bytes, each time; 0 for never, or [Long#MAX_VALUE] for once
  ///   at the end
  /// @param asynchronous whether a thread of its own does it while writing goes on; the run ends
  ///   when both have
  public record ForceRule(long everyBytes, boolean asynchronous) {

    public static final ForceRule NEVER = new ForceRule(0, false);
    public static final ForceRule AT_THE_END = new ForceRule(Long.MAX_VALUE, false);

    /// What it comes to for a file of this size: once at the end if its first time is not before.
    ForceRule of(long fileBytes) {
      return everyBytes >= Math.max(1, fileBytes) ? AT_THE_END : this;
    }
  }

  /// The other end of a loopback connection, which takes everything and checks it. One that sends
  /// uses sendfile(2) and pays no heed to these settings.
  ///
  /// @param chunkBytes how much it reads at once
  /// @param toFile whether it writes what it reads to a file
  public record Peer(int chunkBytes, boolean toFile) {

    /// Reads with a direct buffer of the size that is fastest, and keeps nothing.
    public static final Peer FAST = new Peer(512 << 10, false);
  }

  /// What an article says of a cell.
  ///
  /// @param row which row of which table: `A1 1.2`; empty if no article speaks of the cell
  /// @param figures its figures as a reader would copy them: `176 ms, then 92 ms`; may be empty
  /// @param meanMs the mean of its runs after the first, in milliseconds, or its only figure; NaN
  ///   if it gives none
  /// @param fileBytes the size of its file, which the cell's need not have
  public record ArticleClaim(String row, String figures, double meanMs, long fileBytes) {

    public static final ArticleClaim NONE = new ArticleClaim("", "", Double.NaN, 0);

    boolean tellsProcessorTime() {
      return figures.contains("user");
    }
  }

  /// The same cell with other socket buffers, if it has a socket.
  public Cell withSocketBuffer(int bytes) {
    return experiment.needsSocket() ? with(fileBytes, bytes) : this;
  }

  Cell ofSize(long bytes) {
    return with(bytes, socketBufferBytes);
  }

  /// `direct 64.0 KiB cold`: what tells a cell from others of its group.
  public String name() {
    String chunk = chunk();
    return contender + (chunk.isEmpty() ? "" : " " + chunk) + (cache == Cache.COLD ? " cold" : "");
  }

  /// `read 8.00 MiB warm by direct (64.0 KiB a call)`: the cell in a sentence.
  String sentence() {
    String chunk = hasChunk() ? chunk() + " a call" : chunk();
    String what = experiment.word() + " " + new ByteSize(fileBytes) + " " + Words.of(cache);
    return what + " by " + contender + (chunk.isEmpty() ? "" : " (" + chunk + ")");
  }

  /// Empty if it is the contender's own.
  private String chunk() {
    String size = hasChunk() ? new ByteSize(chunkBytes).toString() : "";
    return chunkBytes == Choice.WHOLE ? "whole" : size;
  }

  /// Whether the size of a call is a number of bytes.
  boolean hasChunk() {
    return chunkBytes != Choice.WHOLE && chunkBytes != Choice.ADAPTIVE;
  }

  private Cell with(long bytes, int bufferBytes) {
    return new Cell(
        experiment, contender, chunkBytes, bytes, cache, forcing, peer, bufferBytes, claim);
  }
}
