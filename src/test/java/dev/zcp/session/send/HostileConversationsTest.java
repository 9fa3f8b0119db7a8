package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.Flow;
import dev.zcp.session.receive.ReceiverOfCarriers;
import dev.zcp.testing.PairedCarrier;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whole sessions with a [Meddler] between their ends. Whatever it does: both ends end, neither by
/// a defect; nothing is written outside of the receiver's directory; a file that has its name has
/// the bytes of a file of the source; and an end that says that all is well has it all.
///
/// `-Dzcp.seed=N -Dzcp.mutations=1` repeats the conversation of that seed.
@Timeout(600)
class HostileConversationsTest {

  private static final int MUTATIONS = Integer.getInteger("zcp.mutations", 2000);

  /// Most of the time they wait for what a meddler kept back.
  private static final int AT_A_TIME = Math.min(16, MUTATIONS);

  private static final long STALL_NS = 300_000_000;
  private static final long DEADLINE_S = 60;

  private static final int LARGE_BYTES = 270_000;

  /// As large as a file must be of which only what differs is sent.
  private static final int CHANGED_BYTES = 1_100_000;

  private static final int SPARSE_BYTES = 280_000;

  @TempDir Path folder;

  private final long firstSeed = Long.getLong("zcp.seed", System.nanoTime());
  private final Map<String, byte[]> content = new TreeMap<>();
  private final ConcurrentLinkedQueue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final AtomicInteger conversations = new AtomicInteger();
  private final AtomicInteger mutations = new AtomicInteger();
  private final AtomicInteger withDifferences = new AtomicInteger();
  private final Map<ExitCode, Integer> senders = new EnumMap<>(ExitCode.class);
  private final Map<ExitCode, Integer> receivers = new EnumMap<>(ExitCode.class);
  private Thread.UncaughtExceptionHandler handlerBefore;
  private Path tree;

  /// Of the file `changed`, another version.
  private byte[] former;

  @BeforeEach
  void grow() throws IOException {
    System.out.println("HostileConversationsTest: seed " + firstSeed);
    handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> uncaught.add(e));
    tree = Files.createDirectories(folder.resolve("source/tree/below")).getParent();
    Random random = new Random(1);
    for (String name : new String[] {"below/a", "below/b", "changed", "empty", "large"}) {
      int count =
          switch (name) {
            case "large" -> LARGE_BYTES;
            case "changed" -> CHANGED_BYTES;
            default -> name.length() * 100 - 500;
          };
      byte[] bytes = new byte[count];
      random.nextBytes(bytes);
      Files.write(tree.resolve(name), bytes);
    }
    former = Files.readAllBytes(tree.resolve("changed"));
    former[CHANGED_BYTES / 2]++;
    try (RandomAccessFile sparse = new RandomAccessFile(tree.resolve("sparse").toFile(), "rw")) {
      sparse.write(7);
      sparse.setLength(SPARSE_BYTES);
    }
    content.putAll(files(tree));
  }

  @AfterEach
  void restore() {
    Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
  }

  @Test
  void whateverComesBetweenThemBothEndsEndAndNothingIsWrong() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < AT_A_TIME; i++) {
        all.add(threads.submit(this::converse));
      }
      try {
        for (Future<?> each : all) {
          each.get();
        }
      } finally {
        threads.shutdownNow();
      }
    }
    assertThat(uncaught).as("seeds from %d", firstSeed).isEmpty();
    assertThat(files(tree)).as("the source").usingRecursiveComparison().isEqualTo(content);
    System.out.printf(
        "HostileConversationsTest: %d mutations in %d conversations; senders %s, receivers %s%n",
        mutations.get(), conversations.get(), senders, receivers);
    if (MUTATIONS > 100) {
      // Else nothing was tried, or the conversations did not get far.
      assertThat(withDifferences).hasPositiveValue();
      assertThat(senders).containsKeys(ExitCode.OK, ExitCode.PROTOCOL, ExitCode.INTEGRITY);
      assertThat(receivers).containsKeys(ExitCode.OK, ExitCode.PROTOCOL, ExitCode.INTEGRITY);
    }
  }

  private Void converse() throws Exception {
    while (mutations.get() < MUTATIONS) {
      new Conversation(firstSeed + conversations.getAndIncrement()).run();
    }
    return null;
  }

  /// One session.
  private final class Conversation {

    private final long seed;
    private final Random random;
    private final Key key = Key.random();
    private final Path home;
    private final Path inbox;
    private final ReceiverOfCarriers receiver = new ReceiverOfCarriers();
    private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();
    private volatile Meddler meddler;

    Conversation(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.home = folder.resolve("home" + seed);
      this.inbox = home.resolve("inbox");
    }

    void run() throws Exception {
      Files.createDirectories(inbox);
      // Of seeds that follow each other, the first random numbers are alike.
      boolean isThere = seed % 4 == 0;
      if (isThere) {
        Files.createDirectories(inbox.resolve("tree"));
        Files.copy(
            tree.resolve("large"), inbox.resolve("tree/large"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.write(inbox.resolve("tree/changed"), former);
      }
      Flow flow = Flow.of(STALL_NS, STALL_NS);
      CompletableFuture<Result> received = new CompletableFuture<>();
      CompletableFuture<Result> sent = new CompletableFuture<>();
      start(received, () -> receiver.receive(inbox, key, flow, events::add));
      SentOver pipes = this::dial;
      start(sent, () -> pipes.send(tree, key, 1, 0, flow, events::add));
      Result ofSender = sent.get(DEADLINE_S, TimeUnit.SECONDS);
      Result ofReceiver = received.get(DEADLINE_S, TimeUnit.SECONDS);
      check(ofSender.exitCode(), ofReceiver.exitCode());
      if (ofReceiver.session() != null && ofReceiver.session().bytesReused() > 0) {
        withDifferences.incrementAndGet();
      }
      delete(home);
    }

    private void check(ExitCode ofSender, ExitCode ofReceiver) throws IOException {
      String what =
          "seed %d: %s; sender %s, receiver %s"
              .formatted(seed, meddler.deeds(), ofSender, ofReceiver);
      if (!meddler.hasKey()) {
        // With the key it may be what the other end is made to say.
        assertThat(List.of(ofSender, ofReceiver)).as(what).doesNotContain(ExitCode.INTERNAL);
      }
      assertThat(events.toString()).as(what).doesNotContain("internal error");
      assertThat(home.toFile().list()).as(what).containsExactly("inbox");
      Map<String, byte[]> arrived = published(what);
      if (ofSender == ExitCode.OK || ofReceiver == ExitCode.OK) {
        assertThat(arrived.keySet()).as(what).isEqualTo(content.keySet());
        assertThat(arrived.get("changed")).as(what).isEqualTo(content.get("changed"));
      }
      mutations.addAndGet(meddler.count());
      synchronized (senders) {
        senders.merge(ofSender, 1, Integer::sum);
        receivers.merge(ofReceiver, 1, Integer::sum);
      }
    }

    /// What has its name, each of which must be a file of the source. Who has the key may say that
    /// a file has another one's name, but not what is in it.
    private Map<String, byte[]> published(String what) throws IOException {
      Map<String, byte[]> arrived = new TreeMap<>();
      for (Map.Entry<String, byte[]> each : files(inbox).entrySet()) {
        Path name = Path.of(each.getKey());
        if (!name.getFileName().toString().startsWith(".zcp-")) {
          boolean isOfTheTree = name.getNameCount() > 1 && name.startsWith("tree");
          String below = isOfTheTree ? name.subpath(1, name.getNameCount()).toString() : "";
          arrived.put(below, each.getValue());
          boolean isKnown = !meddler.hasKey() || content.containsKey(below);
          assertThat(isKnown ? isContentOf(below, each.getValue()) : isAnyContent(each.getValue()))
              .as("%s, %s", name, what)
              .isTrue();
        }
      }
      return arrived;
    }

    private boolean isContentOf(String name, byte[] bytes) {
      return Arrays.equals(content.get(name), bytes)
          || name.equals("changed") && Arrays.equals(former, bytes);
    }

    private boolean isAnyContent(byte[] bytes) {
      return content.keySet().stream().anyMatch(name -> isContentOf(name, bytes));
    }

    /// Nobody listens any more after the first connection, as behind a session over a socket.
    private PairedCarrier dial() throws Failure {
      if (meddler != null) {
        throw Failure.of(ExitCode.NETWORK, "the receiver", "connection refused");
      }
      try {
        PairedCarrier[] near = PairedCarrier.pair();
        PairedCarrier[] far = PairedCarrier.pair();
        meddler = new Meddler(random, key, near[1], far[0]);
        meddler.start();
        receiver.hand(far[1]);
        return near[0];
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void start(CompletableFuture<Result> result, Ending ending) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  result.complete(ending.run());
                } catch (Throwable e) {
                  result.completeExceptionally(new AssertionError("seed " + seed, e));
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
  }

  @FunctionalInterface
  private interface Ending {
    Result run() throws Exception;
  }

  private static Map<String, byte[]> files(Path root) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (var all = Files.walk(root)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(each).toString(), Files.readAllBytes(each));
      }
    }
    return files;
  }

  private static void delete(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
