package dev.zcp.testing;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads the far side of a pipe or socket to its end, on a thread of its own.
public final class Collector {

  private static final long END_S_MAX = 30;

  private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();

  /// Opens what is to be read; opening a FIFO waits for its other side.
  @FunctionalInterface
  public interface Opening {
    ReadableByteChannel open() throws IOException;
  }

  private Collector() {}

  public static Collector of(Opening opening) {
    Collector collector = new Collector();
    Thread thread = new Thread(() -> collector.collect(opening), "collector");
    thread.setDaemon(true);
    thread.start();
    return collector;
  }

  /// All that came, once the other side has closed.
  public byte[] await() throws IOException {
    try {
      return bytes.get(END_S_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("the far side saw no end", e);
    }
  }

  private void collect(Opening opening) {
    byte[] all;
    try (ReadableByteChannel channel = opening.open()) {
      all = Channels.newInputStream(channel).readAllBytes();
    } catch (IOException e) {
      bytes.completeExceptionally(e);
      return;
    }
    bytes.complete(all);
  }
}
