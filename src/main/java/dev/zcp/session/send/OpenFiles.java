package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.session.DigestingSink;
import dev.zcp.session.Tracked;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;

/// The files that one connection sends blocks of, each open with the transfer that moves its bytes
/// into that connection. A few are kept; one that is needed again later is opened again.
///
/// Used by one thread.
final class OpenFiles implements Closeable {

  /// How many stay open.
  static final int OPEN_MAX = 4;

  /// A file with the way of its bytes.
  ///
  /// @param source what a digest beside the transfer reads, too
  /// @param between what digests the bytes on their way; null if nothing does
  record Open(Sent sent, Source source, Transfer transfer, DigestingSink between)
      implements Closeable {

    @Override
    public void close() {
      transfer.close();
      try {
        source.close();
      } catch (IOException e) {
        // It was only read from: nothing is lost with it.
      }
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
  /// @throws Failure SOURCE if it cannot be, or is another one now; STRATEGY if the strategy asked
  ///   for cannot send it
  Open of(Sent sent, Engine engine, Digest.Algorithm digest) throws Failure {
    for (Iterator<Open> each = open.iterator(); each.hasNext(); ) {
      Open found = each.next();
      if (found.sent() == sent) {
        each.remove();
        open.addFirst(found);
        return found;
      }
    }
    while (open.size() >= OPEN_MAX) {
      open.removeLast().close();
    }
    Open opened = open(sent, engine, digest);
    open.addFirst(opened);
    return opened;
  }

  /// Closes those that are over, or wait for their end.
  void closeThoseThatArrived() {
    for (Iterator<Open> each = open.iterator(); each.hasNext(); ) {
      Open one = each.next();
      if (one.sent().needsNoBytes()) {
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

  private Open open(Sent sent, Engine engine, Digest.Algorithm digest) throws Failure {
    Source source = sent.open();
    try {
      return digest != Digest.Algorithm.NONE && passesThroughMemory(engine)
          ? openBetween(sent, source, engine, digest)
          : openBeside(sent, source, engine);
    } catch (RefusedException e) {
      closeAfter(source);
      throw Reasons.refused(sent.outgoing().label(), e);
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

  private Open openBetween(Sent sent, Source source, Engine engine, Digest.Algorithm digest)
      throws RefusedException {
    DigestingSink through = new DigestingSink(connection.sink(), digest);
    Tracked observer = new Tracked(sent.log(), connection::moved, through);
    try {
      Transfer transfer = engine.begin(source, through, sent.outgoing().size(), observer);
      return new Open(sent, source, transfer, through);
    } catch (RefusedException e) {
      // It needs a descriptor there.
      return openBeside(sent, source, engine);
    }
  }

  private Open openBeside(Sent sent, Source source, Engine engine) throws RefusedException {
    long size = sent.outgoing().size();
    Transfer transfer = engine.begin(source, connection.sink(), size, tracked(sent));
    return new Open(sent, source, transfer, null);
  }

  private Tracked tracked(Sent sent) {
    return new Tracked(sent.log(), connection::moved);
  }

  private static void closeAfter(Source source) {
    try {
      source.close();
    } catch (IOException e) {
      // What led here is told.
    }
  }
}
