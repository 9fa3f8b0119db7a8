package dev.zcp.bench;

import dev.zcp.core.Daemon;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.spi.Source;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/// A TCP connection of this process with itself.
///
/// @param near the contender's end
/// @param far the other
record Loopback(SocketChannel near, SocketChannel far) implements Closeable {

  /// What feeds a receiver: the fastest sender there is.
  private static final String FEEDING_STRATEGY = "transferTo";

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

  /// Has the far end take all that comes, at once.
  ///
  /// @param target a file to write them to that does not exist yet, or null
  FarEnd take(Cell.Peer peer, long bytes, ContentCheck check, Path target) {
    FarEnd end = new FarEnd(far, () -> take(peer.chunkBytes(), bytes, check, target));
    end.begin();
    return end;
  }

  /// Once it has failed it reads no more: closing its end frees the contender.
  ///
  /// @return when it had `bytes`, or the end
  private long take(int chunkBytes, long bytes, ContentCheck check, Path target)
      throws IOException {
    long completeNs = 0;
    ByteBuffer buffer = ByteBuffer.allocateDirect(chunkBytes);
    try (FileChannel file =
        target == null ? null : FileChannel.open(target, StrategyContender.NEW_FILE)) {
      while (far.read(buffer.clear()) >= 0) {
        check.take(buffer.flip());
        buffer.rewind();
        while (file != null && buffer.hasRemaining()) {
          file.write(buffer);
        }
        if (check.taken() >= bytes && completeNs == 0) {
          completeNs = System.nanoTime();
        }
      }
    }
    return completeNs == 0 ? System.nanoTime() : completeNs;
  }

  /// Has the far end send a file, as soon as [FarEnd#begin] is called.
  FarEnd feed(BenchSource file, Strategies strategies) throws Failure {
    Engine engine = new Engine(strategies, new Choice(FEEDING_STRATEGY, Choice.ADAPTIVE));
    return new FarEnd(
        far,
        () -> {
          FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ);
          try (Source source = ChannelEnd.file(channel, file.file().device())) {
            engine.moveAll(source, ChannelEnd.socket(far), file.bytes(), Observer.NONE);
          }
          return System.nanoTime();
        });
  }

  void endOfNear() throws IOException {
    if (near.isOpen() && near.isConnected()) {
      near.shutdownOutput();
    }
  }

  /// Frees whoever is stuck in either end. Closing would not: see close(2).
  void shutDown() {
    for (SocketChannel end : List.of(near, far)) {
      try {
        end.shutdownInput();
        end.shutdownOutput();
      } catch (IOException e) {
        // Shut down already, or never connected: nobody can be stuck in it.
      }
    }
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

  /// What happens at the far end, on a thread of its own.
  static final class FarEnd {

    private final SocketChannel socket;
    private final Thread thread;
    private final CountDownLatch begun = new CountDownLatch(1);

    // Of the thread, until it has ended.
    private long completeNs;
    private String failure = "";

    /// @param work returns when it had all bytes, by [System#nanoTime]
    private FarEnd(SocketChannel socket, Callable<Long> work) {
      this.socket = socket;
      this.thread = Daemon.start(() -> run(work), "zcp-bench-peer");
    }

    void begin() {
      begun.countDown();
    }

    /// @return whether it came in time
    boolean await(long waitNs) throws InterruptedException {
      begin();
      return thread.join(Duration.ofNanos(Math.max(1, waitNs)));
    }

    /// When it had all bytes, by [System#nanoTime].
    long completeNs() {
      return completeNs;
    }

    String failure() {
      return failure;
    }

    private void run(Callable<Long> work) {
      try (socket) {
        begun.await();
        completeNs = work.call();
      } catch (Exception | Error e) {
        failure = CellRuns.phrase(e);
      }
    }
  }
}
