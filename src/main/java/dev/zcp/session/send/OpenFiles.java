package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.session.Tracked;
import dev.zcp.session.TransitDigest.Transit;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Iterator;

/// The files that one connection sends blocks of, each open with the transfer that moves its bytes
/// into that connection. A few are kept; one that is needed again later is opened again.
///
/// Used by one thread.
final class OpenFiles implements Closeable {

  static final int OPEN_MAX = 4;

  /// A file with the way of its bytes.
  ///
  /// @param source what a digest beside the transfer reads, too
  /// @param isCompressed whether the bytes go by the [CompressedOutput]
  record Open(Outgoing outgoing, Source source, Transit transit, boolean isCompressed)
      implements Closeable {

    @Override
    public void close() {
      transit.transfer().close();
      Quietly.close(source);
    }
  }

  private final Connection connection;

  /// The one that was used last comes first.
  private final ArrayDeque<Open> open = new ArrayDeque<>();

  OpenFiles(Connection connection) {
    this.connection = connection;
  }

  /// The file, opened if it is not.
  ///
  /// @param digest what blocks are compared by, the same for each file of a session
  /// @param output compresses its bytes; null if they go as they are
  /// @throws Failure SOURCE if it cannot be, or is another one now; STRATEGY if the strategy asked
  ///   for cannot send it
  Open of(Outgoing outgoing, Engine engine, Digest.Algorithm digest, CompressedOutput output)
      throws Failure {
    boolean isCompressed = output != null;
    for (Iterator<Open> each = open.iterator(); each.hasNext(); ) {
      Open found = each.next();
      if (found.outgoing() == outgoing && found.isCompressed() == isCompressed) {
        each.remove();
        open.addFirst(found);
        return found;
      }
    }
    while (open.size() >= OPEN_MAX) {
      open.removeLast().close();
    }
    Open opened = open(outgoing, engine, digest, output);
    open.addFirst(opened);
    return opened;
  }

  /// Closes those that are over, or wait for their end.
  void closeThoseThatArrived() {
    for (Iterator<Open> each = open.iterator(); each.hasNext(); ) {
      Open one = each.next();
      if (one.outgoing().needsNoBytes()) {
        each.remove();
        one.close();
      }
    }
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.removeFirst().close();
    }
  }

  private Open open(
      Outgoing outgoing, Engine engine, Digest.Algorithm digest, CompressedOutput output)
      throws Failure {
    Source source = outgoing.open();
    boolean isCompressed = output != null;
    Digest.Algorithm between =
        isCompressed || passesThroughMemory(engine) ? digest : Digest.Algorithm.NONE;
    try {
      return new Open(
          outgoing,
          source,
          Transit.begin(
              engine,
              source,
              isCompressed ? output : connection.sink(),
              outgoing.size(),
              outgoing.log(),
              isCompressed ? _ -> {} : connection::moved,
              between,
              true,
              isCompressed ? output::takeOtherNs : Tracked.NOTHING_ELSE),
          isCompressed);
    } catch (RefusedException e) {
      Quietly.close(source);
      throw Reasons.refused(outgoing.label(), e);
    }
  }

  /// A receiver on loopback copies what the kernel moves, and the digest copies it here as well:
  /// one copy here serves both, and the receiver then finds the bytes in the processor's cache. If
  /// a card does the copying it is the other way round. What the user has measured counts more. To
  /// be encrypted, bytes pass through memory in any case.
  private boolean passesThroughMemory(Engine engine) {
    return connection.isEncrypted()
        || (engine.isAuto() ? connection.isLocal() && !engine.isTuned() : engine.isThroughMemory());
  }
}
