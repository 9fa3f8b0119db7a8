package dev.zcp.session;

import dev.zcp.core.Address;
import dev.zcp.core.Address.Scheme;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;

/// How an end meets the other one, whichever of the two gives the files.
///
/// @param asked what the user said of encryption besides the address: `--tls`, `--plain`, or
///   nothing
public record Peering(PeerEndpoint endpoint, KeySource key, Scheme asked, Flow flow) {

  /// Of an end that ssh has started: its address has the key.
  public static Peering of(PeerEndpoint endpoint, Flow flow) {
    return new Peering(endpoint, new KeySource(null, null, null), Scheme.UNSAID, flow);
  }

  public Address address() {
    return endpoint.address();
  }

  /// Whether connections are encrypted. Only the address and the options decide, never the peer: so
  /// nobody on the way can have them go plain.
  ///
  /// @param loopback whether nobody but this machine can be at the other end
  /// @throws Failure USAGE if the address and the option contradict each other
  boolean isEncrypted(boolean loopback) throws Failure {
    Scheme scheme = address().scheme();
    if (scheme != Scheme.UNSAID && asked != Scheme.UNSAID && scheme != asked) {
      boolean plain = asked == Scheme.PLAIN;
      throw Failure.of(
          ExitCode.USAGE,
          address(),
          plain
              ? "a zcp:// address is encrypted, and --plain says that it is not"
              : "a zcp+plain:// address is not encrypted, and --tls says that it is");
    }
    return address().isEncrypted(asked, loopback);
  }
}
