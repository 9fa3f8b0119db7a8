package dev.zcp.session;

import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.insight.FileLog;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// The digest of each block that one connection moves: of its bytes on their way, if they pass
/// through memory of this process, or of what is read beside the transfer, if the kernel moves
/// them.
///
/// Used by one thread.
public final class TransitDigest implements Closeable {

  /// How a digest beside the transfer is told of in the report.
  private final String howRead;

  /// Null before the first block that is read.
  private BlockDigest beside;

  /// Of the block that was begun last; null if its bytes are not digested on their way.
  private DigestingSink between;

  /// Whether the current block is read.
  private boolean reads;

  /// @param howRead what is done to a block that is not digested on its way, as in `read back`
  public TransitDigest(String howRead) {
    this.howRead = howRead;
  }

  /// A transfer of blocks.
  ///
  /// @param between what digests their bytes on their way; null if nothing does
  public record Transit(Transfer transfer, DigestingSink between) {

    /// Begins one.
    ///
    /// @param algorithm what the bytes are digested by on their way, if the strategy has them in
    ///   memory; NONE for nothing
    /// @param isReadable whether they can be read beside the transfer if it has not
    /// @param otherNs as [Tracked#Tracked] has it
    /// @throws RefusedException if the strategy asked for cannot serve
    public static Transit begin(
        Engine engine,
        Source source,
        Sink sink,
        long size,
        FileLog log,
        LongConsumer moved,
        Digest.Algorithm algorithm,
        boolean isReadable,
        LongSupplier otherNs)
        throws RefusedException {
      if (algorithm != Digest.Algorithm.NONE) {
        DigestingSink through = new DigestingSink(sink, algorithm);
        try {
          Tracked observer = new Tracked(log, moved, through, otherNs);
          return new Transit(engine.begin(source, through, size, observer), through);
        } catch (RefusedException e) {
          if (!isReadable) {
            throw e;
          }
          // Asked for by name, and one of those that leave the bytes to the kernel.
        }
      }
      return new Transit(
          engine.begin(source, sink, size, new Tracked(log, moved, null, otherNs)), null);
    }
  }

  /// Begins a block, before its first byte moves.
  ///
  /// @param read what is read if nothing digests the bytes on their way
  /// @param algorithm the same for each block
  public void begin(
      Transit transit, Source read, long offset, FileLog log, Digest.Algorithm algorithm) {
    between = transit.between();
    reads = between == null && algorithm != Digest.Algorithm.NONE;
    if (between != null) {
      between.begin(offset);
    } else if (reads) {
      if (beside == null) {
        beside = new BlockDigest(algorithm);
      }
      beside.begin(read, offset, log);
    }
  }

  /// What is read of the block is there up to `offset` of its file.
  public void advance(long offset) {
    if (reads) {
      beside.advance(offset);
    }
  }

  /// Of the block, of which all bytes have moved.
  ///
  /// @throws java.io.EOFException if what is read ends before the block does
  /// @throws IOException if it cannot be read
  public Checksum.Sum finish() throws IOException {
    return reads ? beside.finish() : between.sum();
  }

  /// How the digest came about, for the report.
  public String proof(Digest.Algorithm algorithm) {
    return Checksum.label(algorithm)
        + (reads
            ? " of each block, " + howRead + " from the page cache beside the transfer"
            : " of each block on its way through");
  }

  /// Once this has returned nothing more is read for the block.
  public void abandon() {
    if (reads) {
      beside.abandon();
      reads = false;
    }
  }

  /// Once this has returned nothing more is read.
  @Override
  public void close() {
    abandon();
    if (beside != null) {
      beside.close();
    }
  }
}
