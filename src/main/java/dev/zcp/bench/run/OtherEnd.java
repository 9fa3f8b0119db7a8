package dev.zcp.bench.run;

import dev.zcp.bench.plan.Peer;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Observer;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.TransferException;
import dev.zcp.io.FileEnd;
import dev.zcp.io.SocketEnd;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// The far end of a connection, on a thread of its own.
final class OtherEnd {

  /// What feeds a receiver: the fastest sender there is.
  private static final String FEEDING_STRATEGY = "transferTo";

  private final Thread thread;
  private final CountDownLatch begun = new CountDownLatch(1);

  // Of the thread, until it has ended.
  private long completeNs;
  private String failure = "";

  /// What the thread does.
  @FunctionalInterface
  private interface Work {
    void run(OtherEnd self) throws IOException, TransferException, RefusedException;
  }

  private OtherEnd(SocketChannel socket, Work work) {
    this.thread =
        Thread.ofPlatform().daemon().name("zcp-bench-peer").start(() -> run(socket, work));
  }

  /// One that takes all that comes, and begins at once.
  ///
  /// @param bytes how many will come
  /// @param check looks at them
  /// @param target a file to write them to that does not exist yet, or null
  static OtherEnd taking(
      SocketChannel socket, Peer peer, long bytes, ContentCheck check, Path target) {
    OtherEnd end =
        new OtherEnd(socket, self -> self.take(socket, peer.chunkBytes(), bytes, check, target));
    end.begin();
    return end;
  }

  /// One that sends a file, as soon as [#begin] is called.
  static OtherEnd feeding(SocketChannel socket, Place file, long bytes, Strategies strategies)
      throws Failure {
    Engine engine = new Engine(strategies, new Choice(FEEDING_STRATEGY, Choice.ADAPTIVE));
    return new OtherEnd(
        socket,
        _ -> {
          FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ);
          try (Source source = FileEnd.of(channel, file.device())) {
            engine.moveAll(source, new SocketEnd(socket), bytes, Observer.NONE);
          }
          socket.shutdownOutput();
        });
  }

  void begin() {
    begun.countDown();
  }

  /// Waits for its end. All that was written before is to be seen then.
  ///
  /// @return whether it came in time
  boolean await(long waitNs) throws InterruptedException {
    begin();
    return thread.join(Duration.ofNanos(Math.max(1, waitNs)));
  }

  /// When it had all bytes, by [System#nanoTime].
  long completeNs() {
    return completeNs;
  }

  /// What went wrong with it, as a phrase; empty where nothing did.
  String failure() {
    return failure;
  }

  private void run(SocketChannel socket, Work work) {
    try (socket) {
      begun.await();
      work.run(this);
    } catch (IOException e) {
      failure = Phrase.of(e);
    } catch (TransferException e) {
      failure = Phrase.of(e);
    } catch (RefusedException e) {
      failure = e.reason();
    } catch (InterruptedException e) {
      failure = "given up";
    } catch (RuntimeException | Error e) {
      failure = Phrase.ofDefect(e);
    }
    if (completeNs == 0) {
      completeNs = System.nanoTime();
    }
  }

  /// Once it has failed it reads no more: closing its end frees the contender.
  private void take(
      SocketChannel socket, int chunkBytes, long bytes, ContentCheck check, Path target)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(chunkBytes);
    try (FileChannel file = target == null ? null : create(target)) {
      while (socket.read(buffer.clear()) >= 0) {
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
  }

  private static FileChannel create(Path target) throws IOException {
    return FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }
}
