package dev.zcp.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A way between two ends on which one thing happens to one byte.
public final class FaultProxy implements Closeable {

  /// What happens to the connection.
  public enum Fault {
    /// Both ends see the other close in good order (FIN), before the byte.
    CUT,
    /// Both ends see a reset (RST), before the byte.
    RESET,
    /// Neither the byte nor any after it goes on, and nothing is closed.
    STALL,
    /// The byte's lowest bit changes.
    FLIP
  }

  /// Which of the two streams of bytes it happens in.
  public enum Way {
    TO_RECEIVER,
    TO_SENDER
  }

  private final ServerSocket server;
  private final int receiverPort;
  private final Way way;
  private final long offset;
  private final Fault fault;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /// A way to the receiver on this machine's `receiverPort`.
  ///
  /// @param offset the byte of `way` that it happens to, counted from 0
  public FaultProxy(int receiverPort, Way way, long offset, Fault fault) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.receiverPort = receiverPort;
    this.way = way;
    this.offset = offset;
    this.fault = fault;
    Thread.ofPlatform().daemon().start(this::serve);
  }

  public int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void serve() {
    try {
      while (true) {
        Socket sender = server.accept();
        Socket receiver = new Socket(InetAddress.getLoopbackAddress(), receiverPort);
        sockets.addAll(List.of(sender, receiver));
        pump(sender, receiver, way == Way.TO_RECEIVER);
        pump(receiver, sender, way == Way.TO_SENDER);
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void pump(Socket from, Socket to, boolean faulty) {
    Thread.ofPlatform().daemon().start(() -> carry(from, to, faulty ? offset : Long.MAX_VALUE));
  }

  private void carry(Socket from, Socket to, long faultAt) {
    byte[] bytes = new byte[64 << 10];
    long position = 0;
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        boolean isHere = faultAt >= position && faultAt < position + count;
        int before = isHere ? (int) (faultAt - position) : count;
        to.getOutputStream().write(bytes, 0, before);
        if (isHere) {
          if (!happen(from, to)) {
            return;
          }
          bytes[before] ^= 1;
          to.getOutputStream().write(bytes, before, count - before);
        }
        position += count;
      }
      to.shutdownOutput();
    } catch (IOException e) {
      close(from, to, false);
    }
  }

  /// @return whether the stream goes on
  private boolean happen(Socket from, Socket to) {
    switch (fault) {
      case CUT -> close(from, to, false);
      case RESET -> close(from, to, true);
      case STALL, FLIP -> {}
    }
    return fault == Fault.FLIP;
  }

  private static void close(Socket from, Socket to, boolean reset) {
    for (Socket socket : List.of(from, to)) {
      try {
        if (reset) {
          // SO_LINGER with 0: close(2) sends RST. See socket(7).
          socket.setSoLinger(true, 0);
        } else {
          socket.shutdownOutput();
        }
        socket.close();
      } catch (IOException e) {
        // It is closed already, which is what was wanted.
      }
    }
  }
}
