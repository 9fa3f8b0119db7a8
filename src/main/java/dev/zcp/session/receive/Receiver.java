package dev.zcp.session.receive;

import dev.zcp.carrier.CongestionControl;
import dev.zcp.carrier.RateLimit;
import dev.zcp.carrier.SocketAcceptor;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.linux.StandardStreams;
import dev.zcp.secure.Key;
import dev.zcp.session.Greeting;
import dev.zcp.session.Keys;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.SharedKey;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.AccessMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// `zcp receive`: files from senders into one directory, or one file to standard output.
public final class Receiver {

  private final ReceiveRequest request;
  private final CommandEnvironment environment;

  private Receiver(ReceiveRequest request, CommandEnvironment environment) {
    this.request = request;
    this.environment = environment;
  }

  /// Begins what every session needs and takes a while: to be called while there is something else
  /// to do, such as to find out where files are to go.
  public static void expect() {
    Greeting.prepare();
  }

  /// Receives until one transfer is over, where only one was asked for, and else until a signal
  /// ends the process. Each transfer has a result of its own, which the listener is told; this
  /// returns the last.
  public static Result receive(ReceiveRequest request, CommandEnvironment environment) {
    try {
      return new Receiver(request, environment).serve();
    } catch (Failure failure) {
      Insight insight = new Insight("receive", request.choice().strategy(), environment.listener());
      insight.failed(failure);
      return insight.finish();
    }
  }

  private Result serve() throws Failure {
    Engine engine = new Engine(environment.strategies(), request.choice());
    requireServable(engine);
    InetAddress[] addresses = SocketDialler.resolve(request.listen());
    boolean loopback = SocketDialler.isLoopback(addresses);
    requirePlain(loopback);
    CongestionControl.requireKnown(request.flow().congestion());
    Key key = Keys.ofReceiver(request.listen(), request.key());
    return request.directory().isStandardStream()
        ? toStandardOutput(engine, addresses[0], key)
        : toDirectory(engine, addresses[0], key);
  }

  /// A strategy that cannot receive is refused before anybody sends.
  private void requireServable(Engine engine) throws Failure {
    boolean directory = !request.directory().isStandardStream();
    try {
      engine.rank(new Route(Ends.socket(), Ends.received(directory)), Long.MAX_VALUE);
    } catch (RefusedException e) {
      throw Reasons.refused(directory ? request.directory() : "standard output", e);
    }
  }

  private void requirePlain(boolean loopback) throws Failure {
    if (!loopback && !request.plain()) {
      throw Failure.of(
              ExitCode.USAGE,
              request.listen().toString(),
              "is open to other machines, and there is no encryption yet")
          .with("--plain lets everyone on the way read what is sent");
    }
  }

  private Result toStandardOutput(Engine engine, InetAddress address, Key key) throws Failure {
    StandardStreams streams = new StandardStreams(environment.in(), environment.out());
    try (Sink sink = streams.sink()) {
      StreamPlace place = new StreamPlace(sink);
      return listen(engine, _ -> place, () -> {}, address, key);
    } catch (IOException e) {
      throw Reasons.destination("standard output", e);
    }
  }

  private Result toDirectory(Engine engine, InetAddress address, Key key) throws Failure {
    requireWritable();
    try (TargetDirectory target = TargetDirectory.open(request.directory())) {
      Grounds grounds = session -> target.begin(request.admission(), session.departures(), session);
      return listen(engine, grounds, target::abandon, address, key);
    }
  }

  private void requireWritable() throws Failure {
    Path path = request.directory().toPath();
    try {
      path.getFileSystem().provider().checkAccess(path, AccessMode.WRITE);
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, request.directory().toString(), "no such directory")
          .with("create it first")
          .because(e);
    } catch (IOException e) {
      throw Reasons.destination(request.directory(), e);
    }
  }

  /// @param abandon what becomes of unfinished files when a signal ends the process
  private Result listen(
      Engine engine, Grounds grounds, Runnable abandon, InetAddress address, Key key)
      throws Failure {
    try (SocketAcceptor acceptor = bind(address)) {
      int port = acceptor.port();
      try (SharedKey shared = leaveKey(port, key);
          Guard _ = Guard.install(() -> atEnd(abandon, shared));
          Door door = new Door(acceptor, key, means(engine, grounds))) {
        environment.listener().on(new Event.Listening(url(address, port, key)));
        // Without the URL nobody would ever come.
        environment.listener().requireHeard();
        return door.serve();
      }
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, request.listen().toString(), Reasons.of(e)).because(e);
    }
  }

  private Means means(Engine engine, Grounds grounds) {
    return new Means(
        request,
        engine,
        grounds,
        Hands::new,
        new BatchBuffers(),
        new RateLimit(request.flow().rateBytes()),
        environment.listener());
  }

  private SocketAcceptor bind(InetAddress address) throws IOException, Failure {
    try {
      return new SocketAcceptor(
          new InetSocketAddress(address, request.listen().port()),
          request.flow().socketBufferBytes(),
          request.flow().congestion());
    } catch (BindException e) {
      boolean inUse = String.valueOf(e.getMessage()).contains("in use");
      Failure failure =
          Failure.of(
                  inUse ? ExitCode.EXISTS : ExitCode.NETWORK,
                  request.listen().toString(),
                  Reasons.of(e))
              .because(e);
      throw inUse ? failure.with("--listen takes another port; port 0 takes a free one") : failure;
    }
  }

  /// Leaves the key for senders of the same user, or null if there is no place for it: they then
  /// need the URL.
  private SharedKey leaveKey(int port, Key key) {
    if (request.key().shared() == null) {
      return null;
    }
    try {
      return SharedKey.leave(request.key().shared(), port, key);
    } catch (IOException e) {
      environment
          .listener()
          .on(
              new Event.Noted(
                  request.key().shared()
                      + ": "
                      + Reasons.of(e)
                      + " (no key is left there: senders need the URL)"));
      return null;
    }
  }

  private static void atEnd(Runnable abandon, SharedKey shared) {
    abandon.run();
    if (shared != null) {
      shared.close();
    }
  }

  private String url(InetAddress address, int port, Key key) throws IOException {
    String host =
        address.isAnyLocalAddress() ? OwnAddress.seenFor(address) : request.listen().host();
    Address shown = new Address(Address.Scheme.PLAIN, null, host, port);
    return "zcp+plain://" + key.text() + "@" + shown;
  }
}
