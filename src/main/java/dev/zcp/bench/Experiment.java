package dev.zcp.bench;

import dev.zcp.core.Words;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;

/// What is done to a file, again and again, in different ways.
public enum Experiment {
  READ("a file into memory, where its bytes are looked at", Kind.FILE, Kind.STREAM),
  WRITE("bytes from memory into a new file", Kind.STREAM, Kind.FILE),
  COPY("a file into a new file", Kind.FILE, Kind.FILE),
  SEND("a file into a loopback connection", Kind.FILE, Kind.SOCKET),
  /// The connection is fed by sendfile(2).
  RECEIVE("a loopback connection into a new file", Kind.SOCKET, Kind.FILE),
  FORCE("writing, and forcing to the device on the way", Kind.STREAM, Kind.FILE);

  /// For a strategy's verdict any device will do, if both files are on one.
  private static final long SOME_DEVICE = 1;

  private final String summary;
  private final Kind source;
  private final Kind sink;

  Experiment(String summary, Kind source, Kind sink) {
    this.summary = summary;
    this.source = source;
    this.sink = sink;
  }

  public String word() {
    return Words.of(this);
  }

  public String summary() {
    return summary;
  }

  /// Whether the contender reads a file, so that it matters where the file's bytes are.
  public boolean readsFile() {
    return source == Kind.FILE;
  }

  /// Whether there must be a file before it begins: the one it reads, or the one that a connection
  /// is fed from.
  public boolean needsFile() {
    return source != Kind.STREAM;
  }

  boolean writesFile() {
    return sink == Kind.FILE;
  }

  public boolean needsSocket() {
    return source == Kind.SOCKET || sink == Kind.SOCKET;
  }

  /// Whether it is what `zcp copy`, `send` or `receive` do.
  boolean isJobOfTheProduct() {
    return source != Kind.STREAM && sink != Kind.STREAM;
  }

  /// The route over which strategies are to move the bytes: what one says of it decides whether it
  /// is measured unasked.
  Route route() {
    return new Route(traits(source), traits(sink));
  }

  private static Route.Traits traits(Kind kind) {
    // Memory has no descriptor; files and sockets do.
    return new Route.Traits(
        kind, kind != Kind.STREAM, false, kind == Kind.FILE ? SOME_DEVICE : Route.Traits.NO_DEVICE);
  }
}
