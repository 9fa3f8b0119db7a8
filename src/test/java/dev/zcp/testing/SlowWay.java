package dev.zcp.testing;

import dev.zcp.wire.FrameType;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// A long way between two ends: every byte comes later, and as many are under way as like to.
public final class SlowWay implements Closeable {

  private static final int CHUNK_BYTES = 64 << 10;

  /// 64 MiB each way: more than any session has unacknowledged.
  private static final int CHUNKS_MAX = 1024;

  private final ServerSocket server;
  private final int receiverPort;
  private final long delayNs;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<FrameSpotter> toReceiver = new CopyOnWriteArrayList<>();
  private final List<FrameSpotter> toSender = new CopyOnWriteArrayList<>();

  /// @param trip how many ways one after the other this is, each because of the one before
  private record Chunk(long dueNs, byte[] bytes, int trip) {}

  /// What one end was given.
  private static final class Heard {

    /// The last trip that ended there, but for words that answer nothing and for which nobody
    /// waits.
    private volatile int trips;
  }

  private volatile int trips;

  /// @param delayNs one way
  public SlowWay(int receiverPort, long delayNs) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.receiverPort = receiverPort;
    this.delayNs = delayNs;
    Thread.ofPlatform().daemon().start(this::serve);
  }

  public int port() {
    return server.getLocalPort();
  }

  /// What the sender said, a spotter for each connection.
  public List<FrameSpotter> toReceiver() {
    return toReceiver;
  }

  /// What the receiver said, a spotter for each connection.
  public List<FrameSpotter> toSender() {
    return toSender;
  }

  /// How often the two ends waited for each other, as far as their words tell: a word is an answer
  /// to all that its end had heard before.
  public int roundTrips() {
    return (trips + 1) / 2;
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
        Heard bySender = new Heard();
        Heard byReceiver = new Heard();
        toReceiver.add(pump(sender, receiver, FrameSpotter.ofSender(), bySender, byReceiver));
        toSender.add(pump(receiver, sender, FrameSpotter.ofReceiver(), byReceiver, bySender));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private FrameSpotter pump(Socket from, Socket to, FrameSpotter spotter, Heard before, Heard after)
      throws IOException {
    to.setTcpNoDelay(true);
    BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(CHUNKS_MAX);
    Thread.ofPlatform().daemon().start(() -> take(from, underWay, spotter, before));
    Thread.ofPlatform().daemon().start(() -> give(underWay, to, after));
    return spotter;
  }

  private void take(
      Socket from, BlockingQueue<Chunk> underWay, FrameSpotter spotter, Heard before) {
    byte[] bytes = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        int trip = before.trips + 1;
        int all = spotter.count();
        int beside = beside(spotter);
        spotter.see(bytes, count);
        int more = spotter.count() - all;
        boolean isBeside = more > 0 && more == beside(spotter) - beside;
        byte[] copy = Arrays.copyOf(bytes, count);
        underWay.put(new Chunk(System.nanoTime() + delayNs, copy, isBeside ? 0 : trip));
      }
    } catch (IOException e) {
      // Reset: for the other end it closes.
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    } finally {
      underWay.offer(new Chunk(System.nanoTime() + delayNs, new byte[0], 0));
    }
  }

  /// A beat comes whatever was heard, and the verdict while the receiver waits for the end.
  private static int beside(FrameSpotter spotter) {
    return spotter.count(FrameType.BEAT) + spotter.count(FrameType.LIMITED);
  }

  private void give(BlockingQueue<Chunk> underWay, Socket to, Heard after) {
    try {
      for (Chunk chunk = underWay.take(); chunk.bytes.length > 0; chunk = underWay.take()) {
        TimeUnit.NANOSECONDS.sleep(chunk.dueNs - System.nanoTime());
        after.trips = Math.max(after.trips, chunk.trip);
        trips = Math.max(trips, chunk.trip);
        to.getOutputStream().write(chunk.bytes);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // Nobody listens any more.
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    }
  }
}
