package dev.zcp.carrier;

import dev.zcp.core.Failure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

public final class SocketAcceptor implements Acceptor {

  private final ServerSocketChannel server;
  private final DataBuffer buffer;
  private final int bufferBytes;
  private final String congestion;
  private final boolean encrypted;

  /// @param bufferBytes how large a `buffer` to ask the kernel for, or 0 for its own tuning
  /// @param congestion the algorithm that was asked for; null if none was
  /// @param encrypted whether peers are to speak TLS
  public SocketAcceptor(
      InetSocketAddress address,
      DataBuffer buffer,
      int bufferBytes,
      String congestion,
      boolean encrypted)
      throws IOException {
    this.buffer = buffer;
    this.bufferBytes = bufferBytes;
    this.congestion = congestion;
    this.encrypted = encrypted;
    this.server = ServerSocketChannel.open();
    try {
      // Accepted sockets inherit it, and the window scale is agreed on before accept(2): tcp(7).
      buffer.ask(server, bufferBytes);
      server.bind(address);
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  public int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  @Override
  public Carrier accept() throws IOException, Failure {
    while (true) {
      SocketChannel channel = server.accept();
      try {
        CongestionControl.ask(channel, congestion);
        Carrier carrier = new SocketCarrier(channel, buffer, bufferBytes);
        return encrypted ? new TlsCarrier(carrier, true) : carrier;
      } catch (Failure failure) {
        channel.close();
        throw failure;
      } catch (IOException e) {
        // Whoever came has gone again. That must not count as a failure to accept.
        channel.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
