package dev.zcp.carrier;

import dev.zcp.core.Failure;
import java.net.InetAddress;

/// Makes connections to one peer, as many as are asked for.
public interface Dialler {

  /// @throws Failure NETWORK if nobody answers
  Carrier dial() throws Failure;

  /// Whether the first connection is [control][Carrier#isControl].
  default boolean hasControl() {
    return false;
  }

  /// Hears why another connection than the first could not be made, or was turned away.
  ///
  /// @return whether that is no failure, since the session can go on without it
  default boolean goesOnWithout(Failure why) {
    return false;
  }

  /// How long it took to start the other end; 0 if it was there.
  default long loginNs() {
    return 0;
  }

  /// The host at the other end, by which it is known what moves bytes there best; null if it is not
  /// known.
  InetAddress host();

  /// Whether the peer is on this machine, or ssh protects the way there.
  boolean isLocal();
}
