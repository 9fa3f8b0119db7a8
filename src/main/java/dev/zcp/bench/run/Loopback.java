package dev.zcp.bench.run;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// A TCP connection of this process with itself.
///
/// @param near the contender's end
/// @param far the other
record Loopback(SocketChannel near, SocketChannel far) implements Closeable {

  /// Connects.
  ///
  /// @param bufferBytes what to ask the kernel for, at both ends and in both directions; 0 leaves
  ///   it to the kernel. It must be set before the ends are connected: tcp(7)
  static Loopback connect(int bufferBytes) throws IOException {
    try (ServerSocketChannel door = ServerSocketChannel.open()) {
      if (bufferBytes > 0) {
        door.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
      }
      door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel near = SocketChannel.open();
      try {
        set(near, bufferBytes);
        near.connect(door.getLocalAddress());
        return new Loopback(near, accept(door, near, bufferBytes));
      } catch (IOException e) {
        near.close();
        throw e;
      }
    }
  }

  /// Tells the far end that no more will come.
  void endOfNear() throws IOException {
    if (near.isOpen() && near.isConnected()) {
      near.shutdownOutput();
    }
  }

  /// Frees whoever is stuck in either end. Closing would not: see close(2).
  void shutDown() {
    shutDown(near);
    shutDown(far);
  }

  @Override
  public void close() throws IOException {
    try (near;
        far) {
      shutDown();
    }
  }

  /// Anybody may connect to an open port; only the own end is let in.
  private static SocketChannel accept(ServerSocketChannel door, SocketChannel near, int bufferBytes)
      throws IOException {
    while (true) {
      SocketChannel far = door.accept();
      if (far.getRemoteAddress().equals(near.getLocalAddress())) {
        set(far, bufferBytes);
        return far;
      }
      far.close();
    }
  }

  private static void set(SocketChannel end, int bufferBytes) throws IOException {
    end.setOption(StandardSocketOptions.TCP_NODELAY, true);
    if (bufferBytes > 0) {
      end.setOption(StandardSocketOptions.SO_SNDBUF, bufferBytes);
      end.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
    }
  }

  private static void shutDown(SocketChannel end) {
    try {
      end.shutdownInput();
      end.shutdownOutput();
    } catch (IOException e) {
      // Shut down already, or never connected: nobody can be stuck in it.
    }
  }
}
