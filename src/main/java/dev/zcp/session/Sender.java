package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Link;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.io.FileStatus;
import dev.zcp.io.NativeCalls;
import dev.zcp.io.StandardStreams;
import dev.zcp.secure.Key;
import dev.zcp.secure.Nonce;
import dev.zcp.session.link.DataBuffer;
import dev.zcp.session.link.Dial;
import dev.zcp.session.link.Greeting;
import dev.zcp.session.link.Keys;
import dev.zcp.session.link.Pulse;
import dev.zcp.spi.Route;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Octets;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `zcp send`: files of this machine to a receiver.
public final class Sender {

  /// What standard input is called where it arrives.
  private static final byte[] STANDARD_INPUT_NAME = "stdin".getBytes(StandardCharsets.US_ASCII);

  /// From here on sendfile(2) without the JDK's vain calls is worth its binding, which goes on
  /// while the connection is made.
  private static final long PREPARE_BYTES_MIN = 64L << 20;

  private final SendRequest request;
  private final Insight insight;

  /// Why the first of the files that cannot be sent cannot, or null.
  private Failure unsent;

  private Sender(SendRequest request, Insight insight) {
    this.request = request;
    this.insight = insight;
  }

  /// Sends every file it can; one that fails does not stop the others. Nothing is connected before
  /// the files have been looked at.
  public static Result send(SendRequest request, Surroundings surroundings) {
    Insight insight = new Insight("send", request.choice().strategy(), surroundings.listener());
    Sender sender = new Sender(request, insight);
    StandardStreams streams = new StandardStreams(surroundings.in(), surroundings.out());
    try {
      Greeting.prepare();
      Engine engine = new Engine(surroundings.strategies(), request.choice());
      List<Item> items = sender.plan(engine);
      if (!items.isEmpty()) {
        RouteTunings tunings = new RouteTunings(surroundings.profile(), request.choice(), insight);
        sender.session(engine, tunings, streams, items);
      }
    } catch (Failure failure) {
      insight.failed(failure);
    }
    return insight.finish();
  }

  /// One file to send.
  ///
  /// @param status what it was when it was looked at; null for standard input
  record Item(RawPath path, Name name, FileStatus status) {

    /// The size, or -1 where it is not known before the end.
    long bytes() {
      return status == null || !status.isRegular() ? -1 : status.sizeBytes();
    }
  }

  private List<Item> plan(Engine engine) throws Failure {
    List<Item> items = new ArrayList<>();
    Map<Name, RawPath> taken = new HashMap<>();
    for (RawPath path : request.files()) {
      Name name = nameOf(path);
      RawPath other = taken.put(name, path);
      if (other != null) {
        throw Failure.of(
            ExitCode.USAGE, name.toString(), "both " + other + " and " + path + " have this name");
      }
      try {
        items.add(item(engine, path, name));
      } catch (Failure failure) {
        if (request.files().size() == 1) {
          throw failure;
        }
        insight.begin(path.toString(), -1, Stage.SEND).failed(failure);
        unsent = unsent == null ? asToldToTheReceiver(name, failure) : unsent;
      }
    }
    return items;
  }

  /// Looks at one file, and whether the strategy asked for could send it.
  private static Item item(Engine engine, RawPath path, Name name) throws Failure {
    Item item = new Item(path, name, path.isStandardStream() ? null : Sources.inspect(path));
    long bytes = item.bytes() < 0 ? Long.MAX_VALUE : item.bytes();
    try {
      engine.rank(new Route(Ends.sent(item.bytes()), Ends.socket()), bytes);
      return item;
    } catch (RefusedException e) {
      throw Reasons.refused(path, e);
    }
  }

  /// A failure under the bare name of its file: where the file lies is nothing for the receiver.
  static Failure asToldToTheReceiver(Name name, Failure failure) {
    return Failure.of(failure.exitCode(), name.toString(), failure.reason());
  }

  private static Name nameOf(RawPath path) throws Failure {
    byte[] name = path.isStandardStream() ? STANDARD_INPUT_NAME : path.lastComponent();
    try {
      return Name.of(name);
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, path.toString(), "cannot be sent: " + e.getMessage())
          .because(e);
    }
  }

  private void session(
      Engine engine, RouteTunings tunings, StandardStreams streams, List<Item> items)
      throws Failure {
    Address address = request.address();
    InetAddress[] addresses = Dial.resolve(address);
    boolean loopback = Dial.isLoopback(addresses);
    requirePlain(address, loopback);
    Key given = Keys.given(address, request.key());
    long bytes = bytesOf(items);
    if (bytes < 0 || bytes >= PREPARE_BYTES_MIN) {
      NativeCalls.prepare();
    }
    insight.started(items.size(), bytes);
    try (SocketChannel channel = dial(addresses);
        Pulse pulse = new Pulse(channel)) {
      // Only now: where nobody listens, that is what the user must hear, and not that there is no
      // key.
      Key key = given != null ? given : Keys.left(address, request.key(), loopback);
      Greeting.Receiving receiving =
          new Greeting(channel, address.toString(), pulse, request.sending().mustDiscard())
              .asSender(key, Octets.of(Nonce.random(Hello.SESSION_ID_BYTES)), 0);
      int asked = request.flow().socketBufferBytes();
      insight.connected(
          new Link(
              address.toString(), receiving.discards(), DataBuffer.SENDING.given(channel, asked)));
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, address.toString(), Reasons.of(e)).because(e);
    }
  }

  private SocketChannel dial(InetAddress[] addresses) throws Failure {
    return Dial.connect(
        request.address(),
        addresses,
        request.flow().connectTimeoutNs(),
        request.flow().socketBufferBytes());
  }

  /// The mode comes from the address or the flag, and is never negotiated down.
  private void requirePlain(Address address, boolean loopback) throws Failure {
    if (address.scheme() == Address.Scheme.ENCRYPTED) {
      throw Failure.of(ExitCode.USAGE, address.toString(), "encrypted transfer is not there yet")
          .with("zcp+plain:// goes unencrypted, where the receiver says --plain too");
    }
    boolean said = request.plain() || address.scheme() == Address.Scheme.PLAIN;
    if (!loopback && !said) {
      throw Failure.of(
              ExitCode.USAGE,
              address.toString(),
              "is not this machine, and encrypted transfer is not there yet")
          .with("--plain sends what everyone on the way can read");
    }
  }

  private static long longest(List<Item> items) {
    long bytes = 0;
    for (Item item : items) {
      bytes = Math.max(bytes, item.bytes());
    }
    return bytes;
  }

  private static long bytesOf(List<Item> items) {
    long bytes = 0;
    for (Item item : items) {
      if (item.bytes() < 0) {
        return -1;
      }
      bytes += item.bytes();
    }
    return bytes;
  }
}
