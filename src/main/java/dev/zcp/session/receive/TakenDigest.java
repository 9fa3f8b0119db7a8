package dev.zcp.session.receive;

import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.FileLog;
import dev.zcp.session.BlockDigest;
import dev.zcp.session.Checksum;
import dev.zcp.session.DigestingSink;
import dev.zcp.session.Tracked;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongConsumer;

/// The digest of each block that one connection takes: made of its bytes on their way, while they
/// are in the processor's cache, or, if a strategy was asked for that leaves them to the kernel, of
/// what is read back beside it. On the way is the default, since it saves a copy of each byte: the
/// kernel has none of a socket's bytes but by copying, whoever asks.
///
/// Belongs to the connection's thread.
final class TakenDigest implements Closeable {

  // As the report tells them.
  private static final String PROOF_BESIDE =
      " of each block, read back from the page cache beside the transfer";
  private static final String PROOF_BETWEEN = " of each block on its way through";

  /// Null before the first block that is read back.
  private BlockDigest beside;

  /// Of the transfer that began last; null if its bytes are not digested on their way.
  private DigestingSink between;

  /// Whether the digest of the current block is taken from its file.
  private boolean readsBack;

  /// Begins the transfer of blocks to `landing`.
  ///
  /// @param sink that of the landing
  /// @throws RefusedException if the strategy asked for cannot serve
  Transfer transfer(
      Engine engine,
      Source source,
      Landing landing,
      Sink sink,
      long size,
      FileLog log,
      LongConsumer moved,
      Digest.Algorithm algorithm)
      throws RefusedException {
    between = null;
    if (algorithm != Digest.Algorithm.NONE) {
      DigestingSink through = new DigestingSink(sink, algorithm);
      try {
        Observer observer = new Tracked(log, moved, through);
        Transfer transfer = engine.begin(source, through, size, observer);
        between = through;
        return transfer;
      } catch (RefusedException e) {
        if (landing.written() == null) {
          throw e;
        }
        // Asked for by name, and one of those that leave the bytes to the kernel.
      }
    }
    return engine.begin(source, sink, size, new Tracked(log, moved));
  }

  /// Begins a block, before its first byte is there.
  void begin(Landing landing, long offset, FileLog log, Digest.Algorithm algorithm) {
    readsBack = algorithm != Digest.Algorithm.NONE && between == null;
    if (between != null) {
      between.begin(offset);
    } else if (readsBack) {
      if (beside == null) {
        beside = new BlockDigest(algorithm);
      }
      beside.begin(landing.written(), offset, log);
    }
  }

  /// The block is there up to `offset` of its file.
  void advance(long offset) {
    if (readsBack) {
      beside.advance(offset);
    }
  }

  /// Of the block, of which all bytes are there.
  ///
  /// @throws IOException if they cannot be read again
  Checksum.Sum finish() throws IOException {
    return readsBack ? beside.finish() : between.sum();
  }

  /// How the digest came about, for the report.
  String proof(Digest.Algorithm algorithm) {
    return Checksum.label(algorithm) + (readsBack ? PROOF_BESIDE : PROOF_BETWEEN);
  }

  /// Once this has returned nothing more is read of the file.
  void abandon() {
    if (readsBack) {
      beside.abandon();
      readsBack = false;
    }
  }

  @Override
  public void close() {
    if (beside != null) {
      beside.close();
    }
  }
}
