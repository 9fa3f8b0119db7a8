package dev.zcp.carrier;

import dev.zcp.core.Address;
import dev.zcp.core.Network;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.TcpInfo;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A TCP connection. It is ended by shutting it down both ways, which frees a thread in any system
/// call on it; close(2) would not, and could hand the descriptor's number to another file.
public final class SocketCarrier implements Carrier {

  private static final long NS_PER_US = 1000;

  private final SocketChannel channel;
  private final ChannelEnd end;
  private final DataBuffer way;
  private final int askedBytes;
  private final InetSocketAddress remote;

  /// @param channel connected, in blocking mode
  /// @param way that files take
  /// @param askedBytes what was asked of the kernel for the buffer on this way, or 0
  public SocketCarrier(SocketChannel channel, DataBuffer way, int askedBytes) throws IOException {
    this.channel = channel;
    this.end = ChannelEnd.socket(channel);
    this.way = way;
    this.askedBytes = askedBytes;
    this.remote = (InetSocketAddress) channel.getRemoteAddress();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  public Source source() {
    return end;
  }

  @Override
  public Sink sink() {
    return end;
  }

  @Override
  public void write(ByteBuffer... bytes) throws IOException {
    channel.write(bytes);
  }

  @Override
  public boolean isWritable() {
    return end.isWritable();
  }

  @Override
  public boolean isReadable() {
    return end.isReadable();
  }

  @Override
  public boolean isLocal() {
    return remote.getAddress().isLoopbackAddress();
  }

  @Override
  public String peer() {
    return new Address(
            Address.Scheme.PLAIN, null, remote.getAddress().getHostAddress(), remote.getPort())
        .toString();
  }

  @Override
  public InetAddress address() {
    return remote.getAddress();
  }

  @Override
  public SocketBuffer buffer() throws IOException {
    return way.given(channel, askedBytes);
  }

  @Override
  public Network network() {
    TcpInfo info = TcpInfo.of(channel);
    return info == null
        ? Network.NONE
        : new Network(
            1,
            info.busyUs() * NS_PER_US,
            info.windowUs() * NS_PER_US,
            info.bufferUs() * NS_PER_US,
            info.roundTripUs() * NS_PER_US,
            info.leastRoundTripUs() * NS_PER_US,
            info.repeated());
  }

  @Override
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void cut() {
    try {
      channel.shutdownInput();
      channel.shutdownOutput();
    } catch (IOException e) {
      // It is over already.
    }
  }

  /// SO_LINGER 0 has close(2) send a reset: socket(7). Until then the peer must not read an end, so
  /// output is not shut down; whoever is about to write finds room, and learns of it by reading.
  @Override
  public void breakOff() {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.shutdownInput();
    } catch (IOException e) {
      // It is over already.
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
