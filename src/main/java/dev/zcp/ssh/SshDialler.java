package dev.zcp.ssh;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.DataBuffer;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Flow;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/// The connections to an end that ssh has started: the first is its pipes, and further ones go to
/// its port by TLS. If that cannot be reached, the pipes are the only one.
final class SshDialler implements Dialler {

  /// How long a port may take to answer. A firewall may drop everything that goes there.
  private static final long ANSWER_NS_MAX = 3_000_000_000L;

  private final RemoteEnd end;
  private final SocketDialler direct;
  private final Consumer<String> note;

  // All below is guarded by this.
  private boolean dialled;

  /// Why there are no further connections; null if there may be.
  private Failure unreachable;

  private boolean told;

  /// @param direct makes further connections; null if the other end has no port for them
  /// @param suitsTls whether what moves bytes can move them through TLS
  /// @param note told once why there are no further connections
  SshDialler(RemoteEnd end, SocketDialler direct, boolean suitsTls, Consumer<String> note) {
    this.end = end;
    this.direct = direct;
    this.note = note;
    this.unreachable =
        direct == null
            ? failure("the zcp there has no port for it")
            : suitsTls ? null : failure("the strategy that was asked for needs a descriptor");
  }

  @Override
  public Carrier dial() throws Failure {
    synchronized (this) {
      if (!dialled) {
        dialled = true;
        return end.connection();
      }
      if (unreachable != null) {
        throw unreachable;
      }
    }
    return direct.dial();
  }

  /// Connects by TLS to a port that an end which ssh has started names in its reply.
  ///
  /// @return null if it names none
  static SocketDialler direct(InetSocketAddress port, Side self, Flow flow) {
    if (port == null) {
      return null;
    }
    Address address =
        new Address(
            Address.Scheme.ENCRYPTED, null, port.getAddress().getHostAddress(), port.getPort());
    return new SocketDialler(
        address,
        new InetAddress[] {port.getAddress()},
        ANSWER_NS_MAX,
        DataBuffer.of(self),
        flow.socketBufferBytes(),
        flow.congestion(),
        true);
  }

  @Override
  public long loginNs() {
    return end.loginNs();
  }

  @Override
  public boolean hasControl() {
    return true;
  }

  /// Whatever the reason, no connection is tried again: it would mostly fail again, and the pipes
  /// carry everything.
  @Override
  public boolean goesOnWithout(Failure why) {
    boolean isFirst;
    synchronized (this) {
      unreachable = why;
      isFirst = !told;
      told = true;
    }
    if (isFirst) {
      String what = why.getCause() instanceof IOException e ? Reasons.of(e) : why.reason();
      note.accept(end.login() + ": no direct connection: " + what + " (ssh carries everything)");
    }
    return true;
  }

  private Failure failure(String what) {
    return Failure.of(ExitCode.NETWORK, end.login(), what);
  }

  @Override
  public InetAddress host() {
    return null;
  }

  @Override
  public boolean isLocal() {
    return true;
  }
}
