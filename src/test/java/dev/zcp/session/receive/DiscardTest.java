package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.SendRequest;
import dev.zcp.session.send.Sender;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FaultProxy;
import dev.zcp.testing.FaultProxy.Fault;
import dev.zcp.testing.FaultProxy.Way;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A receiver that throws away what it takes: it does everything but keep it, and neither end says
/// that it did.
@Timeout(120)
class DiscardTest {

  private static final Key KEY = Key.random();
  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", KEY.text());

  /// Of the capabilities in a HELLO.
  private static final long CAPABILITIES_OFFSET = 12;

  private static final int LARGE_BYTES = 3 << 20;

  @TempDir Path home;

  private Path inbox;
  private Path large;
  private Path small;
  private Path empty;

  @BeforeEach
  void writeFiles() throws IOException {
    byte[] content = new byte[LARGE_BYTES];
    new Random(3).nextBytes(content);
    inbox = Files.createDirectory(home.resolve("inbox"));
    large = Files.write(home.resolve("large"), content);
    small = Files.writeString(home.resolve("small"), "small");
    empty = Files.createFile(home.resolve("empty"));
  }

  @Test
  void itsDirectoryStaysAsItWasAndBothEndsSaySo() throws Exception {
    try (ZcpProcess receiver = receive("--once", "--discard")) {
      Cli.Result sent = send(receiver.port(), large, small, empty);
      Cli.Result taken = receiver.end();

      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.err())
          .startsWith("sent 3 files")
          .containsPattern(";\\s+discarded by the receiver\n");
      assertThat(taken.exitCode()).as(taken.err()).isZero();
      assertThat(taken.err())
          .contains(" discarded 3 files")
          .contains("verified: wire")
          .doesNotContain("received");
    }
    assertThat(held()).isEmpty();
  }

  @Test
  void scriptsAreToldAtBothEnds() throws Exception {
    try (ZcpProcess receiver = receive("--once", "--discard", "--json", "-q")) {
      Cli.Result sent = send(receiver.port(), "--json", large);
      assertThat(sent.out())
          .contains("\"event\":\"connected\"")
          .contains("\"discards\":true")
          .contains("\"files\":1,")
          .contains("\"discarded\":true");
      assertThat(receiver.end().out()).contains("\"discards\":true").contains("\"discarded\":true");
    }
    try (ZcpProcess receiver = receive("--once", "-q")) {
      assertThat(send(receiver.port(), "--json", small).out())
          .contains("\"discards\":false")
          .contains("\"discarded\":false");
      receiver.end();
    }
    assertThat(held()).containsExactly("small");
  }

  /// The kernel frees a file that has no name when it is closed.
  @Test
  void aReceiverThatGoesOnKeepsNothingOpen() throws Exception {
    try (ZcpProcess receiver = receive("--discard", "-q")) {
      assertThat(send(receiver.port(), "-q", large, small)).isEqualTo(new Cli.Result(0, "", ""));
      assertThat(held()).isEmpty();
      try (Stream<Path> open = Files.list(Path.of("/proc/" + receiver.pid() + "/fd"))) {
        assertThat(open.map(DiscardTest::target)).noneMatch(path -> path.contains("inbox/"));
      }
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "closed meanwhile";
    }
  }

  @Test
  void namesThatAreTakenAreNoObstacleAndStayWhatTheyAre() throws Exception {
    Files.createDirectory(inbox.resolve("large"));
    Files.writeString(inbox.resolve("small"), "kept");
    try (ZcpProcess receiver = receive("--once", "--discard", "-q")) {
      assertThat(send(receiver.port(), "-q", large, small)).isEqualTo(new Cli.Result(0, "", ""));
      assertThat(receiver.end()).isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(held()).containsExactly("large", "small");
    assertThat(inbox.resolve("small")).hasContent("kept");
  }

  /// It was told that what had arrived was kept.
  @Test
  void aSenderThatLosesItIsToldThatNothingIsKept() throws Exception {
    // More than one block: the first is confirmed before the connection is cut.
    byte[] content = new byte[8 << 20];
    new Random(3).nextBytes(content);
    Path blocks = Files.write(home.resolve("blocks"), content);
    try (ZcpProcess receiver = receive("--once", "--discard", "--stall-timeout=2s")) {
      int port = receiver.port();
      Cli.Result sent;
      try (FaultProxy proxy =
          new FaultProxy(port, Way.TO_RECEIVER, content.length - (64 << 10), Fault.CUT)) {
        sent =
            Cli.run(
                ENVIRONMENT,
                "send",
                "--retries=0",
                "--limit-rate=4M",
                "127.0.0.1:" + proxy.port(),
                blocks.toString());
      }
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(5);
      assertThat(sent.err())
          .contains(" had arrived and are not kept; all is to be sent again)")
          .doesNotContain("are kept");
      assertThat(receiver.end().exitCode()).isEqualTo(5);
    }
    assertThat(held()).isEmpty();
  }

  @Test
  void whatArrivesDamagedIsSentAgainAsAlways() throws Exception {
    try (ZcpProcess receiver = receive("--once", "--discard")) {
      int port = receiver.port();
      try (FaultProxy proxy = new FaultProxy(port, Way.TO_RECEIVER, LARGE_BYTES / 2, Fault.FLIP)) {
        assertThat(send(proxy.port(), "-q", large).exitCode()).isZero();
      }
      Cli.Result taken = receiver.end();
      assertThat(taken.exitCode()).as(taken.err()).isZero();
      assertThat(taken.err()).contains("differs from what was sent (it is asked for again)");
    }
    assertThat(held()).isEmpty();
  }

  /// The bytes come down in the directory, complete, before they are thrown away.
  @Test
  void aFileIsWrittenLikeAnyOtherAndAcknowledgedAsOneWithoutAName() throws Exception {
    try (Reception reception = Reception.open(inbox, "--discard", "-q");
        StrangeSender sender = StrangeSender.begin(reception)) {
      sender.offerFile(0, "file", LARGE_BYTES);
      sender.block(0, new Span(0, LARGE_BYTES), 0);
      sender.hearUnits(1);
      reception.awaitPartial();
      FileContent.assertHolds(inbox.resolve(held().getFirst()), StrangeSender.ones(LARGE_BYTES));
      sender.end(0, LARGE_BYTES);
      sender.hearUnits(2);
      reception.awaitHeld();
    }
  }

  @Test
  void aTrialRefusesAReceiverThatKeepsFilesBeforeAnyGoes() throws Exception {
    try (ZcpProcess receiver = receive("--once")) {
      int port = receiver.port();
      List<Event> events = new ArrayList<>();
      Result result = trial(port, events);

      assertThat(result.exitCode()).isEqualTo(ExitCode.PROTOCOL);
      assertThat(result.message())
          .isEqualTo(
              "127.0.0.1:"
                  + port
                  + ": the receiver would keep what it gets"
                  + " (nothing was sent; start it with --discard)");
      assertThat(result.bytes()).isZero();
      assertThat(events)
          .hasExactlyElementsOfTypes(Event.Started.class, Event.Failed.class, Event.Finished.class);
      assertThat(held()).isEmpty();
      awaitSaid(receiver, ": the sender wants a receiver that discards what it gets\n");
      // It goes on: whoever is turned away ends no receiver.
      assertThat(send(port, "-q", small)).isEqualTo(new Cli.Result(0, "", ""));
      Cli.Result taken = receiver.end();
      assertThat(taken.exitCode()).isZero();
      assertThat(taken.err()).contains("received 1 file");
    }
    assertThat(held()).containsExactly("small");
  }

  @Test
  void aTrialGoesToAReceiverThatDiscards() throws Exception {
    try (ZcpProcess receiver = receive("--once", "--discard", "-q")) {
      Result result = trial(receiver.port(), new ArrayList<>());
      assertThat(result.exitCode()).as(result.message()).isEqualTo(ExitCode.OK);
      assertThat(result.isDiscarded()).isTrue();
      assertThat(result.bytes()).isEqualTo(LARGE_BYTES);
      assertThat(receiver.end().exitCode()).isZero();
    }
    assertThat(held()).isEmpty();
  }

  /// Whoever is on the path can neither make a sender believe that its files are kept nor that they
  /// are not.
  @Test
  void aCapabilityThatIsAlteredOnTheWayEndsTheHandshake() throws Exception {
    for (String option : List.of("--discard", "--plain")) {
      try (ZcpProcess receiver = receive(option, "-q")) {
        int port = receiver.port();
        for (Way way : Way.values()) {
          try (FaultProxy proxy = new FaultProxy(port, way, CAPABILITIES_OFFSET, Fault.FLIP)) {
            Cli.Result sent = send(proxy.port(), "-q", small);
            assertThat(sent.exitCode()).as(option + way + sent.err()).isIn(6, 8);
          }
        }
      }
    }
    assertThat(held()).isEmpty();
  }

  private Result trial(int port, List<Event> events) throws Exception {
    Address address = new Address(Address.Scheme.UNSAID, null, "127.0.0.1", port);
    SendRequest request =
        SendRequest.trial(
            address,
            RawPath.of(large),
            Choice.DEFAULT,
            new KeySource(null, KEY.text(), null),
            Flow.of(3_000_000_000L, 30_000_000_000L));
    Strategies strategies = Strategies.load(List.of());
    return Sender.send(
        request,
        new CommandEnvironment(
            strategies,
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            events::add));
  }

  private ZcpProcess receive(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("receive", "--listen=127.0.0.1:0"));
    arguments.addAll(List.of(options));
    arguments.add(inbox.toString());
    return ZcpProcess.start(home, ENVIRONMENT, arguments.toArray(String[]::new));
  }

  private static Cli.Result send(int port, Path... files) {
    return send(port, "--progress=never", files);
  }

  private static Cli.Result send(int port, String option, Path... files) {
    List<String> arguments = new ArrayList<>(List.of("send", option, "127.0.0.1:" + port));
    for (Path file : files) {
      arguments.add(file.toString());
    }
    return Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
  }

  private List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(inbox)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void awaitSaid(ZcpProcess receiver, String text) throws Exception {
    for (int tries = 0; tries < 1_500 && !receiver.errors().contains(text); tries++) {
      Thread.sleep(20);
    }
    assertThat(receiver.errors()).contains(text);
  }
}
