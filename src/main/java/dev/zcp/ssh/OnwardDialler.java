package dev.zcp.ssh;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.Address.Scheme;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Flow;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.ssh.ServeRequest.Onward;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.InetAddress;

/// How an end that ssh has started connects to a third machine: by TLS to a port there, or by the
/// pipes of its own ssh, which lead there with `--relay`.
final class OnwardDialler implements Dialler {

  private final Onward onward;
  private final Carrier pipe;

  /// Null if the pipes lead there.
  private final SocketDialler direct;

  /// Whether the pipes are a connection by now.
  private volatile boolean dialled;

  /// @param pipe the standard streams of this process
  OnwardDialler(Onward onward, Flow flow, Carrier pipe) {
    this.onward = onward;
    this.pipe = pipe;
    this.direct =
        onward.port() == null ? null : SshDialler.direct(onward.port(), Side.SENDER, flow);
  }

  /// What the session dials.
  Dial endpoint(String key) {
    return direct == null
        ? new Dial(Address.ofSsh(onward.to(), key), 1, 0)
        : Dial.usual(new Address(Scheme.ENCRYPTED, key, onward.to(), onward.port().getPort()));
  }

  @Override
  public Carrier dial() throws Failure {
    if (direct == null) {
      if (dialled) {
        throw Failure.of(ExitCode.NETWORK, onward.to(), "the connection by ssh is lost");
      }
      dialled = true;
      return pipe;
    }
    try {
      return direct.dial();
    } catch (Failure failure) {
      if (!(failure.getCause() instanceof IOException cause)) {
        throw failure;
      }
      throw Failure.of(
              ExitCode.NETWORK,
              onward.from(),
              "cannot connect to "
                  + onward.to()
                  + " ("
                  + direct.address()
                  + "): "
                  + Reasons.of(cause))
          .with("--relay copies through the machine where you are")
          .because(cause);
    }
  }

  @Override
  public InetAddress host() {
    return direct == null ? null : direct.host();
  }

  @Override
  public boolean isLocal() {
    return direct == null || direct.isLocal();
  }
}
