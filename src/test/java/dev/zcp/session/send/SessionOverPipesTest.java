package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Dialler;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.insight.Verified;
import dev.zcp.secure.Key;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.receive.ReceiverOfCarriers;
import dev.zcp.testing.Archive;
import dev.zcp.testing.PipeCarrier;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whole sessions, both ends in this process, over carriers that are no sockets.
@Timeout(120)
class SessionOverPipesTest {

  private static final Key KEY = Key.random();
  private static final long STALL_NS = 20_000_000_000L;
  private static final int LARGE_BYTES = 9 << 20;
  private static final int SMALL_FILES = 1500;

  @TempDir Path folder;

  private final ReceiverOfCarriers receiver = new ReceiverOfCarriers();
  private final List<PipeCarrier> dialled = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private Path tree;
  private Path inbox;

  @BeforeEach
  void grow() throws IOException {
    Random random = new Random(LARGE_BYTES);
    tree = Files.createDirectories(folder.resolve("tree/below")).getParent();
    inbox = Files.createDirectory(folder.resolve("inbox"));
    for (int i = 0; i < SMALL_FILES; i++) {
      byte[] content = new byte[random.nextInt(2000)];
      random.nextBytes(content);
      Files.write(tree.resolve("below/" + i), content);
    }
    byte[] large = new byte[LARGE_BYTES];
    random.nextBytes(large);
    Files.write(tree.resolve("large"), large);
  }

  @Test
  void aTreeGoesOverTwoConnections() throws Exception {
    assertThat(session(2, 0)).containsOnly(ExitCode.OK);
    assertThat(dialled).hasSize(2);
    assertArrived();
  }

  @Test
  void oneThatIsCutCostsNotTheSession() throws Exception {
    CompletableFuture<Void> cut =
        CompletableFuture.runAsync(
            () -> dialled.getFirst().cut(), CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
    assertThat(session(1, 4 << 20)).containsOnly(ExitCode.OK);
    cut.get();
    assertThat(dialled).hasSize(2);
    assertArrived();
  }

  /// @return of the sender and of the receiver
  private List<ExitCode> session(int connections, long rateBytes) throws Exception {
    Flow flow = new Flow(rateBytes, STALL_NS, STALL_NS, 0, null);
    CompletableFuture<Result> received =
        CompletableFuture.supplyAsync(() -> received(Flow.of(STALL_NS, STALL_NS)));
    SendRequest request =
        new SendRequest(
            Address.parse("127.0.0.1:1"),
            List.of(RawPath.of(tree)),
            Choice.DEFAULT,
            new KeySource(null, KEY.text(), null),
            false,
            Archive.TREE,
            Preserve.USUAL,
            Policy.USUAL,
            new Sending(connections, 5, Verified.WIRE, ResumeVerify.ALL, false),
            flow);
    CommandEnvironment environment =
        new CommandEnvironment(
            Strategies.load(List.of()),
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            events::add);
    Result sent = Sender.send(request, environment, new PipeDialler());
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

  private final class PipeDialler implements Dialler {

    @Override
    public Carrier dial() {
      try {
        PipeCarrier[] pair = PipeCarrier.pair();
        receiver.hand(pair[1]);
        dialled.add(pair[0]);
        return pair[0];
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public InetAddress host() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public boolean isLocal() {
      return true;
    }
  }
}
