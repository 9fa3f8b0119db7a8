package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The built zcp and a peer in Python that was written from PROTOCOL.md and protocol/part.md alone:
/// each of the two gives a tree to the other, and either dials.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PythonPeerIT {

  private static final Path PEER = Path.of("src/it/zcp_peer.py").toAbsolutePath();

  private static final List<String> OTHERS = List.of("below/7", "large");

  private final String key = Key.random().text();

  @TempDir Path folder;

  private Path source;
  private Path inbox;

  @BeforeEach
  void grow() throws Exception {
    Programs.assume("python3");
    folder = folder.toRealPath();
    source = Files.createDirectories(folder.resolve("source/below/empty")).getParent().getParent();
    inbox = Files.createDirectory(folder.resolve("inbox"));
    for (int i = 0; i < 200; i++) {
      Files.writeString(source.resolve("below/" + i), "file ".repeat(i));
    }
    byte[] large = new byte[5 << 20];
    new Random(large.length).nextBytes(large);
    Files.write(source.resolve("large"), large);
  }

  @Test
  void thePeerDialsAndGives() throws Exception {
    try (BuiltZcp zcp = zcp("receive", "--listen=127.0.0.1:0", inbox.toString())) {
      peer("send", "--dial", "127.0.0.1:" + zcp.port(), source.toString());
      assertWell(zcp);
    }
  }

  @Test
  void thePeerDialsAndTakes() throws Exception {
    try (BuiltZcp zcp = zcp("send", "--listen=127.0.0.1:0", "-r", source.toString())) {
      peer("receive", "--dial", "127.0.0.1:" + zcp.port(), inbox.toString());
      assertWell(zcp);
    }
  }

  @Test
  void thePeerListensAndGives() throws Exception {
    Process peer = start("send", "--listen", "127.0.0.1:0", source.toString());
    try (BuiltZcp zcp = zcp("receive", peer.inputReader().readLine(), inbox.toString())) {
      assertWell(peer);
      assertWell(zcp);
    }
  }

  @Test
  void thePeerListensAndTakes() throws Exception {
    Process peer = start("receive", "--listen", "127.0.0.1:0", inbox.toString());
    try (BuiltZcp zcp = zcp("send", "-r", peer.inputReader().readLine(), source.toString())) {
      assertWell(peer);
      assertWell(zcp);
    }
  }

  /// Its zstd is the program of that name.
  @Test
  void thePeerTakesWhatIsCompressed() throws Exception {
    Programs.assume("zstd");
    growText();
    Process peer = start("receive", "--zstd", "--listen", "127.0.0.1:0", inbox.toString());
    try (BuiltZcp zcp = give(peer)) {
      assertWell(peer);
      assertWell(zcp);
      assertThat(Files.readString(zcp.out())).containsPattern("\"bytesCompressed\":[1-9]");
    }
  }

  @Test
  void thePeerGivesCompressed() throws Exception {
    Programs.assume("zstd");
    growText();
    Process peer = start("send", "--zstd", "--listen", "127.0.0.1:0", source.toString());
    String url = peer.inputReader().readLine();
    try (BuiltZcp zcp = zcp("receive", "--json", url, inbox.toString())) {
      assertWell(peer);
      assertWell(zcp);
      assertThat(Files.readString(zcp.out())).containsPattern("\"bytesCompressed\":[1-9]");
    }
  }

  @Test
  void aPeerThatDoesNotTakeWhatIsCompressedGetsItAsItIs() throws Exception {
    Process peer = start("receive", "--listen", "127.0.0.1:0", inbox.toString());
    try (BuiltZcp zcp = give(peer)) {
      assertWell(peer);
      assertWell(zcp);
      assertThat(Files.readString(zcp.out()))
          .contains("\"notCompressed\":\"the receiver does not take it\"");
    }
  }

  /// Gives all compressed to a peer that listens.
  private BuiltZcp give(Process peer) throws IOException {
    return zcp("send", "-rz", "--json", peer.inputReader().readLine(), source.toString());
  }

  /// A file of several pieces that shrink.
  private void growText() throws IOException {
    Files.writeString(source.resolve("text"), "a line of text\n".repeat(200_000));
  }

  /// Damage of a part ends the connection, so this loses one, too.
  @ParameterizedTest
  @ValueSource(strings = {"--damage", "--lose"})
  void whatThePeerGivesComesAgainIfItIsDamagedOrLost(String fault) throws Exception {
    try (BuiltZcp zcp = zcp("receive", "--listen=127.0.0.1:0", inbox.toString())) {
      peer("send", "--dial", "127.0.0.1:" + zcp.port(), fault, source.toString());
      assertWell(zcp);
      assertThat(peerErr()).contains("another connection");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--damage", "--lose"})
  void whatThePeerTakesComesAgainIfItIsDamagedOrLost(String fault) throws Exception {
    try (BuiltZcp zcp = zcp("send", "--listen=127.0.0.1:0", "-r", source.toString())) {
      peer("receive", "--dial", "127.0.0.1:" + zcp.port(), fault, inbox.toString());
      assertWell(zcp);
      assertThat(peerErr()).contains("another connection");
    }
  }

  @Test
  void aListeningPeerTakesAPartAgainByItsSha256() throws Exception {
    String[] faults = {"--damage", "--lose", "--sha256"};
    Process peer = start("receive", concat(faults, "--listen", "127.0.0.1:0", inbox.toString()));
    try (BuiltZcp zcp = zcp("send", "-r", peer.inputReader().readLine(), source.toString())) {
      assertWell(peer);
      assertWell(zcp);
      assertThat(peerErr().split("another connection", -1)).as(peerErr()).hasSize(3);
    }
  }

  @Test
  void whatThePeerGivesAgainIsTheSameByItsSha256() throws Exception {
    thePeerDialsAndGives();
    try (BuiltZcp zcp = zcp("receive", "--listen=127.0.0.1:0", inbox.toString())) {
      peer("send", "--dial", "127.0.0.1:" + zcp.port(), "--sha256", source.toString());
      assertWell(zcp);
    }
  }

  @Test
  void whatThePeerTakesAgainIsTheSameByItsSha256() throws Exception {
    thePeerDialsAndTakes();
    try (BuiltZcp zcp = zcp("send", "--listen=127.0.0.1:0", "-r", source.toString())) {
      peer("receive", "--dial", "127.0.0.1:" + zcp.port(), "--sha256", inbox.toString());
      assertWell(zcp);
    }
  }

  @Test
  void whatThePeerGivesReplacesOthersOfTheSameSizeAndTime() throws Exception {
    putOthers();
    try (BuiltZcp zcp = zcp("receive", "--listen=127.0.0.1:0", "--overwrite", inbox.toString())) {
      peer("send", "--dial", "127.0.0.1:" + zcp.port(), source.toString());
      assertWell(zcp);
    }
  }

  @Test
  void whatThePeerTakesReplacesOthersOfTheSameSizeAndTime() throws Exception {
    putOthers();
    try (BuiltZcp zcp = zcp("send", "--listen=127.0.0.1:0", "-r", source.toString())) {
      peer("receive", "--dial", "127.0.0.1:" + zcp.port(), "--overwrite", inbox.toString());
      assertWell(zcp);
    }
  }

  @Test
  void thePeerSkipsOthersOfTheSameSizeAndTime() throws Exception {
    putOthers();
    try (BuiltZcp zcp = zcp("receive", "--listen=127.0.0.1:0", "--overwrite", inbox.toString())) {
      peer("send", "--dial", "127.0.0.1:" + zcp.port(), "--skip-same", source.toString());
      assertOthersStay(zcp);
    }
  }

  @Test
  void othersOfTheSameSizeAndTimeAreSkippedAtThePeer() throws Exception {
    putOthers();
    try (BuiltZcp zcp =
        zcp("send", "--listen=127.0.0.1:0", "--skip-same", "-r", source.toString())) {
      peer("receive", "--dial", "127.0.0.1:" + zcp.port(), "--overwrite", inbox.toString());
      assertOthersStay(zcp);
    }
  }

  /// It cuts files by the document alone.
  @Test
  void whatThePeerGivesIsTakenFromAnotherVersionAsFarAsItIsThere() throws Exception {
    byte[] other = Files.readAllBytes(source.resolve("large"));
    other[other.length / 2] ^= 1;
    Files.createDirectories(inbox.resolve("source"));
    Files.write(inbox.resolve("source/large"), other);
    Process peer = start("send", "--listen", "127.0.0.1:0", source.toString());
    String url = peer.inputReader().readLine();
    try (BuiltZcp zcp = zcp("receive", "--json", "--overwrite", url, inbox.toString())) {
      assertWell(peer);
      assertWell(zcp);
      assertThat(Files.readString(zcp.out())).containsPattern("\"bytesReused\":5[0-9]{6}[^0-9]");
    }
  }

  /// Puts files of other contents, but the same size and time, where a small and a large one go.
  private void putOthers() throws IOException {
    Files.createDirectories(inbox.resolve("source/below"));
    for (String name : OTHERS) {
      byte[] bytes = Files.readAllBytes(source.resolve(name));
      bytes[bytes.length - 1] ^= 1;
      Path other = Files.write(inbox.resolve("source").resolve(name), bytes);
      Files.setLastModifiedTime(other, Files.getLastModifiedTime(source.resolve(name)));
    }
  }

  private void assertOthersStay(BuiltZcp zcp) throws Exception {
    assertEndsWell(zcp);
    for (String name : OTHERS) {
      Path file = source.resolve(name);
      assertThat(Files.mismatch(file, inbox.resolve("source").resolve(name)))
          .as(name)
          .isEqualTo(Files.size(file) - 1);
    }
    assertThat(TreeContent.of(inbox.resolve("source")).entries().keySet())
        .isEqualTo(TreeContent.of(source).entries().keySet());
  }

  private static String[] concat(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  private BuiltZcp zcp(String command, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of(command, "-q"));
    boolean isListening = List.of(arguments).contains("--listen=127.0.0.1:0");
    if (isListening) {
      words.add("--once");
    }
    Path keyFile = folder.resolve("key");
    Files.writeString(keyFile, key);
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    words.add("--key-file=" + keyFile);
    words.addAll(List.of(arguments));
    return BuiltZcp.start(folder, words.toArray(String[]::new));
  }

  private Process start(String command, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("python3", PEER.toString(), command));
    // One word, since a key may begin with '-'.
    words.add("--key=" + key);
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words).redirectError(folder.resolve("peer.err").toFile()).start();
  }

  private void peer(String command, String... arguments) throws Exception {
    assertWell(start(command, arguments));
  }

  private void assertWell(Process peer) throws Exception {
    assertThat(peer.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
    assertThat(peer.exitValue()).as(peerErr()).isZero();
  }

  private String peerErr() throws IOException {
    return Files.readString(folder.resolve("peer.err"));
  }

  private static void assertEndsWell(BuiltZcp zcp) throws Exception {
    BuiltZcp.Ended ended = zcp.end();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  private void assertWell(BuiltZcp zcp) throws Exception {
    assertEndsWell(zcp);
    assertThat(TreeContent.of(inbox.resolve("source")).entries())
        .isEqualTo(TreeContent.of(source).entries());
  }
}
