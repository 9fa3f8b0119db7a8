package dev.zcp.session;

import dev.zcp.carrier.CongestionControl;
import dev.zcp.carrier.DataBuffer;
import dev.zcp.carrier.SocketAcceptor;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.Address.Scheme;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/// A TCP port that peers are let in by: it is bound, the URL is told, and the key is left for peers
/// of the same user, until the end of the process or of the one transfer that was asked for.
public final class ListeningPort {

  private final Side self;
  private final Peering peering;
  private final Listener listener;
  private final InetAddress address;
  private final boolean encrypted;
  private final Key key;

  /// Whether nobody but this end knows it yet. One that was given is shown nowhere.
  private final boolean isNewKey;

  /// Looks up the address and the key. Nobody can connect yet.
  ///
  /// @param self what this end does
  /// @throws Failure USAGE if the key or the congestion control that the user named is none;
  ///   NETWORK if there is no such address
  public ListeningPort(Side self, Peering peering, Listener listener) throws Failure {
    this.self = self;
    this.peering = peering;
    this.listener = listener;
    InetAddress[] addresses = SocketDialler.resolve(peering.address());
    this.encrypted = peering.isEncrypted(SocketDialler.isLoopback(addresses));
    CongestionControl.requireKnown(peering.flow().congestion());
    this.address = addresses[0];
    Key given = Keys.given(peering.address(), peering.key());
    this.isNewKey = given == null;
    this.key = isNewKey ? Key.random() : given;
    if (encrypted) {
      Greeting.prepareTls(true);
    }
  }

  public boolean isEncrypted() {
    return encrypted;
  }

  /// Serves peers until the one transfer is over that was asked for, or for ever.
  ///
  /// @param once whether only one is asked for
  /// @param isRepeatable as [Sessions#Sessions] has it
  /// @param atSignal run if a signal ends the process
  /// @return the result of that transfer
  public Result serve(
      Sessions.Factory factory,
      boolean once,
      boolean isRepeatable,
      HelloTerms hello,
      Runnable atSignal)
      throws Failure {
    try (SocketAcceptor acceptor = bind()) {
      int port = acceptor.port();
      ListeningEnd.ListeningTerms terms =
          new ListeningEnd.ListeningTerms(self, key, hello, peering.flow().stallTimeoutNs());
      Sessions sessions = new Sessions(factory, once, isRepeatable);
      try (SharedKey shared = leaveKey(port);
          ListeningEnd end = new ListeningEnd(acceptor, terms, sessions, listener);
          Guard _ = Guard.install(() -> atSignal(atSignal, shared, end))) {
        boolean isLocal = address.isLoopbackAddress();
        List<String> hosts = OwnAddress.hosts(address, peering.address());
        String url = url(hosts.getFirst(), port, isNewKey);
        String open = url(hosts.getFirst(), port, false);
        boolean isTold = isNewKey && !(isLocal && shared != null);
        listener.on(new Event.Listening(url, commandThere(open, isTold), hosts, isLocal));
        // Without the URL nobody would ever come.
        listener.requireHeard();
        return end.serve();
      }
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, peering.address(), Reasons.of(e)).because(e);
    }
  }

  private SocketAcceptor bind() throws IOException, Failure {
    try {
      return new SocketAcceptor(
          new InetSocketAddress(address, peering.address().port()),
          DataBuffer.of(self),
          peering.flow().socketBufferBytes(),
          peering.flow().congestion(),
          encrypted);
    } catch (BindException e) {
      throw notBound(peering.address(), e);
    }
  }

  /// Why nobody can listen there, and what to do.
  public static Failure notBound(Address address, BindException e) {
    boolean inUse = String.valueOf(e.getMessage()).contains("in use");
    Failure failure =
        Failure.of(inUse ? ExitCode.EXISTS : ExitCode.NETWORK, address, Reasons.of(e)).because(e);
    if (inUse) {
      return failure.with("--listen takes another port; port 0 takes a free one");
    }
    return failure.with(
        String.valueOf(e.getMessage()).startsWith("Permission")
            ? "ports below 1024 are for root; --listen takes another port"
            : "--listen takes an address of this machine, or a port alone for all of them");
  }

  /// Leaves the key for peers of the same user, or null if there is no place for it: they then need
  /// the URL.
  private SharedKey leaveKey(int port) {
    if (peering.key().shared() == null) {
      return null;
    }
    try {
      return SharedKey.leave(peering.key().shared(), port, key);
    } catch (IOException e) {
      listener.on(
          new Event.Noted(
              peering.key().shared()
                  + ": "
                  + Reasons.of(e)
                  + " (no key is left there: "
                  + self.other()
                  + "s need the URL)"));
      return null;
    }
  }

  private void atSignal(Runnable abandon, SharedKey shared, ListeningEnd end) {
    abandon.run();
    Quietly.close(shared);
    Guard.tell(() -> tellOfStrangers(end));
  }

  /// What is told is printed later, and the process ends at once.
  private void tellOfStrangers(ListeningEnd end) {
    try {
      if (end.tellOfStrangers()) {
        listener.requireHeard();
      }
    } catch (Failure nobody) {
      // There is nobody to tell.
    }
  }

  /// What to type at the other end. Some shells take brackets for a pattern.
  ///
  /// @param url without the key, which other users there could see among the arguments
  private String commandThere(String url, boolean withKey) {
    String word = url.indexOf('[') >= 0 ? "'" + url + "'" : url;
    return (withKey ? "ZCP_KEY=" + key.text() + " " : "")
        + (self == Side.RECEIVER ? "zcp send " + word + " FILE..." : "zcp receive " + word);
  }

  private String url(String host, int port, boolean withKey) {
    Scheme scheme = encrypted ? Scheme.ENCRYPTED : Scheme.PLAIN;
    Address address = new Address(scheme, null, host, port);
    return scheme.prefix() + (withKey ? key.text() + "@" : "") + address;
  }
}
