package dev.zcp.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Writes to the near side of a pipe or socket and closes it, on a thread of its own.
public final class Feeder {

  /// Opens what is to be written to; opening a FIFO waits for its other side.
  @FunctionalInterface
  public interface Opening {
    WritableByteChannel open() throws IOException;
  }

  private Feeder() {}

  /// A reader that goes away early is no failure: tests leave bytes behind on purpose.
  public static void feed(byte[] content, Opening opening) {
    Thread thread =
        new Thread(
            () -> {
              try (WritableByteChannel channel = opening.open()) {
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                  channel.write(bytes);
                }
              } catch (IOException e) {
                // Nobody reads any more.
                return;
              }
            },
            "feeder");
    thread.setDaemon(true);
    thread.start();
  }
}
