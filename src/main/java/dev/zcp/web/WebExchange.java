package dev.zcp.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.zcp.core.Failure;
import dev.zcp.tree.Reasons;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// One request with the right key, and its answer.
final class WebExchange {

  static final int OK = 200;
  static final int CREATED = 201;
  static final int PARTIAL = 206;
  static final int MOVED = 308;
  static final int BAD = 400;
  static final int NOT_FOUND = 404;
  static final int NOT_ALLOWED = 405;
  static final int CONFLICT = 409;
  static final int UNSUPPORTED = 415;
  static final int NO_SUCH_RANGE = 416;
  static final int NOT_EXPECTED = 417;
  static final int FAILED = 500;
  static final int NO_ROOM = 507;

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";

  /// Of a body that nobody wants so much is read, so that the client reads why and does not just
  /// find the connection gone.
  private static final long DRAINED_BYTES_MAX = 64 << 20;

  private final HttpExchange http;
  private final RequestWatch watch;
  private final String path;
  private boolean isAnswered;

  /// Where the body ends is not known any more.
  private boolean isBodyBroken;

  /// @param path what follows the key
  WebExchange(HttpExchange http, RequestWatch watch, String path) {
    this.http = http;
    this.watch = watch;
    this.path = path;
  }

  String method() {
    return http.getRequestMethod();
  }

  boolean isHead() {
    return method().equals("HEAD");
  }

  /// What follows the key: percent-encoded, and begins with a slash.
  String path() {
    return path;
  }

  /// What follows the `?`; empty if nothing does.
  String query() {
    String query = http.getRequestURI().getRawQuery();
    return query == null ? "" : query;
  }

  /// Null if the request has none of this name.
  String header(String name) {
    return http.getRequestHeaders().getFirst(name);
  }

  /// The machine that asks.
  String peer() {
    return http.getRemoteAddress().getAddress().getHostAddress();
  }

  /// How long the body is, or -1 if it does not say.
  long bodyBytes() {
    String length = header("Content-Length");
    // The server has made sure that it is a number.
    return length == null ? header("Transfer-Encoding") == null ? 0 : -1 : Long.parseLong(length);
  }

  /// The body. It throws if that is cut short, or does not go on.
  InputStream body() {
    return new FilterInputStream(http.getRequestBody()) {
      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        watch.waits();
        try {
          return in.read(target, offset, length);
        } catch (IOException e) {
          isBodyBroken = true;
          throw e;
        } catch (IndexOutOfBoundsException e) {
          // The server has the length of a chunk as an int.
          isBodyBroken = true;
          throw new IOException("a chunk is longer than 2 GiB", e);
        } finally {
          watch.works();
        }
      }
    };
  }

  void set(String header, String value) {
    http.getResponseHeaders().set(header, value);
  }

  void html(int status, String page) throws IOException {
    set("Content-Security-Policy", WebPage.POLICY);
    answer(status, HTML, page.getBytes(StandardCharsets.UTF_8));
  }

  void text(int status, String line) throws IOException {
    answer(status, TEXT, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /// Tells why it is not done, for a person who uses curl. If something was told already, the
  /// connection breaks.
  void fail(Failure failure) {
    try {
      if (!isAnswered) {
        drain();
        text(status(failure), "zcp: " + failure.getMessage());
        return;
      }
    } catch (IndexOutOfBoundsException e) {
      // It is told, and the server reads the rest: it has the length of a chunk as an int.
      return;
    } catch (IOException e) {
      // It is gone.
    }
    abort();
  }

  /// What the answer to a request says that has failed for this reason alone.
  static int status(Failure failure) {
    return switch (failure.exitCode()) {
      case EXISTS -> CONFLICT;
      case USAGE, PROTOCOL, INTEGRITY, NETWORK -> BAD;
      case SOURCE -> NOT_FOUND;
      // A limit, or there is no space.
      case DESTINATION ->
          failure.getCause() == null || Reasons.isOfFullTarget(failure.getCause())
              ? NO_ROOM
              : FAILED;
      default -> FAILED;
    };
  }

  private void drain() {
    byte[] piece = new byte[64 << 10];
    InputStream body = body();
    long left = DRAINED_BYTES_MAX;
    try {
      for (int count = 0; count >= 0 && left > 0 && !isBodyBroken; left -= count) {
        count = body.read(piece);
      }
    } catch (IOException e) {
      // The client may still read why.
    }
  }

  private void answer(int status, String type, byte[] content) throws IOException {
    set("Content-Type", type);
    set("Content-Length", Integer.toString(content.length));
    try (OutputStream out = begin(status, content.length)) {
      if (!isHead()) {
        out.write(content);
      }
    }
  }

  /// Begins an answer of so many bytes, or of any number if that is -1. To a HEAD nothing may
  /// follow.
  OutputStream begin(int status, long bytes) throws IOException {
    isAnswered = true;
    if (status == BAD || isBodyBroken || bytes < 0) {
      // The client may not agree where its request ends; or the server would wait for another one
      // on a connection that was broken, and its place be lost.
      set("Connection", "close");
    }
    secure(http.getResponseHeaders());
    // For the server, 0 is an unknown number, and -1 none.
    long length = isHead() || bytes == 0 ? -1 : Math.max(0, bytes);
    watched(() -> http.sendResponseHeaders(status, length));
    return new FilterOutputStream(http.getResponseBody()) {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int count) throws IOException {
        watched(() -> out.write(bytes, offset, count));
      }

      @Override
      public void flush() throws IOException {
        watched(out::flush);
      }

      @Override
      public void close() throws IOException {
        watched(out::close);
      }
    };
  }

  private interface ClientIo {
    void run() throws IOException;
  }

  /// What waits for the client must not wait for ever.
  private void watched(ClientIo io) throws IOException {
    watch.waits();
    try {
      io.run();
    } finally {
      watch.works();
    }
  }

  /// What every answer has: nothing is kept, guessed, framed or told to others.
  static void secure(Headers headers) {
    headers.set("Cache-Control", "no-store");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    if (!headers.containsKey("Content-Security-Policy")) {
      headers.set("Content-Security-Policy", "default-src 'none'; sandbox");
    }
  }

  /// Breaks the connection: an answer that was begun must not look complete. The server would end
  /// it properly, unless its channel is closed, as it is if this thread is interrupted.
  void abort() {
    Thread.currentThread().interrupt();
    http.close();
  }

  /// Ends the answer; what is left of the request is read, or its connection closed.
  void close() {
    watch.waits();
    http.close();
    watch.works();
  }
}
