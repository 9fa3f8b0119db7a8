package dev.zcp.ssh;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Dialler;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.net.InetAddress;

/// The connections to an end that ssh has started: the first is its pipes.
final class SshDialler implements Dialler {

  private final RemoteEnd end;

  // Guarded by this.
  private boolean dialled;

  SshDialler(RemoteEnd end) {
    this.end = end;
  }

  @Override
  public synchronized Carrier dial() throws Failure {
    if (!dialled) {
      dialled = true;
      return end.carrier();
    }
    return further();
  }

  /// Another connection, to the port that the [reply][ServeReply#port] names. There is none: the
  /// pipes are the only one.
  private Carrier further() throws Failure {
    throw Failure.of(ExitCode.NETWORK, end.login().toString(), "the connection by ssh is lost");
  }

  @Override
  public InetAddress host() {
    return null;
  }

  /// ssh protects the way there.
  @Override
  public boolean isLocal() {
    return true;
  }
}
