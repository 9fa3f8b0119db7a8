package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.testing.Archive;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Policy;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Walks random trees while other threads say, in random order, what became of the entries.
@Timeout(120)
class OutgoingOrderTest {

  private static final int ROUNDS = 40;
  private static final int NAMES_MAX = 200;
  private static final int THREADS = 3;
  private static final long STUCK_MS = 30_000;

  @TempDir Path folder;

  @Test
  void whateverFailsEachEntryComesInItsOrderAndEachDirectoryEndsOnce() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random seeds = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(seeds.nextLong());
      Path tree = grow(folder.resolve("tree" + round), random);
      Session session = new Session(random.nextInt(3) * 10, random.nextLong());
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(Thread.ofPlatform().daemon().start(session::settle));
      }
      try (OutgoingTree outgoing = tree(tree)) {
        outgoing.walk(session);
        session.finish();
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertThat(session.faults).as("seed %d, round %d", seed, round).isEmpty();
      assertThat(session.named())
          .as("seed %d, round %d", seed, round)
          .isEqualTo(names(tree, session));
    }
  }

  /// A tree of directories, files and further names of files.
  private static Path grow(Path tree, Random random) throws IOException {
    List<Path> directories = new ArrayList<>(List.of(Files.createDirectory(tree)));
    List<Path> files = new ArrayList<>();
    for (int i = random.nextInt(NAMES_MAX); i > 0; i--) {
      Path in = directories.get(random.nextInt(directories.size()));
      Path path = in.resolve("n" + i);
      switch (random.nextInt(4)) {
        case 0 -> directories.add(Files.createDirectory(path));
        case 1 -> files.add(Files.write(path, new byte[random.nextInt(10)]));
        default -> {
          if (files.isEmpty()) {
            files.add(Files.createFile(path));
          } else {
            Files.createLink(path, files.get(random.nextInt(files.size())));
          }
        }
      }
    }
    return tree;
  }

  /// Every name in the tree, but for what is in directories that were refused.
  private static Set<String> names(Path tree, Session session) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path each : all.toList()) {
        String path = tree.getParent().relativize(each).toString();
        if (!session.isBelowRefused(path)) {
          names.add(path);
        }
      }
    }
    return names;
  }

  private static OutgoingTree tree(Path operand) throws Exception {
    SendRequest request =
        new SendRequest(
            new Peering(
                PeerEndpoint.Dial.usual(Address.parse("127.0.0.1:1")),
                new KeySource(null, null, null),
                Address.Scheme.UNSAID,
                Flow.of(1, 1)),
            List.of(RawPath.of(operand)),
            Choice.DEFAULT,
            Archive.TREE,
            Archive.ALL,
            Policy.USUAL,
            Sending.USUAL);
    CommandEnvironment environment =
        new CommandEnvironment(
            Strategies.load(List.of()),
            new ByteArrayInputStream(new byte[0]),
            new ByteArrayOutputStream(),
            _ -> {});
    Insight insight = new Insight("send", "auto", _ -> {});
    return OutgoingTree.of(request, environment, insight, new Losses());
  }

  /// Checks the order of all that it hears.
  private static final class Session implements PartlessOutlet {

    final List<String> faults = new ArrayList<>();

    private final int failingPercent;
    private final Random random;
    private final Map<String, Offered> offered = new HashMap<>();
    private final Set<String> over = new HashSet<>();
    private final Set<Long> well = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Set<String> sent = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final List<Outgoing> underWay = new ArrayList<>();
    private final List<String> paths = new ArrayList<>();
    private boolean isWalked;

    Session(int failingPercent, long seed) {
      this.failingPercent = failingPercent;
      this.random = new Random(seed);
    }

    @Override
    public boolean isAgreed() {
      return true;
    }

    @Override
    public int keeps() {
      return Keep.ALL;
    }

    @Override
    public int underWay() {
      return Integer.MAX_VALUE;
    }

    @Override
    public boolean hasRoom(EntryKind kind) {
      return true;
    }

    @Override
    public void note(Failure failure) {
      faults.add(failure.getMessage());
    }

    @Override
    public synchronized boolean offer(Outgoing entry) {
      Offered each = entry.offered(paths.size());
      String path = each.path().toString();
      paths.add(path);
      require(offered.put(path, each) == null, path + " was offered twice");
      EntryPath parent = each.path().parent();
      if (parent != null) {
        require(offered.containsKey(parent.toString()), path + " came before its directory");
        require(!ended.contains(parent.toString()), path + " came after its directory's end");
      }
      boolean linked = each.kind() != EntryKind.HARD_LINK || well.contains(each.firstId());
      require(linked, path + " came before its first name was over");
      underWay.add(entry);
      notifyAll();
      return true;
    }

    @Override
    public synchronized void ended(Outgoing directory) {
      String path = pathOf(directory);
      if (refused.contains(path)) {
        // The walk has not been told yet.
        return;
      }
      require(ended.add(path), path + " was ended twice");
      for (String each : offered.keySet()) {
        boolean isIn = each.startsWith(path + "/");
        boolean isDone = over.contains(each) || sent.contains(each) || ended.contains(each);
        require(!isIn || isDone, path + " was ended before " + each + " was sent");
      }
      if (!underWay.contains(directory)) {
        underWay.add(directory);
      }
      notifyAll();
    }

    @Override
    public synchronized void await(BooleanSupplier goOn) {
      while (!goOn.getAsBoolean()) {
        pause();
      }
    }

    @Override
    public synchronized void wake() {
      notifyAll();
    }

    /// What each of the other threads does.
    void settle() {
      for (Settled next = next(); next != null; next = next()) {
        if (next.isOver()) {
          next.entry().over(next.well());
        } else {
          next.entry().sent();
        }
        wake();
      }
    }

    /// What is to be said of an entry.
    private record Settled(Outgoing entry, boolean isOver, boolean well) {}

    synchronized void finish() {
      isWalked = true;
      notifyAll();
    }

    synchronized boolean isBelowRefused(String path) {
      return refused.stream().anyMatch(each -> path.startsWith(each + "/"));
    }

    /// But for what was in a directory that was refused later.
    synchronized Set<String> named() {
      Set<String> named = new TreeSet<>(offered.keySet());
      named.removeIf(this::isBelowRefused);
      return named;
    }

    private synchronized Settled next() {
      while (!isWalked || over.size() < offered.size()) {
        if (underWay.isEmpty()) {
          pause();
          continue;
        }
        Outgoing entry = underWay.remove(random.nextInt(underWay.size()));
        String path = pathOf(entry);
        boolean isDirectory = entry.kind() == EntryKind.DIRECTORY;
        if (!isDirectory && random.nextBoolean() && sent.add(path)) {
          underWay.add(entry);
          return new Settled(entry, false, true);
        }
        boolean fails = !ended.contains(path) && fails(entry);
        if (isDirectory && !fails && !ended.contains(path)) {
          // Taken; its end comes later.
          continue;
        }
        require(over.add(path), path + " was over twice");
        if (!fails) {
          well.add(entry.fileId());
        } else if (isDirectory) {
          refused.add(path);
        }
        return new Settled(entry, true, !fails);
      }
      notifyAll();
      return null;
    }

    private boolean fails(Outgoing entry) {
      return entry.isBelowRefused() || random.nextInt(100) < failingPercent;
    }

    private void pause() {
      try {
        long beforeNs = System.nanoTime();
        wait(STUCK_MS);
        if (System.nanoTime() - beforeNs > STUCK_MS * 1_000_000) {
          Set<String> left = new TreeSet<>(offered.keySet());
          left.removeAll(over);
          faults.add("nothing goes on, and these are not over: " + left);
          throw new IllegalStateException("stuck");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private String pathOf(Outgoing entry) {
      return paths.get((int) entry.fileId());
    }

    private void require(boolean holds, String otherwise) {
      if (!holds) {
        faults.add(otherwise);
      }
    }
  }
}
