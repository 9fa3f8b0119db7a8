package dev.zcp.ssh;

import dev.zcp.core.Daemon;
import dev.zcp.core.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Passes on what ssh and the zcp that it started say on standard error, as it comes. The other
/// machine may be anybody's, so nothing of it moves the cursor but to begin a line anew.
final class RemoteErrors {

  /// How long the last words may take once ssh has ended. A master that it leaves behind has the
  /// same standard error, and does not end it: ControlPersist of ssh_config(5).
  private static final long LAST_MS_MAX = 200;

  private static final int CHARS = 4096;

  private final CountDownLatch end = new CountDownLatch(1);
  private volatile boolean any;

  RemoteErrors(InputStream from, Consumer<String> to) {
    Daemon.start(() -> pass(from, to), "zcp-relay");
  }

  private void pass(InputStream from, Consumer<String> to) {
    char[] chars = new char[CHARS];
    try (Reader reader = new InputStreamReader(from, StandardCharsets.UTF_8)) {
      for (int count = reader.read(chars); count >= 0; count = reader.read(chars)) {
        any = true;
        to.accept(Printable.ofLines(new String(chars, 0, count)));
      }
    } catch (IOException e) {
      // It was closed, since ssh has ended.
    } finally {
      end.countDown();
    }
  }

  /// Waits for the last words. To be called once ssh has ended.
  ///
  /// @return whether there were any
  boolean finish() {
    try {
      end.await(LAST_MS_MAX, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return any;
  }
}
