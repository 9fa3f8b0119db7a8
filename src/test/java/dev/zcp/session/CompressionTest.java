package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.cli.Arguments;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FaultProxy;
import dev.zcp.testing.FaultProxy.Way;
import dev.zcp.testing.ZcpProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes compressed between two ends, as their users see it.
@Timeout(120)
class CompressionTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());
  private static final int MIB = 1 << 20;
  private static final String LIBRARY = "com.github.luben.zstd";

  @TempDir Path home;

  private final Random random = new Random(7);
  private Path source;
  private Path inbox;

  @BeforeEach
  void makeBothEnds() throws Exception {
    source = Files.createDirectory(home.resolve("source"));
    inbox = Files.createDirectory(home.resolve("inbox"));
  }

  /// So many bytes of words, which shrink to a third or less.
  private byte[] text(int bytes) {
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append("word").append(random.nextInt(1000)).append(random.nextBoolean() ? ' ' : '\n');
    }
    return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), bytes);
  }

  private byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    random.nextBytes(noise);
    return noise;
  }

  @ParameterizedTest
  @ValueSource(strings = {"-z", "--compress", "--compress=always", "--compress=1", "--compress=19"})
  void smallAndLargeTextShrinksOnTheWireAndIsTheSameAfterwards(String option) throws Exception {
    for (int i = 0; i < 50; i++) {
      Files.write(source.resolve("small" + i), text(1 + i * 1000));
    }
    Files.write(source.resolve("empty"), new byte[0]);
    Files.write(source.resolve("large"), text(3 * MIB + 5000));
    String json = send(option);
    long bytes = 3 * MIB + 5000 + 50 + 1000 * 49 * 50 / 2;
    assertThat(number(json, "bytesCompressed")).isEqualTo(bytes);
    assertThat(number(json, "bytesCompressedTo")).isBetween(1L, bytes / 2);
    assertArrived();
  }

  @Test
  void bothEndsSayWhatWentOverTheWire() throws Exception {
    Files.write(source.resolve("large"), text(3 * MIB));
    try (ZcpProcess receiver = receive()) {
      Cli.Result sent = Cli.run(ENVIRONMENT, "send", "-rz", receiver.line(), source.toString());
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.err()).containsPattern("sent 1 file, 3.00 MiB as [0-9.]+ [KM]iB, ");
      assertThat(sent.err()).containsPattern("compressed: 3.00 MiB to [0-9.]+ [KM]iB \\(");
      Cli.Result received = receiver.end();
      assertThat(received.exitCode()).isZero();
      assertThat(received.err()).containsPattern("received 1 file, 3.00 MiB as [0-9.]+ [KM]iB, ");
    }
    assertArrived();
  }

  @Test
  void whatDoesNotShrinkGoesAsItIsEvenIfAllIsToBeCompressed() throws Exception {
    Files.write(source.resolve("small"), noise(1000));
    Files.write(source.resolve("large"), noise(5 * MIB));
    String json = send("--compress");
    assertThat(number(json, "bytesCompressed")).isZero();
    assertThat(json).contains("\"notCompressed\":\"the bytes did not shrink by a tenth\"");
    assertArrived();
  }

  @Test
  void ofOneFileSomePiecesShrinkAndOthersGoAsTheyAre() throws Exception {
    byte[] mixed = noise(24 * MIB);
    System.arraycopy(text(3 * MIB), 0, mixed, 0, 3 * MIB);
    System.arraycopy(text(8 * MIB), 0, mixed, 16 * MIB, 8 * MIB);
    Files.write(source.resolve("mixed"), mixed);
    String json = send("--compress");
    assertThat(number(json, "bytesCompressed")).isBetween(3L * MIB, 11L * MIB);
    assertArrived();
  }

  @Test
  void aFileWithHolesIsTheSameAfterwards() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(source.resolve("holes").toFile(), "rw")) {
      file.write(text(2 * MIB));
      file.seek(40L * MIB);
      file.write(text(MIB));
    }
    assertThat(number(send("--compress"), "bytesCompressed")).isPositive();
    assertArrived();
  }

  @Test
  void onThisMachineNothingIsCompressedUnasked() throws Exception {
    Files.write(source.resolve("large"), text(3 * MIB));
    String json = send("--compress=auto");
    assertThat(number(json, "bytesCompressed")).isZero();
    assertThat(json).contains("\"notCompressed\":\"the receiver is on this machine\"");
    assertArrived();
  }

  @Test
  void whoeverNamesAStrategyGetsItAtEitherEnd() throws Exception {
    Files.write(source.resolve("large"), text(3 * MIB));
    Cli.Result both = Cli.run("send", "--compress", "--strategy=splice", "nas:5230", "file");
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.err()).contains("--compress and --strategy cannot be combined");
    try (ZcpProcess receiver = receive("--strategy=splice")) {
      Cli.Result sent = Cli.run(ENVIRONMENT, "send", "-rz", receiver.line(), source.toString());
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      Cli.Result received = receiver.end();
      assertThat(received.exitCode()).isZero();
      assertThat(received.err()).contains("what comes compressed goes through memory");
    }
    assertArrived();
  }

  @Test
  void aStreamGoesCompressedToStandardOutput() throws Exception {
    byte[] text = text(2 * MIB + 3000);
    Path file = Files.write(home.resolve("text"), text);
    Path got = home.resolve("got");
    try (ZcpProcess sender =
        ZcpProcess.start(
            home, ENVIRONMENT, "send", "-z", "--once", "--listen=127.0.0.1:0", file.toString())) {
      Cli.Result result;
      try (var out = Files.newOutputStream(got)) {
        result =
            Cli.run(
                Arguments.of("receive", "--stdout", sender.line()),
                InputStream.nullInputStream(),
                out,
                ENVIRONMENT);
      }
      assertThat(result.exitCode()).as(result.err()).isZero();
      Cli.Result sent = sender.end();
      assertThat(sent.exitCode()).isZero();
      assertThat(sent.err()).containsPattern("2.00 MiB as [0-9.]+ [KM]iB ");
    }
    assertThat(got).hasBinaryContent(text);
  }

  @Test
  void standardInputGoesCompressed() throws Exception {
    byte[] text = text(2 * MIB + 3000);
    try (ZcpProcess receiver = receive()) {
      String url = receiver.line();
      Cli.Result sent =
          Cli.run(
              Arguments.of("send", "-z", "--json", url, "-"),
              new ByteArrayInputStream(text),
              ENVIRONMENT);
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(number(sent.out(), "bytesCompressed")).isEqualTo(text.length);
      assertThat(receiver.end().exitCode()).isZero();
    }
    assertThat(inbox.resolve("stdin")).hasBinaryContent(text);
  }

  @Test
  void aKilledReceiverIsGoneOnWith() throws Exception {
    byte[] text = text(24 * MIB);
    Files.write(source.resolve("large"), text);
    String port;
    try (ZcpProcess receiver = receive()) {
      port = receiver.address();
      String[] slow = {"send", "-rz", "--limit-rate=2M", "--retries=0", port, source.toString()};
      try (ZcpProcess sender = ZcpProcess.start(home, ENVIRONMENT, slow)) {
        awaitJournal();
        receiver.signal("KILL");
        assertThat(sender.end().exitCode()).isEqualTo(5);
      }
    }
    String json = send("--compress");
    assertThat(number(json, "bytesResumed")).isPositive();
    assertThat(number(json, "bytesCompressed")).isPositive();
    assertArrived();
  }

  @Test
  void severalConnectionsEachCompressWhatTheyCarry() throws Exception {
    Files.write(source.resolve("large"), text(24 * MIB));
    String json = send("--compress", "--connections=3");
    assertThat(number(json, "bytesCompressed")).isEqualTo(24L * MIB);
    assertArrived();
  }

  /// What is announced is sent, as zeros, and what it would come to is not published.
  @Test
  void aFileThatIsCutWhileItIsSentFails() throws Exception {
    Path large = Files.write(source.resolve("large"), text(24 * MIB));
    try (ZcpProcess receiver = receive()) {
      String[] slow = {
        "send", "-rz", "--limit-rate=2M", "--on-change=fail", receiver.line(), source.toString()
      };
      try (ZcpProcess sender = ZcpProcess.start(home, ENVIRONMENT, slow)) {
        awaitJournal();
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
          file.setLength(MIB);
        }
        Cli.Result sent = sender.end();
        assertThat(sent.exitCode()).as(sent.err()).isEqualTo(3);
      }
      assertThat(receiver.end().exitCode()).isEqualTo(3);
    }
    assertThat(inbox.resolve("source/large")).doesNotExist();
  }

  /// In a head, a piece, or what is around them.
  @Test
  void aBitThatFlipsOnTheWireCostsNoMoreThanAConnection() throws Exception {
    Files.write(source.resolve("large"), text(3 * MIB));
    for (int i = 0; i < 8; i++) {
      int offset = 400 + random.nextInt(750_000);
      try (ZcpProcess receiver = receive("--stall-timeout=3s");
          FaultProxy proxy =
              new FaultProxy(
                  receiver.port(), Way.TO_RECEIVER, _ -> offset, FaultProxy.Fault.FLIP, 1)) {
        String address = "127.0.0.1:" + proxy.port();
        Cli.Result sent =
            Cli.run(ENVIRONMENT, "send", "-rqz", "--stall-timeout=3s", address, source.toString());
        assertThat(sent.exitCode()).as("at " + offset + ": " + sent.err()).isZero();
        assertThat(receiver.end().exitCode()).isZero();
      }
      assertArrived();
      Files.delete(inbox.resolve("source/large"));
    }
  }

  @Test
  void aSessionThatCompressesNothingLoadsNoClassOfTheLibrary() throws Exception {
    Files.write(source.resolve("small"), text(1000));
    Files.write(source.resolve("large"), text(2 * MIB));
    assertThat(classesLoaded("--compress=auto")).noneMatch(line -> line.contains(LIBRARY));
    assertThat(classesLoaded("--compress=never")).noneMatch(line -> line.contains(LIBRARY));
    assertThat(classesLoaded("--compress=always")).anyMatch(line -> line.contains(LIBRARY));
  }

  /// Those of both ends.
  private List<String> classesLoaded(String option) throws Exception {
    Path there = home.resolve("there");
    Path here = home.resolve("here");
    try (ZcpProcess receiver =
        ZcpProcess.start(
            home,
            ENVIRONMENT,
            List.of("-Xlog:class+load:file=" + there),
            "receive",
            "--once",
            "--listen=127.0.0.1:0",
            Files.createDirectories(inbox.resolve(option)).toString())) {
      try (ZcpProcess sender =
          ZcpProcess.start(
              home,
              ENVIRONMENT,
              List.of("-Xlog:class+load:file=" + here),
              "send",
              "-r",
              option,
              receiver.line(),
              source.toString())) {
        assertThat(sender.end().exitCode()).isZero();
      }
      assertThat(receiver.end().exitCode()).isZero();
    }
    List<String> all = new ArrayList<>(Files.readAllLines(there));
    all.addAll(Files.readAllLines(here));
    return all;
  }

  private void awaitJournal() throws Exception {
    boolean isThere = false;
    while (!isThere) {
      Thread.sleep(20);
      try (var files = Files.walk(inbox)) {
        isThere =
            files.anyMatch(
                file -> file.toString().endsWith(".journal") && file.toFile().length() > 100);
      }
    }
  }

  private ZcpProcess receive(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("receive", "--once", "--listen=127.0.0.1:0"));
    all.addAll(List.of(options));
    all.add(inbox.toString());
    return ZcpProcess.start(home, ENVIRONMENT, all.toArray(String[]::new));
  }

  /// Sends the source to a receiver.
  ///
  /// @return the sender's events
  private String send(String... options) throws Exception {
    try (ZcpProcess receiver = receive()) {
      List<String> words = new ArrayList<>(List.of("send", "-r", "--json"));
      words.addAll(List.of(options));
      words.addAll(List.of(receiver.line(), source.toString()));
      Cli.Result sent = Cli.run(ENVIRONMENT, words.toArray(String[]::new));
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(receiver.end().exitCode()).isZero();
      return sent.out();
    }
  }

  private static long number(String json, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\":([0-9]+)").matcher(json);
    long last = -1;
    while (matcher.find()) {
      last = Long.parseLong(matcher.group(1));
    }
    return last;
  }

  private void assertArrived() throws IOException {
    try (var files = Files.list(source)) {
      for (Path file : files.toList()) {
        assertThat(inbox.resolve("source").resolve(file.getFileName()))
            .hasSameBinaryContentAs(file);
      }
    }
  }
}
