package dev.zcp.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address.Scheme;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.linux.OwnProcess;
import dev.zcp.secure.CertificateMarks;
import dev.zcp.secure.Key;
import dev.zcp.secure.Tls;
import dev.zcp.session.Admission;
import dev.zcp.session.Keys;
import dev.zcp.session.ListeningPort;
import dev.zcp.session.OwnAddress;
import dev.zcp.session.PeerEndpoint.Listen;
import dev.zcp.session.Peering;
import dev.zcp.session.StrangerNotes;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// A port for browsers: the JDK's own server, with a key in the path, and with limits for whoever
/// does not know it. Without encryption it listens on loopback alone.
final class WebServer {

  private static final int CONNECTIONS_MAX = 256;
  private static final int CONNECTIONS_MIN = 4;

  /// Those of the process itself, and those of a connection: its socket, two of TLS, and a file.
  private static final int OWN_DESCRIPTORS = 48;

  private static final int CONNECTION_DESCRIPTORS = 4;

  private static final int BACKLOG = 64;
  private static final int IDLE_S_MAX = 20;
  private static final int HEADER_BYTES_MAX = 32 << 10;

  /// A key that was given is shown nowhere.
  private static final String GIVEN_KEY = "$ZCP_KEY";

  private static final byte[] NOT_FOUND = "not found\n".getBytes(StandardCharsets.US_ASCII);

  static {
    // The JDK reads these when it loads its server, which nothing else here uses.
    System.setProperty("jdk.httpserver.maxConnections", Integer.toString(connectionsMax()));
    System.setProperty("sun.net.httpserver.idleInterval", Integer.toString(IDLE_S_MAX));
    System.setProperty("sun.net.httpserver.clockTick", "1000");
    System.setProperty("sun.net.httpserver.maxReqHeaderSize", Integer.toString(HEADER_BYTES_MAX));
    System.setProperty("sun.net.httpserver.maxReqHeaders", "100");
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static int connectionsMax() {
    int connections = (OwnProcess.descriptorsMax() - OWN_DESCRIPTORS) / CONNECTION_DESCRIPTORS;
    return Math.clamp(connections, CONNECTIONS_MIN, CONNECTIONS_MAX);
  }

  /// What is behind the key.
  interface Site {

    /// Answers a request. What it throws is told the client, if nothing was answered yet; else the
    /// connection is broken.
    void answer(WebExchange exchange) throws IOException, Failure;

    /// The line for a terminal that it can be used by.
    String curl(WebUrl url);

    /// The process ends by a signal.
    default void abandon() {}
  }

  private final Peering peering;
  private final Listener listener;
  private final boolean isPictured;
  private final InetAddress address;
  private final boolean encrypted;
  private final Key key;
  private final boolean isNewKey;
  private final KeyGate gate;
  private final RequestWatch watch;
  private final StrangerNotes strangers;
  private Site site;

  /// Looks up the address and the key. Nobody can connect yet.
  ///
  /// @param isPictured whether the URL is shown as a picture, too, if others can reach it
  /// @throws Failure USAGE if it would be plain for other machines, or the key is none; NETWORK if
  ///   there is no such address
  WebServer(Peering peering, Listener listener, boolean isPictured) throws Failure {
    this.peering = peering;
    this.listener = listener;
    this.isPictured = isPictured;
    InetAddress[] addresses = SocketDialler.resolve(peering.address());
    boolean loopback = SocketDialler.isLoopback(addresses);
    if (peering.asked() == Scheme.PLAIN && !loopback) {
      throw Failure.of(
          ExitCode.USAGE,
          peering.address(),
          "--web with --plain is for addresses of this machine only");
    }
    this.encrypted = peering.address().isEncrypted(peering.asked(), loopback);
    this.address = addresses[0];
    Key given = Keys.given(peering.address(), peering.key());
    this.isNewKey = given == null;
    this.key = isNewKey ? Key.random() : given;
    this.gate = new KeyGate(key);
    this.strangers = new StrangerNotes(listener, StrangerNotes.PAUSE_NS);
    this.watch = new RequestWatch(peering.flow().stallTimeoutNs(), strangers);
    if (encrypted) {
      Tls.prepare(true);
    }
  }

  /// Serves until the only visit is over that was asked for, or for ever.
  ///
  /// @param admission what may come; null if nothing may
  /// @param factory makes what is behind the key, which has a URL by then
  Result serve(String command, Admission admission, BiFunction<Visits, WebUrl, Site> factory)
      throws Failure {
    boolean once = peering.endpoint() instanceof Listen listen && listen.once();
    Visits visits = new Visits(command, encrypted ? "TLS 1.3" : "", once, admission, listener);
    HttpServer http = bind();
    try {
      boolean isLocal = address.isLoopbackAddress();
      List<String> hosts = OwnAddress.hosts(address, peering.address());
      int port = http.getAddress().getPort();
      CertificateMarks marks = encrypted ? Tls.marks() : null;
      WebUrl url = WebUrl.of(hosts.getFirst(), port, key.text(), marks);
      WebUrl shown = isNewKey ? url : WebUrl.of(hosts.getFirst(), port, GIVEN_KEY, marks);
      site = factory.apply(visits, url);
      try (Guard _ = Guard.install(() -> atSignal(visits))) {
        watch.start();
        visits.start();
        http.createContext("/", this::answerAndEnd);
        http.setExecutor(watch);
        http.start();
        List<String> details = details(url, isPictured && isNewKey && !isLocal);
        listener.on(new Event.Listening(shown.text(), site.curl(shown), hosts, isLocal, details));
        listener.requireHeard();
        return visits.await();
      }
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, peering.address(), Reasons.of(e)).because(e);
    } finally {
      http.stop(0);
      watch.stop();
      strangers.tellRest();
    }
  }

  private List<String> details(WebUrl url, boolean isPictured) {
    List<String> details = new ArrayList<>();
    if (encrypted) {
      details.add("its certificate: " + url.marks().words() + ", SHA-256 " + url.marks().sha256());
    }
    if (isPictured) {
      details.addAll(QrPicture.lines(url.text()));
    }
    return details;
  }

  private void atSignal(Visits visits) {
    site.abandon();
    Guard.tell(() -> tellRest(visits));
  }

  /// What is told is printed later, and the process ends at once.
  private void tellRest(Visits visits) {
    visits.interrupt();
    strangers.tellRest();
    try {
      listener.requireHeard();
    } catch (Failure nobody) {
      // There is nobody to tell.
    }
  }

  private HttpServer bind() throws Failure {
    InetSocketAddress at = new InetSocketAddress(address, peering.address().port());
    try {
      if (!encrypted) {
        return HttpServer.create(at, BACKLOG);
      }
      HttpsServer https = HttpsServer.create(at, BACKLOG);
      https.setHttpsConfigurator(
          new HttpsConfigurator(Tls.listenersContext(watch::uses)) {
            @Override
            public void configure(HttpsParameters parameters) {
              // Its engines have theirs.
            }
          });
      return https;
    } catch (BindException e) {
      throw ListeningPort.notBound(peering.address(), e);
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, peering.address(), Reasons.of(e)).because(e);
    }
  }

  /// The JDK's server gives back the place of a connection that [HttpExchange#close] has closed
  /// only if its handler fails. If an answer has ended well, that changes nothing.
  private void answerAndEnd(HttpExchange http) throws IOException {
    answer(http);
    throw new IOException("the request is over");
  }

  private void answer(HttpExchange http) throws IOException {
    String path = gate.open(http.getRequestURI().getRawPath());
    if (path == null) {
      refuse(http);
      return;
    }
    watch.works();
    WebExchange exchange = new WebExchange(http, watch, path.isEmpty() ? "/" : path);
    String expected = exchange.header("Expect");
    try {
      if (path.isEmpty()) {
        exchange.set("Location", key.text() + "/");
        exchange.text(WebExchange.MOVED, "zcp: the URL of a directory ends in a slash");
      } else if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
        exchange.text(WebExchange.NOT_EXPECTED, "zcp: only Expect: 100-continue is known");
      } else {
        site.answer(exchange);
      }
    } catch (Failure failure) {
      exchange.fail(failure);
    } catch (IOException e) {
      // Of the client, which has gone. What happens to files is a failure, and told.
      exchange.abort();
    } catch (RuntimeException | Error e) {
      Failure defect = Reasons.defect("a request", e);
      listener.on(new Event.Noted(defect.getMessage()));
      exchange.fail(defect);
    } finally {
      exchange.close();
    }
  }

  /// Without the key every path is the same.
  private void refuse(HttpExchange http) throws IOException {
    String peer = http.getRemoteAddress().getAddress().getHostAddress();
    strangers.failed("a request from " + peer + " had another key");
    try (http) {
      if (gate.awaitRefusal()) {
        WebExchange.secure(http.getResponseHeaders());
        http.getResponseHeaders().set("Connection", "close");
        boolean isHead = http.getRequestMethod().equals("HEAD");
        http.sendResponseHeaders(WebExchange.NOT_FOUND, isHead ? -1 : NOT_FOUND.length);
        if (!isHead) {
          OutputStream out = http.getResponseBody();
          out.write(NOT_FOUND);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
