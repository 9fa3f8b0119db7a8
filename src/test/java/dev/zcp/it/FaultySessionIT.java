package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.FaultProxy;
import dev.zcp.testing.FaultProxy.Fault;
import dev.zcp.testing.FaultProxy.Spot;
import dev.zcp.testing.FaultProxy.Way;
import dev.zcp.testing.FrameSpotter;
import dev.zcp.wire.FrameType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One thing happens to one byte of a session, at the edges of frames and anywhere, over one
/// connection and over two. Whatever it is: a final name is absent or complete, 0 means that the
/// tree is complete, and else the same command completes it.
class FaultySessionIT {

  private static final int ROUNDS = 96;
  private static final int STALLS = 4;

  /// Longer than the second after which each end says that it lives, also on a busy machine.
  private static final String PATIENCE = "--stall-timeout=4s";

  /// As far from an edge as most bytes are: a sender says blocks, a receiver short frames.
  private static final int BLOCK_BYTES = 256 << 10;

  private static final int FRAME_BYTES = 40;

  @TempDir Path folder;

  private final long seed = Long.getLong("zcp.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private SessionTree tree;
  private TreeContent whole;
  private BuiltZcp receiver;
  private int port;
  private int senderEdges;
  private int receiverEdges;

  @BeforeEach
  void begin() throws Exception {
    System.out.println("FaultySessionIT: seed " + seed);
    tree = SessionTree.grow(folder.toRealPath(), random);
    whole = TreeContent.of(tree.source());
    receiver =
        BuiltZcp.start(
            folder,
            "receive",
            PATIENCE,
            "--key-file=" + tree.keyFile(),
            "--listen=127.0.0.1:0",
            tree.inbox().toString());
    port = receiver.port();
  }

  @AfterEach
  void end() throws Exception {
    try (BuiltZcp ending = receiver) {
      ending.signal("TERM");
      assertThat(receiver.end().err()).doesNotContain("\tat ").doesNotContain("internal error");
    }
  }

  @Test
  void aFaultAnywhereCostsNoWrongByteAndNothingThatArrived() throws Exception {
    senderEdges = edges(Way.TO_RECEIVER);
    receiverEdges = edges(Way.TO_SENDER);
    Fault[] faults = {Fault.CUT, Fault.RESET, Fault.FLIP};
    int happened = 0;
    int survived = 0;
    for (int round = 0; round < ROUNDS + STALLS; round++) {
      Fault fault = round < ROUNDS ? faults[round % faults.length] : Fault.STALL;
      Way way = random.nextInt(3) == 0 ? Way.TO_SENDER : Way.TO_RECEIVER;
      int edge = random.nextInt(way == Way.TO_RECEIVER ? senderEdges : receiverEdges);
      int distance =
          switch (random.nextInt(4)) {
            case 0 -> -1;
            case 1 -> 0;
            case 2 -> 1;
            default -> random.nextInt(way == Way.TO_RECEIVER ? BLOCK_BYTES : FRAME_BYTES);
          };
      int connections = 1 + round % 2;
      String what =
          "seed %d, round %d: %s %s, edge %d%+d, %d connections"
              .formatted(seed, round, fault, way, edge, distance, connections);
      try (FaultProxy proxy = new FaultProxy(port, way, Spot.atEdge(edge, distance), fault, 1)) {
        Cli.Result result = send(proxy.port(), "--connections=" + connections, "--retries=3");
        happened += proxy.hasHappened() ? 1 : 0;
        survived += result.exitCode() == 0 && proxy.hasHappened() ? 1 : 0;
        check(what, result);
      }
    }
    System.out.printf("FaultySessionIT: %d faults, %d sessions survived%n", happened, survived);
    // Else nothing was tried.
    assertThat(happened).as("seed %d", seed).isGreaterThan(ROUNDS / 4);
    assertThat(survived).as("seed %d", seed).isGreaterThan(happened / 4);
  }

  @ParameterizedTest
  @EnumSource(
      value = FrameType.class,
      names = {"DATA", "PART"})
  void bytesThatArriveDamagedAreSentAgain(FrameType type) throws Exception {
    Spot raw = seen -> seen.firstRaw(type) < 0 ? -1 : seen.firstRaw(type) + 5;
    try (FaultProxy proxy = new FaultProxy(port, Way.TO_RECEIVER, raw, Fault.FLIP, 1)) {
      // A part costs its connection.
      String retries = type == FrameType.PART ? "--retries=1" : "--retries=0";
      assertThat(send(proxy.port(), "-q", retries)).isEqualTo(new Cli.Result(0, "", ""));
      assertThat(proxy.hasHappened()).isTrue();
    }
    tree.arrived().assertSameAs(whole);
  }

  /// Three tries more, and then it is the way that cannot be trusted.
  @Test
  void bytesThatAlwaysArriveDamagedEndInAFailureOfIntegrity() throws Exception {
    try (FaultProxy proxy =
        new FaultProxy(port, Way.TO_RECEIVER, new EveryBlock(), Fault.FLIP, 1_000_000)) {
      Cli.Result result = send(proxy.port(), "-q", "--connections=1");
      assertThat(result.exitCode()).as(result.err()).isIn(1, 7);
      assertThat(result.err()).contains("large");
    }
    tree.arrived().assertEachIsWholeIn(whole);
    assertThat(send(port, "-q")).isEqualTo(new Cli.Result(0, "", ""));
    tree.arrived().assertSameAs(whole);
  }

  /// Always the first byte of the newest block.
  private static final class EveryBlock implements Spot {
    @Override
    public long offset(FrameSpotter seen) {
      return seen.lastRaw(FrameType.DATA);
    }
  }

  private void check(String what, Cli.Result result) throws Exception {
    assertThat(result.err()).as(what).doesNotContain("\tat ");
    tree.arrived().assertEachIsWholeIn(whole);
    if (result.exitCode() != 0) {
      assertThat(result.exitCode()).as("%s: %s", what, result.err()).isIn(5, 6, 7, 8);
      assertThat(result.err()).as(what).startsWith("zcp: ");
      assertThat(send(port, "-q")).as("after " + what).isEqualTo(new Cli.Result(0, "", ""));
    }
    tree.arrived().assertSameAs(whole);
    tree.clear();
  }

  /// How many edges a session has that nothing happens to.
  private int edges(Way way) throws Exception {
    try (FaultProxy proxy = new FaultProxy(port, way, seen -> -1, Fault.FLIP, 1)) {
      Cli.Result result = send(proxy.port(), "-q", "--connections=1");
      assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
      tree.arrived().assertSameAs(whole);
      tree.clear();
      return proxy.seen().getFirst().edges().size();
    }
  }

  private Cli.Result send(int to, String... options) {
    List<String> words = new ArrayList<>(List.of("send", "-r", PATIENCE));
    words.addAll(List.of(options));
    words.add("--key-file=" + tree.keyFile());
    words.add("127.0.0.1:" + to);
    words.add(tree.source() + "/.");
    return Cli.run(words.toArray(String[]::new));
  }
}
