package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.TlsCarrier;
import dev.zcp.core.ExitCode;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.Flow;
import dev.zcp.session.receive.ReceiverOfCarriers;
import dev.zcp.testing.PairedCarrier;
import dev.zcp.wire.FrameType;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole sessions, both ends in this process, over carriers that are no sockets.
@Timeout(120)
class SessionOverPipesTest {

  private static final Key KEY = Key.random();
  private static final long STALL_NS = 20_000_000_000L;
  private static final int LARGE_BYTES = 9 << 20;
  private static final int SMALL_FILES = 1500;

  @TempDir Path folder;

  private final ReceiverOfCarriers receiver = new ReceiverOfCarriers();
  private final List<PairedCarrier> dialled = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private boolean isLocal = true;

  private int retries = 5;

  /// What the keys of a connection may protect; 0 if it has none.
  private long keyBytesMax;

  /// Whether connections after the first come from elsewhere, once the terms are agreed.
  private boolean goesAway;

  /// Null if nobody is on the way.
  private SteeringProxy steering;

  private Path tree;
  private Path inbox;

  @BeforeEach
  void grow() throws IOException {
    Random random = new Random(LARGE_BYTES);
    tree = Files.createDirectories(folder.resolve("tree/below")).getParent();
    inbox = Files.createDirectory(folder.resolve("inbox"));
    for (int i = 0; i < SMALL_FILES; i++) {
      byte[] content = new byte[100 + random.nextInt(1900)];
      random.nextBytes(content);
      Files.write(tree.resolve("below/" + i), content);
    }
    byte[] large = new byte[LARGE_BYTES];
    random.nextBytes(large);
    Files.write(tree.resolve("large"), large);
  }

  @Test
  void aTreeGoesOverTwoConnections() throws Exception {
    assertThat(session(2, 4 << 20)).containsOnly(ExitCode.OK);
    assertThat(dialled).hasSize(2);
    assertArrived();
  }

  @Test
  void oneThatIsCutCostsNotTheSession() throws Exception {
    Thread cutting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  awaitTheLargeFile();
                  dialled.getFirst().cut();
                });
    assertThat(session(1, 4 << 20)).containsOnly(ExitCode.OK);
    cutting.join();
    assertThat(dialled).hasSize(2);
    assertArrived();
  }

  /// Nothing is lost by it, so no attempt to connect anew is used up.
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneWhoseKeysAreSpentIsReplaced(int connections) throws Exception {
    keyBytesMax = 1 << 20;
    retries = 0;
    assertThat(session(connections, 0)).containsOnly(ExitCode.OK);
    assertThat(dialled.size()).isGreaterThan(connections + 1);
    assertThat(events).noneMatch(Event.Noted.class::isInstance);
    assertArrived();
  }

  /// Waits until it is beside its directory, as a partial file: most of it is yet to come.
  private void awaitTheLargeFile() {
    File arriving = inbox.resolve("tree").toFile();
    for (String[] names = null; names == null || names.length < 2; names = arriving.list()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aConnectionFromAnotherMachineIsRefusedWhereBlocksAreComparedByACrc() throws Exception {
    goesAway = true;
    assertThat(session(2, 4 << 20)).containsOnly(ExitCode.OK);
    assertThat(dialled.size()).isGreaterThan(1);
    assertThat(events.toString())
        .contains("refused a connection from another machine")
        .contains("over 1 more");
    assertArrived();
  }

  /// Whoever is on the way can choose other bytes with the same CRC32C.
  @ParameterizedTest
  @EnumSource(
      value = FrameType.class,
      names = {"DATA", "PART"})
  void bytesThatSomebodyOnTheWayHasChosenAreSentAgain(FrameType type) throws Exception {
    isLocal = false;
    steering = new SteeringProxy(type);
    assertThat(session(1, 0)).containsOnly(ExitCode.OK);
    assertThat(steering.hasSteered()).isTrue();
    assertThat(events.toString()).contains("differs from what was sent").contains("SHA-256 of");
    assertArrived();
  }

  /// On this machine nobody else is on the way. Shows that the test above would see it.
  @ParameterizedTest
  @EnumSource(
      value = FrameType.class,
      names = {"DATA", "PART"})
  void aCrcDoesNotShowThem(FrameType type) throws Exception {
    steering = new SteeringProxy(type);
    assertThat(session(1, 0)).containsOnly(ExitCode.OK);
    assertThat(steering.hasSteered()).isTrue();
    assertThat(events.toString()).doesNotContain("differs from what was sent");
    assertThatThrownBy(this::assertArrived).isInstanceOf(AssertionError.class);
  }

  @Test
  void theChangeKeepsTheCrc() {
    byte[] content = new byte[100];
    CRC32C before = new CRC32C();
    before.update(content);
    for (int i = 0; i < SteeringProxy.PATTERN.length; i++) {
      content[10 + i] ^= SteeringProxy.PATTERN[i];
    }
    CRC32C after = new CRC32C();
    after.update(content);
    assertThat(after.getValue()).isEqualTo(before.getValue());
  }

  /// @return of the sender and of the receiver
  private List<ExitCode> session(int connections, long rateBytes) throws Exception {
    Flow flow = new Flow(rateBytes, STALL_NS, STALL_NS, 0, null);
    CompletableFuture<Result> received =
        CompletableFuture.supplyAsync(() -> received(Flow.of(STALL_NS, STALL_NS)));
    SentOver pipes =
        new SentOver() {

          @Override
          public Carrier dial() {
            return SessionOverPipesTest.this.dial();
          }

          @Override
          public boolean isLocal() {
            return isLocal;
          }
        };
    Result sent = pipes.send(tree, KEY, connections, retries, flow, events::add);
    return List.of(sent.exitCode(), received.get(60, TimeUnit.SECONDS).exitCode());
  }

  private Result received(Flow flow) {
    try {
      return receiver.receive(inbox, KEY, flow, events::add);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertArrived() throws IOException {
    assertThat(files(inbox.resolve("tree"))).isEqualTo(files(tree)).hasSize(SMALL_FILES + 1);
    for (String name : files(tree)) {
      assertThat(Files.mismatch(tree.resolve(name), inbox.resolve("tree").resolve(name)))
          .as(name)
          .isEqualTo(-1);
    }
  }

  private static List<String> files(Path root) throws IOException {
    List<String> all = new ArrayList<>();
    try (var walked = Files.walk(root)) {
      walked
          .filter(Files::isRegularFile)
          .forEach(each -> all.add(root.relativize(each).toString()));
    }
    all.sort(null);
    return all;
  }

  private Carrier dial() {
    try {
      boolean isAway = goesAway && !dialled.isEmpty();
      while (isAway && !events.toString().contains("Started[command=receive")) {
        Thread.onSpinWait();
      }
      PairedCarrier[] pair = PairedCarrier.pair(isLocal && !isAway);
      PairedCarrier behind = pair[1];
      if (steering != null) {
        PairedCarrier[] further = PairedCarrier.pair(isLocal);
        steering.join(pair[1], further[0]);
        behind = further[1];
      }
      dialled.add(pair[0]);
      boolean isPlain = keyBytesMax == 0;
      receiver.hand(isPlain ? behind : new TlsCarrier(behind, true, keyBytesMax));
      return isPlain ? pair[0] : new TlsCarrier(pair[0], false, keyBytesMax);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
