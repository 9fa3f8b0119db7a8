package dev.zcp.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// A port for a test that must name one before somebody listens there, or that listens there twice.
/// The kernel gives it to nobody meanwhile: it gives those from 32768 on, see ip(7).
public final class FreePort {

  private static final int FIRST = 10_000;
  private static final int LAST = 29_999;
  private static final int TRIES_MAX = 100;

  private FreePort() {}

  public static int find() throws IOException {
    BindException last = null;
    for (int i = 0; i < TRIES_MAX; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException e) {
        last = e;
      }
    }
    throw last;
  }
}
