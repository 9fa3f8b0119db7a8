package dev.zcp.carrier;

import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;

/// The kernel's buffer of a socket, on the way that data takes. The other one holds answers only,
/// and stays as it is.
public enum DataBuffer {
  SENDING(StandardSocketOptions.SO_SNDBUF, "net.core.wmem_max"),
  RECEIVING(StandardSocketOptions.SO_RCVBUF, "net.core.rmem_max");

  private final SocketOption<Integer> option;
  private final String sysctl;

  DataBuffer(SocketOption<Integer> option, String sysctl) {
    this.option = option;
    this.sysctl = sysctl;
  }

  /// The one on the way that data takes from or to this end.
  public static DataBuffer of(Side self) {
    return self == Side.SENDER ? SENDING : RECEIVING;
  }

  /// Asks the kernel for a buffer of `bytes`, or for nothing if that is 0: a size once set ends the
  /// kernel's own tuning for good (tcp(7)).
  ///
  /// @param socket not connected, nor bound if it listens
  public void ask(NetworkChannel socket, int bytes) throws IOException {
    if (bytes > 0) {
      socket.setOption(option, bytes);
    }
  }

  public SocketBuffer given(NetworkChannel socket, int askedBytes) throws IOException {
    // The JDK halves what getsockopt(2) says, to give back what was set.
    long givenBytes = 2L * socket.getOption(option);
    return new SocketBuffer(option.name(), askedBytes, givenBytes, sysctl);
  }
}
