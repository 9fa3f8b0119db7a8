package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.core.Span;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import dev.zcp.wire.Ack;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Meta;
import dev.zcp.wire.Nack;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Trailer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One receiver, and everybody who should not get far with it: after each of them it still takes a
/// good sender's file, and its directory holds that file and nothing else.
@Timeout(60)
class StrangeSendersTest {

  private static final Key KEY = Key.random();
  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", KEY.text());
  private static final byte[] CONTENT = new byte[100_000];

  @TempDir static Path home;

  private static Path inbox;
  private static Path good;
  private static ZcpProcess receiver;
  private static int port;

  @BeforeAll
  static void startTheReceiver() throws IOException {
    new Random(1).nextBytes(CONTENT);
    inbox = Files.createDirectory(home.resolve("inbox"));
    good = Files.write(home.resolve("good"), CONTENT);
    receiver = start();
    port = portOf(receiver);
  }

  @AfterAll
  static void stopTheReceiver() throws Exception {
    receiver.signal("TERM");
    Cli.Result result = receiver.end();
    receiver.close();
    assertThat(result.exitCode()).isEqualTo(128 + 15);
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
  }

  private static ZcpProcess start(String... options) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("receive", "--listen=127.0.0.1:0", "--stall-timeout=1s", inbox.toString()));
    arguments.addAll(1, List.of(options));
    return ZcpProcess.start(home, ENVIRONMENT, arguments.toArray(String[]::new));
  }

  private static int portOf(ZcpProcess receiver) throws IOException {
    String url = receiver.line();
    assertThat(url).as(receiver.errors()).startsWith("zcp+plain://");
    return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }

  @BeforeEach
  void emptyTheInbox() throws IOException {
    for (String name : held()) {
      Files.delete(inbox.resolve(name));
    }
  }

  @AfterEach
  void theNextGoodSenderIsServed() throws IOException {
    Files.deleteIfExists(inbox.resolve("good"));
    Cli.Result result = send(KEY, good);
    assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
    assertThat(inbox.resolve("good")).hasBinaryContent(CONTENT);
  }

  private static Cli.Result send(Key key, Path file) {
    return Cli.run(
        Map.of("ZCP_KEY", key.text()), "send", "-q", "127.0.0.1:" + port, file.toString());
  }

  private static void onAThread(Runnable work) {
    Thread.ofPlatform().start(work);
  }

  /// The names in the receiver's directory, in order.
  private static List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(inbox)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void awaitHeld(String... names) throws Exception {
    for (int tries = 0; tries < 500 && !held().equals(List.of(names)); tries++) {
      Thread.sleep(20);
    }
    assertThat(held()).containsExactly(names);
  }

  /// Waits until the receiver's standard error holds `text` since `before` characters.
  private static void awaitSaid(int before, String text) throws Exception {
    String said = "";
    for (int tries = 0; tries < 750 && !said.contains(text); tries++) {
      Thread.sleep(20);
      said = receiver.errors().substring(before);
    }
    assertThat(said).contains(text);
  }

  // Strangers.

  @Test
  void whoSpeaksAnotherLanguageIsTurnedAwayAtOnce() throws Exception {
    assertTurnedAway("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "the peer speaks HTTP, not zcp");
    assertTurnedAway("\u0016\u0003\u0001\u0002\u0000\u0001", "the peer speaks TLS, not zcp");
    assertTurnedAway("SSH-2.0-x\r\n", "the peer speaks SSH, not zcp");
    long seed = new Random().nextLong();
    byte[] noise = new byte[5000];
    new Random(seed).nextBytes(noise);
    noise[0] = 'z';
    assertTurnedAway(
        new String(noise, StandardCharsets.ISO_8859_1), "the peer speaks something else, not zcp");
  }

  private static void assertTurnedAway(String latin1, String reason) throws Exception {
    int before = receiver.errors().length();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(readToEnd(socket)).isEmpty();
    }
    awaitSaid(before, reason);
    assertThat(receiver.errors().substring(before)).matches("zcp: 127\\.0\\.0\\.1:\\d+: .*\n");
  }

  private static byte[] readToEnd(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // Reset, since the receiver closed with bytes of ours unread.
      return new byte[0];
    }
  }

  @Test
  void nobodyStaysThatProvesNothingAndManyWhoDoNotKeepNobodyOut() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
      CompletableFuture<Long> stayed =
          CompletableFuture.supplyAsync(() -> stayedSendingAByteAtATime(slow));
      for (int i = 0; i < 10; i++) {
        idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      assertThat(send(KEY, good).exitCode()).isZero();
      // An absolute deadline of 10 s; one for each read would let a slow writer stay for 14.
      assertThat(stayed.get()).isBetween(9_000_000_000L, 13_000_000_000L);
      for (Socket socket : idle) {
        socket.setSoTimeout(5_000);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  /// Sends a good hello, one byte every 200 ms, and says when the receiver hung up.
  private static long stayedSendingAByteAtATime(Socket socket) {
    long startedNs = System.nanoTime();
    byte[] hello = {(byte) 0x89, 'z', 'c', 'p', '\r', '\n', 0x1a, '\n', 1, 0, 1, 1};
    try {
      for (int i = 0; i < 72; i++) {
        socket.getOutputStream().write(i < hello.length ? hello[i] : 0);
        Thread.sleep(200);
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
        idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      assertThat(send(KEY, good)).isEqualTo(new Cli.Result(0, "", ""));
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void anotherKeyIsRefusedAndNothingIsWritten() throws Exception {
    Cli.Result result = send(Key.random(), good);
    assertThat(result.err())
        .isEqualTo(
            "zcp: 127.0.0.1:"
                + port
                + ": the receiver has another key (send to the URL that it printed)\n");
    assertThat(result.exitCode()).isEqualTo(6);
    assertThat(held()).isEmpty();
  }

  // Senders with the key that make what no sender of zcp makes.

  @Test
  void aNameThatIsNotBareBreaksTheProtocol() throws Exception {
    for (String name :
        List.of("..", ".", "a/b", "/etc/passwd", "../x", "", "a\0b", "x".repeat(256))) {
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        puppet.meta(0, 5, 0644, name.getBytes(StandardCharsets.ISO_8859_1));
        assertGivenUp(puppet, ExitCode.PROTOCOL);
      }
    }
    awaitHeld();
    assertThat(home.resolve("x")).doesNotExist();
  }

  @Test
  void bitsBeyondPermissionsBreakTheProtocol() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.meta(0, 5, 04755, new byte[] {'s'});
      assertGivenUp(puppet, ExitCode.PROTOCOL);
    }
    awaitHeld();
  }

  @Test
  void theTimeOfAFileMayBeAnyAndItsPermissionsAreMasked() throws Exception {
    for (long seconds : new long[] {-31_557_014_135_596_799L, 31_556_889_832_780_799L, -1, 0}) {
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        puppet.say(new Meta(0, 0, 0777, seconds, 999_999_999, name("when")));
        puppet.say(Trailer.ok(0, new Span(0, 0), true, Digest.crc32c(0)));
        Frame answer = puppet.hear();
        if (answer instanceof Nack nack) {
          assertThat(nack.exitCode()).isEqualTo(ExitCode.DESTINATION);
          continue;
        }
      }
      awaitHeld("when");
      assertThat(Files.getPosixFilePermissions(inbox.resolve("when")))
          .isSubsetOf(PosixFilePermissions.fromString("rwxrwxr-x"));
      Files.delete(inbox.resolve("when"));
    }
  }

  @Test
  void moreBytesThanWereAnnouncedBreakTheProtocol() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 10, "more"));
      puppet.say(new Data(0, new Span(0, 11)));
      assertGivenUp(puppet, ExitCode.PROTOCOL);
    }
    awaitHeld();
  }

  @Test
  void blocksOutOfOrderBreakTheProtocol() throws Exception {
    for (Span wrong : List.of(new Span(1, 4), new Span(1L << 62, 4))) {
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        puppet.say(meta(0, Meta.SIZE_UNKNOWN, "gap"));
        puppet.say(new Data(0, wrong));
        assertGivenUp(puppet, ExitCode.PROTOCOL);
      }
    }
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(new Data(0, new Span(0, 4)));
      assertGivenUp(puppet, ExitCode.PROTOCOL);
    }
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(1, 4, "late"));
      assertGivenUp(puppet, ExitCode.PROTOCOL);
    }
    awaitHeld();
  }

  @Test
  void aFileThatEndsBeforeItsSizeBreaksTheProtocol() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 10, "short"));
      block(puppet, 0, new Span(0, 5), true, 0);
      assertGivenUp(puppet, ExitCode.PROTOCOL);
    }
    awaitHeld();
  }

  @Test
  void aForgedSealIsAFailureOfIntegrity() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 5, "forged"));
      byte[] data = new byte[] {1, 2, 3, 4, 5};
      puppet.say(new Data(0, new Span(0, 5)));
      puppet.bytes(data, 5);
      byte[] trailer = new byte[96];
      puppet.bytes(trailer, trailer.length);
      assertGivenUp(puppet, ExitCode.INTEGRITY);
    }
    awaitHeld();
  }

  @Test
  void aWrongDigestIsAFailureOfIntegrityAndTheNextFileIsTaken() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 5, "wrong"));
      block(puppet, 0, new Span(0, 5), true, 1);
      Nack nack = (Nack) puppet.hear();
      assertThat(nack.exitCode()).isEqualTo(ExitCode.INTEGRITY);
      puppet.say(meta(1, 5, "right"));
      block(puppet, 1, new Span(0, 5), true, 0);
      puppet.hear();
      puppet.say(new Done(ExitCode.OK, 2, 10, ""));
      Done done = (Done) puppet.hear();
      assertThat(done.exitCode()).isEqualTo(ExitCode.INTEGRITY);
    }
    awaitHeld("right");
  }

  @Test
  void aFileLargerThanTheDiskIsRefusedBeforeItsFirstByte() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 1L << 62, "huge"));
      Nack nack = (Nack) puppet.hear();
      assertThat(nack.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(nack.text()).startsWith("no space left (4.00 EiB needed");
    }
    awaitHeld();
  }

  @Test
  void aNameThatComesTwiceIsRefusedTheSecondTime() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 5, "twice"));
      block(puppet, 0, new Span(0, 5), true, 0);
      puppet.hear();
      puppet.say(meta(1, 5, "twice"));
      block(puppet, 1, new Span(0, 5), true, 0);
      assertThat(((Nack) puppet.hear()).exitCode()).isEqualTo(ExitCode.EXISTS);
    }
    awaitHeld("twice");
  }

  @Test
  void aLinkIsNeverFollowed() throws Exception {
    Path outside = Files.write(home.resolve("outside"), new byte[] {42});
    Path folder = Files.createDirectories(home.resolve("folder"));
    for (Path target : List.of(outside, folder, home.resolve("nowhere"))) {
      Path link = Files.createSymbolicLink(inbox.resolve("link"), target);
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        puppet.say(meta(0, 5, "link"));
        assertThat(((Nack) puppet.hear()).exitCode()).isEqualTo(ExitCode.EXISTS);
      }
      try (ZcpProcess replacing = start("--overwrite");
          Puppet puppet = Puppet.sender(portOf(replacing), KEY)) {
        puppet.say(meta(0, 5, "link"));
        block(puppet, 0, new Span(0, 5), true, 0);
        assertThat(puppet.hear()).isInstanceOf(Ack.class);
        assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(link).hasSize(5);
      }
      Files.delete(link);
    }
    assertThat(outside).hasBinaryContent(new byte[] {42});
    assertThat(folder).isEmptyDirectory();
    assertThat(home.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aDirectoryIsNotReplaced() throws Exception {
    Path folder = Files.createDirectory(inbox.resolve("folder"));
    try (ZcpProcess replacing = start("--overwrite");
        Puppet puppet = Puppet.sender(portOf(replacing), KEY)) {
      puppet.say(meta(0, 5, "folder"));
      assertThat(((Nack) puppet.hear()).exitCode()).isEqualTo(ExitCode.EXISTS);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aSourceThatFailedIsNotPublished() throws Exception {
    for (Trailer.Status status :
        List.of(Trailer.Status.SHORT, Trailer.Status.CHANGED, Trailer.Status.FAILED)) {
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        puppet.say(meta(0, 5, "lost"));
        puppet.say(new Data(0, new Span(0, 5)));
        puppet.bytes(new byte[5], 5);
        long valid = status == Trailer.Status.CHANGED ? 5 : 2;
        puppet.say(new Trailer(0, new Span(0, 5), true, status, valid, Digest.crc32c(0)));
        assertThat(((Nack) puppet.hear()).exitCode()).isEqualTo(ExitCode.SOURCE);
        puppet.say(new Done(ExitCode.SOURCE, 1, 5, "lost"));
        assertThat(((Done) puppet.hear()).exitCode()).isEqualTo(ExitCode.SOURCE);
      }
      awaitHeld();
    }
  }

  @Test
  void whatWasCutLeavesNothing() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 1000, "cut"));
      puppet.say(new Data(0, new Span(0, 500)));
      puppet.bytes(new byte[499], 499);
      awaitPartial();
    }
    awaitHeld();
  }

  @Test
  void aSenderThatFallsSilentIsGivenUpAndLeavesNothing() throws Exception {
    int before = receiver.errors().length();
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 1000, "silent"));
      awaitPartial();
      awaitSaid(before, "stalled: the sender said nothing for too long");
      awaitHeld();
    }
  }

  /// Its answers fill the socket: saying them may not last for ever either.
  @Test
  void aSenderThatDoesNotReadItsAnswersIsGivenUp() throws Exception {
    int before = receiver.errors().length();
    CRC32C none = new CRC32C();
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      byte[] taken = "good".getBytes(StandardCharsets.US_ASCII);
      Files.write(inbox.resolve("good"), CONTENT);
      CompletableFuture<Void> talk =
          CompletableFuture.runAsync(() -> announce(puppet, taken, (int) none.getValue()));
      awaitSaid(before, "stalled: ");

      puppet.socket().close();
      talk.join();
    }
  }

  /// Announces the same file again and again; each is refused, in a frame of 100 bytes and more.
  private static void announce(Puppet puppet, byte[] name, int digest) {
    try {
      for (int i = 0; i < 200_000; i++) {
        puppet.meta(i, 0, 0644, name);
        puppet.say(Trailer.ok(i, new Span(0, 0), true, Digest.crc32c(digest)));
      }
    } catch (IOException e) {
      // Given up, which is what the test waits for.
    }
  }

  /// A peer that was told why and neither reads nor closes gets 10 s, beats or no beats.
  @Test
  void whoIsGivenUpCannotStay() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(meta(0, 1000, "stays"));
      puppet.say(meta(1, 1000, "stays too"));
      long startedNs = System.nanoTime();
      Done done = (Done) skipBeats(puppet);
      assertThat(done.exitCode()).isEqualTo(ExitCode.PROTOCOL);
      while (true) {
        puppet.bytes(new byte[100], 100);
        Thread.sleep(100);
        assertThat(System.nanoTime() - startedNs).isLessThan(20_000_000_000L);
      }
    } catch (SocketException e) {
      assertThat(e).hasMessageMatching(".*([Bb]roken pipe|reset).*");
    }
    awaitHeld();
  }

  @Test
  void beatsAmongFramesAreNothingToAnswer() throws Exception {
    try (Puppet puppet = Puppet.sender(port, KEY)) {
      puppet.say(new Beat(0));
      puppet.say(meta(0, 5, "beats"));
      puppet.say(new Beat(77));
      block(puppet, 0, new Span(0, 5), true, 0);
      puppet.say(new Beat(5));
      assertThat(puppet.hear()).isInstanceOf(Ack.class);
    }
    awaitHeld("beats");
  }

  @Test
  void anyBytesAfterTheHandshakeEndTheSessionOnly() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        byte[] noise = new byte[1 + random.nextInt(2000)];
        random.nextBytes(noise);
        puppet.bytes(noise, noise.length);
        puppet.socket().shutdownOutput();
        readToEnd(puppet.socket());
      }
    }
    assertThat(receiver.errors()).as("seed " + seed).doesNotContain("internal error");
    awaitHeld();
  }

  /// Good frames with one field made strange, under a seal that fits.
  @Test
  void anyFieldsInAFrameEndTheSessionOnly() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      try (Puppet puppet = Puppet.sender(port, KEY)) {
        puppet.say(meta(0, 5, "fields"));
        byte[] payload = new byte[random.nextInt(70)];
        random.nextBytes(payload);
        puppet.control(
            random.nextInt(9), random.nextInt(2), random.nextInt(3), random.nextInt(3), payload);
        puppet.socket().shutdownOutput();
        readToEnd(puppet.socket());
      }
    }
    assertThat(receiver.errors()).as("seed " + seed).doesNotContain("internal error");
    awaitHeld();
  }

  // One transfer only.

  @Test
  void aStrangerDoesNotEndAReceiverOfOneTransfer() throws Exception {
    try (ZcpProcess one = start("--once")) {
      int to = portOf(one);
      try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), to)) {
        stranger
            .getOutputStream()
            .write("HEAD / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        readToEnd(stranger);
      }
      String address = "127.0.0.1:" + to;
      Map<String, String> wrong = Map.of("ZCP_KEY", Key.random().text());
      assertThat(Cli.run(wrong, "send", "-q", address, good.toString()).exitCode()).isEqualTo(6);
      assertThat(Cli.run(ENVIRONMENT, "send", "-q", address, good.toString()).exitCode()).isZero();
      Cli.Result result = one.end();
      assertThat(result.err()).contains("the peer speaks HTTP").contains("another key");
      assertThat(result.exitCode()).isZero();
    }
    awaitHeld("good");
  }

  @Test
  void aSecondSenderIsToldThatTheReceiverIsBusy() throws Exception {
    try (ZcpProcess one = start("--once");
        Puppet first = Puppet.sender(portOf(one), KEY)) {
      String address = "127.0.0.1:" + first.socket().getPort();
      first.say(meta(0, 5, "first"));
      Cli.Result second = Cli.run(ENVIRONMENT, "send", "-q", address, good.toString());
      assertThat(second.err())
          .isEqualTo("zcp: " + address + ": the receiver serves another sender\n");
      assertThat(second.exitCode()).isEqualTo(9);
      block(first, 0, new Span(0, 5), true, 0);
      first.hear();
      first.say(new Done(ExitCode.OK, 1, 5, ""));
      first.hear();
      assertThat(one.end().exitCode()).isZero();
    }
    awaitHeld("first");
  }

  @Test
  void aReceiverOfOneTransferEndsWithTheCodeOfItsFailure() throws Exception {
    try (ZcpProcess one = start("--once", "-q")) {
      try (Puppet puppet = Puppet.sender(portOf(one), KEY)) {
        puppet.say(meta(0, 1000, "cut"));
        puppet.say(new Data(0, new Span(0, 500)));
      }
      Cli.Result result = one.end();
      assertThat(result.err())
          .matches(
              "zcp: 127\\.0\\.0\\.1:\\d+: the sender closed the connection before the end"
                  + " \\(files that were not complete were not published; send them again\\)\n");
      assertThat(result.exitCode()).isEqualTo(5);
    }
    awaitHeld();
  }

  @Test
  void aSenderThatCouldNotReadAFileIsNoSuccessHereEither() throws Exception {
    try (ZcpProcess one = start("--once", "-q");
        Puppet puppet = Puppet.sender(portOf(one), KEY)) {
      puppet.say(new Done(ExitCode.SOURCE, 0, 0, "photo\u001b[2J: permission denied"));
      puppet.hear();
      Cli.Result result = one.end();
      assertThat(result.err())
          .matches(
              "zcp: 127\\.0\\.0\\.1:\\d+: the sender could not send everything:"
                  + " photo\\\\x1b\\[2J: permission denied\n");
      assertThat(result.exitCode()).isEqualTo(3);
    }
  }

  // Several good senders.

  @Test
  void fourSendersAtOnceAreServedAlike() throws Exception {
    List<CompletableFuture<Cli.Result>> sent = new ArrayList<>();
    byte[][] contents = new byte[4][];
    for (int i = 0; i < 4; i++) {
      contents[i] = new byte[8 << 20];
      Arrays.fill(contents[i], (byte) i);
      Path file = Files.write(home.resolve("file" + i), contents[i]);
      sent.add(CompletableFuture.supplyAsync(() -> send(KEY, file), StrangeSendersTest::onAThread));
    }
    for (CompletableFuture<Cli.Result> one : sent) {
      assertThat(one.get()).isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(held()).containsExactly("file0", "file1", "file2", "file3");
    for (int i = 0; i < 4; i++) {
      assertThat(inbox.resolve("file" + i)).hasBinaryContent(contents[i]);
    }
  }

  @Test
  void ofFourFilesWithOneNameExactlyOneWins() throws Exception {
    for (int round = 0; round < 5; round++) {
      emptyTheInbox();
      List<CompletableFuture<Cli.Result>> sent = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        byte[] content = new byte[4 << 20];
        Arrays.fill(content, (byte) i);
        Path file =
            Files.write(Files.createDirectories(home.resolve("from" + i)).resolve("one"), content);
        sent.add(
            CompletableFuture.supplyAsync(() -> send(KEY, file), StrangeSendersTest::onAThread));
      }
      int winner = -1;
      for (int i = 0; i < 4; i++) {
        Cli.Result result = sent.get(i).get();
        if (result.exitCode() == 0) {
          assertThat(winner).isEqualTo(-1);
          winner = i;
        } else {
          assertThat(result.exitCode()).as(result.err()).isEqualTo(9);
          assertThat(result.err())
              .endsWith(
                  "/one: refused there: already exists"
                      + " (it is kept; a receiver with --overwrite replaces it)\n");
        }
      }
      assertThat(winner).isNotNegative();
      byte[] content = new byte[4 << 20];
      Arrays.fill(content, (byte) winner);
      assertThat(inbox.resolve("one")).hasBinaryContent(content);
      assertThat(held()).containsExactly("one");
    }
  }

  private static void awaitPartial() throws Exception {
    for (int tries = 0; tries < 500 && held().isEmpty(); tries++) {
      Thread.sleep(20);
    }
    assertThat(held()).singleElement().asString().matches("\\.zcp-[0-9a-f]{16}\\.part");
  }

  /// Hears nothing but the goodbye of a receiver that gives up, with this code.
  private static void assertGivenUp(Puppet puppet, ExitCode exitCode) throws Exception {
    Frame frame = skipBeats(puppet);
    assertThat(frame).isInstanceOf(Done.class);
    assertThat(((Done) frame).exitCode()).isEqualTo(exitCode);
  }

  private static Frame skipBeats(Puppet puppet) throws IOException, ProtocolException {
    Frame frame = puppet.hear();
    while (frame instanceof Beat) {
      frame = puppet.hear();
    }
    return frame;
  }

  private static Meta meta(long fileId, long size, String name) {
    return new Meta(fileId, size, 0644, 0, 0, name(name));
  }

  private static Name name(String name) {
    return Name.of(name.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends a block of ones with its trailer; `error` is what its digest is wrong by.
  private static void block(Puppet puppet, long fileId, Span block, boolean last, int error)
      throws IOException {
    byte[] bytes = new byte[(int) block.length()];
    Arrays.fill(bytes, (byte) 1);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    puppet.say(new Data(fileId, block));
    puppet.bytes(bytes, bytes.length);
    puppet.say(Trailer.ok(fileId, block, last, Digest.crc32c((int) crc.getValue() + error)));
  }
}
