package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Network;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Whether the network limits a connection, and whether compression then pays, as its sender sees
/// them: most of the time it waits for the socket, while TCP waits for the network and not for the
/// receiver.
///
/// Used by one thread.
final class LinkUse {

  /// How often it is looked at.
  private static final long LOOK_NS = 200_000_000;

  /// How long nothing is compressed after that did not pay.
  private static final long PAUSE_NS = 10_000_000_000L;

  /// The part of the time that a connection must wait for, to be limited by it.
  private static final double BUSY_MIN = 0.8;

  private static final double WRITING_MIN = 0.5;

  /// Nobody tells of the network behind the pipes of ssh. A way that takes fewer bytes a second is
  /// one: no pipe on one machine is so slow.
  private static final double PIPE_RATE_MAX = 30e6;

  private static final double NS_A_SECOND = 1e9;

  private final Supplier<Network> kernel;
  private final LongSupplier clockNs;
  private final boolean isPipe;
  private final boolean isPossible;

  /// Whether the network limits it, or did when something was last sent as it is.
  private boolean isFull;

  /// What a byte took when it was last sent as it is, in nanoseconds.
  private double plainNs;

  /// Before that nothing is compressed.
  private long pausedUntilNs;

  // Since the last look.
  private Network network;
  private long sinceNs;
  private long bytes;
  private long compressedBytes;
  private long elapsedNs;
  private long writingNs;

  LinkUse(Connection connection) {
    this(
        connection::network,
        System::nanoTime,
        connection.isControl(),
        connection.isControl() || !connection.isLocal());
  }

  /// @param kernel what it has counted of the connection
  /// @param isPipe whether ssh carries it, of whose network the kernel counts nothing
  /// @param isPossible whether there may be a network
  LinkUse(Supplier<Network> kernel, LongSupplier clockNs, boolean isPipe, boolean isPossible) {
    this.kernel = kernel;
    this.clockNs = clockNs;
    this.isPipe = isPipe;
    this.isPossible = isPossible;
  }

  boolean isPossible() {
    return isPossible;
  }

  boolean isFull() {
    return isFull;
  }

  /// @param newElapsedNs of all that it took to send so much
  /// @param newWritingNs how long of that nothing but the socket was waited for
  void sent(long newBytes, long newElapsedNs, long newWritingNs, boolean isCompressed) {
    if (!isPossible) {
      return;
    }
    long nowNs = clockNs.getAsLong();
    if (network == null) {
      pausedUntilNs = nowNs;
      begin(nowNs - newElapsedNs, Network.NONE);
    }
    bytes += newBytes;
    compressedBytes += isCompressed ? newBytes : 0;
    elapsedNs += newElapsedNs;
    writingNs += newWritingNs;
    if (nowNs - sinceNs >= LOOK_NS) {
      look(nowNs);
    }
  }

  private void look(long nowNs) {
    Network now = kernel.get();
    double byteNs = (double) elapsedNs / bytes;
    if (compressedBytes < bytes / 2) {
      plainNs = byteNs;
      isFull = nowNs - pausedUntilNs >= 0 && isLimiting(now, nowNs - sinceNs);
    } else if (byteNs > plainNs && writingNs < WRITING_MIN * elapsedNs) {
      isFull = false;
      pausedUntilNs = nowNs + PAUSE_NS;
    }
    begin(nowNs, now);
  }

  private boolean isLimiting(Network now, long ns) {
    if (writingNs < WRITING_MIN * ns) {
      return false;
    }
    if (isPipe) {
      return bytes * NS_A_SECOND / ns < PIPE_RATE_MAX;
    }
    long busyNs = now.busyNs() - network.busyNs() - (now.windowNs() - network.windowNs());
    return busyNs >= BUSY_MIN * ns;
  }

  private void begin(long nowNs, Network now) {
    network = now;
    sinceNs = nowNs;
    bytes = 0;
    compressedBytes = 0;
    elapsedNs = 0;
    writingNs = 0;
  }
}
