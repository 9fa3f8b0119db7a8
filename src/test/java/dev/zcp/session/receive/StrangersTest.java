package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One receiver, and everybody without its key: after each of them it still takes a good sender's
/// file, and its directory holds that file and nothing else.
@Timeout(60)
class StrangersTest {

  private static final byte[] CONTENT = new byte[100_000];

  @TempDir static Path home;

  private static Path good;
  private static Reception inbox;

  @BeforeAll
  static void startTheReceiver() throws IOException {
    new Random(1).nextBytes(CONTENT);
    good = Files.write(home.resolve("good"), CONTENT);
    inbox = Reception.open(home.resolve("inbox"));
  }

  @AfterAll
  static void stopTheReceiver() throws Exception {
    inbox.receiver().signal("TERM");
    Cli.Result result = inbox.receiver().end();
    inbox.close();
    assertThat(result.exitCode()).isEqualTo(128 + 15);
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
  }

  @BeforeEach
  void emptyTheInbox() throws IOException {
    inbox.empty();
  }

  @AfterEach
  void theNextGoodSenderIsServed() throws IOException {
    Files.deleteIfExists(inbox.directory().resolve("good"));
    assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
    assertThat(inbox.held()).containsExactly("good");
    assertThat(inbox.directory().resolve("good")).hasBinaryContent(CONTENT);
  }

  @Test
  void whoSpeaksAnotherLanguageIsTurnedAwayAtOnce() throws Exception {
    assertTurnedAway(inbox, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assertTurnedAway(inbox, "\u0016\u0003\u0001\u0002\u0000\u0001");
    assertTurnedAway(inbox, "SSH-2.0-x\r\n");
    byte[] noise = new byte[5000];
    new Random().nextBytes(noise);
    noise[0] = 'z';
    assertTurnedAway(inbox, new String(noise, StandardCharsets.ISO_8859_1));
  }

  private static void assertTurnedAway(Reception reception, String latin1) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), reception.port())) {
      socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(readToEnd(socket)).isEmpty();
    }
  }

  /// Each had a line.
  @Test
  void manyStrangersAreToldInTwoLines() throws Exception {
    try (Reception one = Reception.open(home.resolve("told"))) {
      int before = one.said();
      assertTurnedAway(one, "GET / HTTP/1.1\r\n\r\n");
      one.awaitSaid(before, ": the peer speaks HTTP, not zcp\n");
      for (int i = 0; i < 200; i++) {
        assertTurnedAway(one, "SSH-2.0-x\r\n");
      }
      one.receiver().signal("TERM");
      assertThat(one.receiver().end().err().substring(before))
          .containsPattern(" more connections failed before they proved the key, the last: ")
          .contains(": the peer speaks SSH, not zcp\n")
          .satisfies(
              said ->
                  assertThat(said.lines().filter(line -> line.contains("the peer"))).hasSize(2));
    }
  }

  @Test
  void nobodyStaysThatProvesNothingAndManyWhoDoNotKeepNobodyOut() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try (Socket slow = connect()) {
      CompletableFuture<Long> stayed =
          CompletableFuture.supplyAsync(() -> stayedSendingAByteAtATime(slow));
      for (int i = 0; i < 10; i++) {
        idle.add(connect());
      }
      assertThat(inbox.send(good).exitCode()).isZero();
      // An absolute deadline of 10 s; one for each read would let a slow writer stay for 43.
      assertThat(stayed.get()).isBetween(5_000_000_000L, 30_000_000_000L);
      for (Socket socket : idle) {
        socket.setSoTimeout(30_000);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    } finally {
      closeAll(idle);
    }
  }

  /// Where it read an end, a good peer took it for the last word of something else, and left with
  /// 8.
  @Test
  void whoMakesRoomForOthersSeesABrokenConnectionAndNoEnd() throws Exception {
    List<Socket> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        crowd.add(connect());
      }
      int broken = 0;
      for (Socket socket : crowd) {
        socket.setSoTimeout(30_000);
        try {
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException e) {
          broken++;
        }
      }
      // The others stay until their time is up.
      assertThat(broken).isPositive();
    } finally {
      closeAll(crowd);
    }
  }

  /// Sends a good hello, one byte every 600 ms, and says when the receiver hung up.
  private static long stayedSendingAByteAtATime(Socket socket) {
    long startedNs = System.nanoTime();
    byte[] hello = {(byte) 0x89, 'z', 'c', 'p', '\r', '\n', 0x1a, '\n', 1, 0, 1, 1};
    try {
      for (int i = 0; i < 72; i++) {
        socket.getOutputStream().write(i < hello.length ? hello[i] : 0);
        Thread.sleep(600);
      }
    } catch (IOException | InterruptedException e) {
      return System.nanoTime() - startedNs;
    }
    return System.nanoTime() - startedNs;
  }

  @Test
  void fortyIdleConnectionsKeepNoSenderOut() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        idle.add(connect());
      }
      assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
    } finally {
      closeAll(idle);
    }
  }

  @Test
  void anotherKeyIsRefusedAndNothingIsWritten() throws Exception {
    Cli.Result result = inbox.send(Key.random(), good);
    assertThat(result.err())
        .isEqualTo(
            "zcp: "
                + inbox.address()
                + ": the receiver has another key (use the URL that it printed)\n");
    assertThat(result.exitCode()).isEqualTo(6);
    assertThat(inbox.held()).isEmpty();
  }

  @Test
  void aStrangerDoesNotEndAReceiverOfOneTransfer() throws Exception {
    try (Reception one = Reception.open(home.resolve("one"), "--once")) {
      try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), one.port())) {
        stranger
            .getOutputStream()
            .write("HEAD / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        readToEnd(stranger);
      }
      assertThat(one.send(Key.random(), good).exitCode()).isEqualTo(6);
      assertThat(one.send(good).exitCode()).isZero();
      Cli.Result result = one.receiver().end();
      assertThat(result.err()).contains("the peer speaks HTTP").contains("another key");
      assertThat(result.exitCode()).isZero();
      assertThat(one.held()).containsExactly("good");
    }
  }

  private static Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), inbox.port());
  }

  private static void closeAll(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static byte[] readToEnd(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // Reset, since the receiver closed with bytes of ours unread.
      return new byte[0];
    }
  }
}
