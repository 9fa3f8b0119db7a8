package dev.zcp.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A way between two ends on which one thing happens to one byte of a connection, of each or only
/// of the first that comes so far.
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
  private final Spot spot;
  private final Fault fault;
  private final AtomicInteger timesLeft;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<FrameSpotter> faulty = new CopyOnWriteArrayList<>();

  /// Which byte it happens to.
  @FunctionalInterface
  public interface Spot {

    /// @param seen the frames that came by up to now, among them those of the bytes that go on next
    /// @return the byte's offset in its stream, from 0; less where that cannot be told yet
    long offset(FrameSpotter seen);

    /// A byte before or after where a part of the stream begins: [FrameSpotter#edges].
    ///
    /// @param edge which one, from 0
    /// @param distance -1 is the last byte of the part before it
    static Spot atEdge(int edge, int distance) {
      return seen -> {
        List<Long> edges = seen.edges();
        return edge < edges.size() ? edges.get(edge) + distance : -1;
      };
    }
  }

  /// A way to the receiver on this machine's `receiverPort`, on each connection of which it
  /// happens.
  ///
  /// @param offset the byte of `way` that it happens to, counted from 0
  public FaultProxy(int receiverPort, Way way, long offset, Fault fault) throws IOException {
    this(receiverPort, way, seen -> offset, fault, Integer.MAX_VALUE);
  }

  /// @param times how often it happens in all
  public FaultProxy(int receiverPort, Way way, Spot spot, Fault fault, int times)
      throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.receiverPort = receiverPort;
    this.way = way;
    this.spot = spot;
    this.fault = fault;
    this.timesLeft = new AtomicInteger(times);
    Thread.ofPlatform().daemon().start(this::serve);
  }

  /// Whether it has happened, where it is not to happen without end.
  public boolean hasHappened() {
    return timesLeft.get() <= 0;
  }

  /// What came by in the way that it happens in, a spotter for each connection.
  public List<FrameSpotter> seen() {
    return faulty;
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

  private void pump(Socket from, Socket to, boolean isFaulty) {
    FrameSpotter spotter =
        way == Way.TO_RECEIVER ? FrameSpotter.ofSender() : FrameSpotter.ofReceiver();
    if (isFaulty) {
      faulty.add(spotter);
    }
    Thread.ofPlatform().daemon().start(() -> carry(from, to, isFaulty ? spotter : null));
  }

  /// @param spotter null where nothing happens in this way
  private void carry(Socket from, Socket to, FrameSpotter spotter) {
    byte[] bytes = new byte[64 << 10];
    long position = 0;
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        int before = spotter == null ? count : untilTheFault(bytes, count, position, spotter);
        to.getOutputStream().write(bytes, 0, before);
        if (before < count) {
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

  /// How many of the next bytes go on as if nothing were.
  private int untilTheFault(byte[] bytes, int count, long position, FrameSpotter spotter) {
    spotter.see(bytes, count);
    long faultAt = spot.offset(spotter);
    boolean isHere = faultAt >= position && faultAt < position + count;
    return isHere && timesLeft.getAndDecrement() > 0 ? (int) (faultAt - position) : count;
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
