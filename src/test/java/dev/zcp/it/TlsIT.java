package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.DataBuffer;
import dev.zcp.carrier.SocketCarrier;
import dev.zcp.carrier.TlsCarrier;
import dev.zcp.testing.Programs;
import dev.zcp.wire.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The built zcp over TLS, and everybody who would like to be at its other end or in between.
@Timeout(120)
class TlsIT {

  private static final int LARGE_BYTES = 12 << 20;
  private static final String OTHER_KEY = "AAAAAAAAAAAAAAAAAAAAAJrq";

  @TempDir Path folder;

  private Path source;
  private Path inbox;
  private byte[] large;
  private BuiltZcp listener;

  @BeforeEach
  void grow() throws IOException {
    folder = folder.toRealPath();
    source = Files.createDirectories(folder.resolve("source/below")).getParent();
    inbox = Files.createDirectory(folder.resolve("inbox"));
    for (int i = 0; i < 300; i++) {
      Files.writeString(source.resolve("below/" + i), "file " + i);
    }
    large = new byte[LARGE_BYTES];
    new Random(LARGE_BYTES).nextBytes(large);
    Files.write(source.resolve("large"), large);
  }

  @AfterEach
  void stop() throws IOException {
    if (listener != null) {
      listener.close();
    }
  }

  /// @param words what comes after `--tls` and the address, and makes a receiver of this test
  private void receive(String... words) throws Exception {
    listen("receive", "--tls", words);
    assertThat(listener.firstLine()).startsWith("zcp://");
  }

  private void listen(String command, String encryption, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(command, encryption, "--listen=127.0.0.1:0"));
    all.addAll(List.of(words));
    listener = BuiltZcp.start(folder, all.toArray(String[]::new));
    listener.firstLine();
  }

  private BuiltZcp.Ended run(String... arguments) throws Exception {
    return BuiltZcp.run(folder, arguments);
  }

  private void assertArrived() throws Exception {
    assertThat(TreeContent.of(inbox.resolve("source")).entries())
        .isEqualTo(TreeContent.of(source).entries());
  }

  /// What the listener says of somebody whom it does not let in.
  private void awaitNote(String note) throws Exception {
    listener.await(note, () -> listener.err().contains(note));
  }

  @Test
  void aTreeGoesToAReceiverOverSeveralConnections() throws Exception {
    receive("--once", inbox.toString());
    BuiltZcp.Ended sent =
        run(
            "send",
            "-v",
            "-r",
            "--connections=3",
            // So that the third one comes up before the session is over.
            "--limit-rate=4M",
            listener.firstLine(),
            source.toString());
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.err().replaceAll("\\s+", " "))
        .contains(" by TLS 1.3")
        .contains(" over 3 connections")
        .contains("encrypted: TLS 1.3")
        .contains("verified: wire (CRC32C");
    assertThat(listener.end().exitCode()).isZero();
    assertArrived();
  }

  @Test
  void aTreeIsFetchedFromASender() throws Exception {
    listen("send", "--tls", "--once", "-r", source.toString());
    BuiltZcp.Ended received =
        run("receive", "--tls", "--json", "127.0.0.1:" + listener.port(), inbox.toString());
    assertThat(received.exitCode()).as(received.err()).isZero();
    assertThat(received.out()).contains("\"encrypted\":true");
    assertThat(listener.end().exitCode()).isZero();
    assertArrived();
  }

  @Test
  void aFileOf64GibOfHolesKeepsThem() throws Exception {
    Path holes = source.resolve("holes");
    Programs.run("truncate", "-s", "64G", holes.toString());
    receive("--once", inbox.toString());
    BuiltZcp.Ended sent = run("send", listener.firstLine(), holes.toString());
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(listener.end().exitCode()).isZero();
    assertThat(inbox.resolve("holes")).hasSize(64L << 30);
    String blocks = Programs.run("stat", "-c", "%b", inbox.resolve("holes").toString());
    assertThat(Long.parseLong(blocks.strip())).as("blocks of 512 bytes").isLessThan(1000);
  }

  @Test
  void aSenderThatWasKilledGoesOnWhereItWas() throws Exception {
    receive("-q", inbox.toString());
    String file = source.resolve("large").toString();
    try (BuiltZcp killed =
        BuiltZcp.start(folder, "send", "-q", "--limit-rate=3M", listener.firstLine(), file)) {
      killed.await("half of the file", () -> TreeContent.partialBytes(inbox) > LARGE_BYTES / 2);
      killed.signal("KILL");
      killed.end();
    }
    assertThat(inbox.resolve("large")).doesNotExist();
    BuiltZcp.Ended sent = run("send", "--json", listener.firstLine(), file);
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.out()).doesNotContain("\"bytesResumed\":0,");
    assertThat(inbox.resolve("large")).hasBinaryContent(large);
  }

  @Test
  void whoHasAnotherKeyGetsNothing() throws Exception {
    receive(inbox.toString());
    String url = "zcp://" + OTHER_KEY + "@127.0.0.1:" + listener.port();
    BuiltZcp.Ended sent = run("send", "-q", "-r", url, source.toString());
    assertThat(sent.exitCode()).isEqualTo(6);
    assertThat(sent.err()).contains("the receiver has another key").doesNotContain(OTHER_KEY);
    awaitNote("the sender has another key");
    assertThat(inbox).isEmptyDirectory();
  }

  @Test
  void aStrategyThatNeedsADescriptorIsRefusedBeforeAnythingIsSent() throws Exception {
    receive(inbox.toString());
    for (String strategy : new String[] {"sendfile", "splice"}) {
      BuiltZcp.Ended sent =
          run("send", "--strategy=" + strategy, listener.firstLine(), source + "/large");
      assertThat(sent.exitCode()).isEqualTo(10);
      assertThat(sent.err()).contains("needs a plain connection, and this one is encrypted");
    }
    assertThat(inbox).isEmptyDirectory();
  }

  @Test
  void aPlainSenderAndAnEncryptedReceiverBothSayWhatIsWrong() throws Exception {
    receive(inbox.toString());
    String plain = listener.firstLine().replace("zcp://", "zcp+plain://");
    BuiltZcp.Ended sent = run("send", plain, source + "/large");
    assertThat(sent.exitCode()).isEqualTo(8);
    assertThat(sent.err())
        .hasLineCount(1)
        .contains("the peer speaks TLS, which this end does not ask for");
    awaitNote("the peer does not speak TLS, which this end asks for");
    assertThat(inbox).isEmptyDirectory();
  }

  @Test
  void anEncryptedSenderAndAPlainReceiverBothSayWhatIsWrong() throws Exception {
    listen("receive", "--plain", inbox.toString());
    String encrypted = listener.firstLine().replace("zcp+plain://", "zcp://");
    BuiltZcp.Ended sent = run("send", encrypted, source + "/large");
    assertThat(sent.exitCode()).isEqualTo(8);
    assertThat(sent.err())
        .hasLineCount(1)
        .contains("the peer closed the connection at once (is it a zcp receiver that takes TLS");
    awaitNote("the peer speaks TLS, which this end does not ask for");
    assertThat(inbox).isEmptyDirectory();
  }

  @Test
  void aBrowserIsTurnedAwayAtOnce() throws Exception {
    receive(inbox.toString());
    try (Socket socket = connect()) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readAllBytes()).startsWith(21, 3, 3);
    }
    awaitNote("the peer does not speak TLS");
  }

  private Socket connect() throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), listener.port());
  }

  @Test
  void opensslIsGivenTls13AndNothingOlder() throws Exception {
    receive(inbox.toString());
    String connect = "openssl s_client -connect 127.0.0.1:" + listener.port();
    assertThat(openssl(connect + " -tls1_3"))
        .contains("TLSv1.3")
        .contains("Cipher is TLS_AES_")
        .contains("CN=zcp")
        .doesNotContain("Post-Handshake New Session Ticket");
    assertThat(openssl(connect + " -tls1_2")).contains("alert").contains("Cipher is (NONE)");
    assertThat(openssl(connect + " -tls1_3 -ciphersuites TLS_CHACHA20_POLY1305_SHA256"))
        .contains("TLS_CHACHA20_POLY1305_SHA256");
  }

  /// It may fail, and says why.
  private static String openssl(String command) throws IOException {
    Programs.assume("openssl");
    return Programs.run("sh", "-c", "(sleep 1; echo) | timeout 20 " + command + " 2>&1; true")
        .replace(" = ", "=");
  }

  /// Somebody who has no key, and a TLS of his own with each end.
  private static final class Middle implements AutoCloseable {

    private final ServerSocketChannel port;
    private final int beyond;

    Middle(int beyond) throws IOException {
      this.beyond = beyond;
      this.port =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread.ofPlatform().daemon().start(this::serve);
    }

    int port() throws IOException {
      return ((InetSocketAddress) port.getLocalAddress()).getPort();
    }

    private void serve() {
      try {
        while (true) {
          Carrier near = tls(port.accept(), true);
          InetAddress loopback = InetAddress.getLoopbackAddress();
          Carrier far = tls(SocketChannel.open(new InetSocketAddress(loopback, beyond)), false);
          Thread.ofPlatform().daemon().start(() -> relay(near, far));
          Thread.ofPlatform().daemon().start(() -> relay(far, near));
        }
      } catch (Exception e) {
        // The test is over.
      }
    }

    private static Carrier tls(SocketChannel channel, boolean listens) throws Exception {
      Carrier carrier = new TlsCarrier(new SocketCarrier(channel, DataBuffer.SENDING, 0), listens);
      carrier.establish();
      return carrier;
    }

    private static void relay(Carrier from, Carrier to) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      try {
        while (from.source().read(bytes.clear(), 0) >= 0) {
          bytes.flip();
          while (bytes.hasRemaining()) {
            to.write(bytes);
          }
        }
        to.endOutput();
      } catch (IOException e) {
        to.cut();
      }
    }

    @Override
    public void close() throws IOException {
      port.close();
    }
  }

  @Test
  void somebodyInTheMiddleWithACertificateOfHisOwnGetsNothing() throws Exception {
    receive(inbox.toString());
    int port = listener.port();
    try (Middle middle = new Middle(port)) {
      String url = listener.firstLine().replace(":" + port, ":" + middle.port());
      BuiltZcp.Ended sent = run("send", "-q", "-r", url, source.toString());
      assertThat(sent.exitCode()).isEqualTo(6);
      assertThat(sent.err())
          .contains("has another key, or somebody between intercepts the connection");
      awaitNote("has another key, or somebody between intercepts the connection");
    }
    assertThat(inbox).isEmptyDirectory();
    assertThat(run("send", "-q", "-r", listener.firstLine(), source.toString()).exitCode())
        .isZero();
    assertArrived();
  }

  @Test
  void twoHundredWhoTrickleAHelloKeepNobodyOut() throws Exception {
    receive("-q", inbox.toString());
    // The first handshake loads classes.
    assertThat(run("send", "-q", listener.firstLine(), source + "/below/1").exitCode()).isZero();
    List<Socket> slow = new ArrayList<>();
    long startedNs = System.nanoTime();
    Thread trickle =
        Thread.ofPlatform()
            .daemon()
            .unstarted(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    for (Socket each : slow) {
                      try {
                        each.getOutputStream().write(3);
                      } catch (IOException e) {
                        // It was turned away.
                      }
                    }
                  }
                });
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = connect();
        socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc});
        slow.add(socket);
      }
      trickle.start();
      BuiltZcp.Ended sent = run("send", "-q", listener.firstLine(), source + "/below/2");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      // Before any of them had to go.
      assertThat(System.nanoTime() - startedNs).isLessThan(Limits.HANDSHAKE_DEADLINE_NS);
    } finally {
      trickle.interrupt();
      for (Socket each : slow) {
        each.close();
      }
    }
    assertThat(inbox.resolve("2")).hasContent("file 2");
  }

  /// Each left two descriptors until a garbage collection.
  @Test
  void fourHundredConnectionsLeaveTheListenerTheDescriptorsThatItHad() throws Exception {
    listener =
        BuiltZcp.start(
            folder,
            List.of("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh"),
            "receive",
            "-q",
            "--tls",
            "--listen=127.0.0.1:0",
            inbox.toString());
    String url = listener.firstLine();
    assertThat(run("send", "-q", url, source + "/below/1").exitCode()).isZero();
    int before = listener.descriptors();
    for (int i = 0; i < 400; i++) {
      try (Socket stranger = connect()) {
        if (i % 2 == 0) {
          Middle.tls(SocketChannel.open(stranger.getRemoteSocketAddress()), false).close();
        }
      }
    }
    assertThat(run("send", "-q", url, source + "/below/2").exitCode()).isZero();
    listener.await("the end of all of them", () -> listener.descriptors() <= before);
    assertThat(listener.err()).doesNotContain("internal error");
  }

  /// What a listener said to one, said again to another, as whoever records and replays does.
  @Test
  void whoReplaysAListenerIsFoundOut() throws Exception {
    receive(inbox.toString());
    byte[] recorded;
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());
    try (Carrier carrier = Middle.tls(SocketChannel.open(address), false)) {
      carrier.write(ByteBuffer.wrap(hello()));
      ByteBuffer answer = ByteBuffer.allocate(72 + 32);
      while (answer.hasRemaining()) {
        assertThat(carrier.source().read(answer, 0)).isPositive();
      }
      recorded = answer.array();
    }
    try (ServerSocketChannel port =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      int number = ((InetSocketAddress) port.getLocalAddress()).getPort();
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  Carrier carrier = Middle.tls(port.accept(), true);
                  ByteBuffer hello = ByteBuffer.allocate(72);
                  while (hello.hasRemaining() && carrier.source().read(hello, 0) >= 0) {
                    // Until all of it is there.
                  }
                  // The session id must be that of the dialler.
                  System.arraycopy(hello.array(), 16, recorded, 16, 18);
                  carrier.write(ByteBuffer.wrap(recorded));
                  carrier.source().read(ByteBuffer.allocate(100), 0);
                } catch (Exception e) {
                  // The dialler's exit code tells.
                }
              });
      String url = listener.firstLine().replace(":" + listener.port(), ":" + number);
      BuiltZcp.Ended sent = run("send", "-q", url, source + "/large");
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(6);
    }
  }

  /// Of a sender, connection 0 of any session: PROTOCOL.md.
  private static byte[] hello() {
    byte[] hello = new byte[72];
    byte[] head = {(byte) 0x89, 'z', 'c', 'p', '\r', '\n', 0x1a, '\n', 1, 0, 1, 1};
    System.arraycopy(head, 0, hello, 0, head.length);
    return hello;
  }

  /// As a crash of the JVM would write it: `/proc/PID/cmdline` is all that holds the key.
  @Test
  void aCrashWithAKeyOnTheCommandLineLeavesNoReport() throws Exception {
    receive("-q", inbox.toString());
    Path reports = Files.createDirectory(folder.resolve("reports"));
    BuiltZcp sender =
        BuiltZcp.start(
            folder,
            List.of("env", "TMPDIR=" + reports),
            "send",
            "-q",
            "--limit-rate=1M",
            listener.firstLine(),
            source + "/large");
    try (sender) {
      sender.await("a part of the file", () -> TreeContent.partialBytes(inbox) > 0);
      sender.signal("SEGV");
      BuiltZcp.Ended ended = sender.end();
      assertThat(ended.exitCode()).isEqualTo(128 + 6);
      assertThat(reports).isEmptyDirectory();
      assertThat(ended.out() + ended.err()).doesNotContain(key());
    }
  }

  private String key() throws Exception {
    String url = listener.firstLine();
    return url.substring(url.indexOf("//") + 2, url.indexOf('@'));
  }

  @Test
  void theKeyIsReadFromStandardInputAndShownNowhere() throws Exception {
    receive("-q", inbox.toString());
    String shell = "printf '%s\\n' " + key() + " | exec \"$@\"";
    BuiltZcp.Ended sent =
        BuiltZcp.run(
            folder,
            List.of("env", "-u", "XDG_RUNTIME_DIR", "HOME=/nonexistent", "sh", "-c", shell, "sh"),
            "send",
            "--tls",
            "--debug",
            "-v",
            "--key-file=-",
            "127.0.0.1:" + listener.port(),
            source + "/large");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.out() + sent.err()).doesNotContain(key());
    assertThat(inbox.resolve("large")).hasBinaryContent(large);
  }
}
