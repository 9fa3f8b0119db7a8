package dev.zcp.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Something that listens on this machine and is no receiver of zcp, or a bad one.
public final class StrangePeer implements Closeable {

  /// What it does with each connection, which is closed afterwards.
  @FunctionalInterface
  public interface Manners {
    void serve(Socket socket) throws Exception;
  }

  private final ServerSocket server;
  private final Manners manners;
  private volatile Throwable surprise;

  public StrangePeer(Manners manners) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.manners = manners;
    Thread.ofPlatform().daemon().start(this::serve);
  }

  public int port() {
    return server.getLocalPort();
  }

  public String address() {
    return "127.0.0.1:" + port();
  }

  /// What went wrong here while it served, or null: for the message of a test that failed.
  public Throwable surprise() {
    return surprise;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        manners.serve(socket);
      } catch (Exception | AssertionError e) {
        surprise = server.isClosed() ? surprise : e;
      }
    }
  }
}
