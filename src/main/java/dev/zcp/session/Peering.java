package dev.zcp.session;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;

/// How an end meets the other one, whichever of the two gives the files.
///
/// @param plain whether a connection off this machine may go unencrypted
public record Peering(PeerEndpoint endpoint, KeySource key, boolean plain, Flow flow) {

  public Address address() {
    return endpoint.address();
  }

  /// The mode comes from the address or the flag, and is never negotiated down.
  ///
  /// @param loopback whether nobody but this machine can be at the other end
  /// @throws Failure USAGE if the user did not say that others may read what is sent
  void requirePlain(boolean loopback) throws Failure {
    Address address = address();
    if (address.scheme() == Address.Scheme.ENCRYPTED) {
      throw Failure.of(ExitCode.USAGE, address.toString(), "there is no encryption yet")
          .with("zcp+plain:// goes unencrypted, if the other end says --plain too");
    }
    if (loopback || plain || address.scheme() == Address.Scheme.PLAIN) {
      return;
    }
    boolean listens = endpoint instanceof PeerEndpoint.Listen;
    throw Failure.of(
            ExitCode.USAGE,
            address.toString(),
            (listens ? "is open to other machines" : "is not this machine")
                + ", and there is no encryption yet")
        .with("--plain sends what everyone on the way can read");
  }
}
