package dev.zcp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.core.Span;
import dev.zcp.io.FileEnd;
import dev.zcp.spi.Model;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairedTransferTest {

  private static final long FILE_BYTES = PairedTransfer.BYTES_MIN + 12_345;

  @TempDir Path directory;

  private Path from;
  private Path to;
  private FileEnd source;
  private FileEnd sink;
  private final Set<Thread> movers = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> bytesBy = new ConcurrentHashMap<>();

  private final Observer observer =
      new Observer() {
        @Override
        public void moved(String strategy, long bytes, long elapsedNs) {
          movers.add(Thread.currentThread());
          bytesBy.merge(strategy, bytes, Long::sum);
        }

        @Override
        public void read(long bytes, long elapsedNs) {}

        @Override
        public void written(long bytes, long elapsedNs) {}

        @Override
        public void declined(String strategy, String reason) {}
      };

  @BeforeEach
  void openFiles() throws IOException {
    assumeThat(Runtime.getRuntime().availableProcessors()).as("processors").isGreaterThan(1);
    from = directory.resolve("source");
    to = directory.resolve("sink");
    byte[] content = new byte[(int) FILE_BYTES];
    new Random(1).nextBytes(content);
    Files.write(from, content);
    source = FileEnd.of(FileChannel.open(from, StandardOpenOption.READ), 1);
    sink =
        FileEnd.of(
            FileChannel.open(
                to,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE),
            1);
  }

  @AfterEach
  void closeFiles() throws IOException {
    if (source != null) {
      source.close();
      sink.close();
    }
  }

  @Test
  void twoThreadsMoveEveryByteOnceAfterATrialByOne() throws Exception {
    long moved = engine(new Slow(), new Paired()).moveAll(source, sink, FILE_BYTES, observer);

    assertThat(moved).isEqualTo(FILE_BYTES);
    assertThat(Files.mismatch(from, to)).isEqualTo(-1);
    assertThat(movers).hasSize(2);
    assertThat(bytesBy).containsOnlyKeys("slow", "paired");
    assertThat(bytesBy.get("slow") + bytesBy.get("paired")).isEqualTo(FILE_BYTES);
  }

  @Test
  void whatIsFasterThanACopyCanBeGoesOnAlone() throws Exception {
    Engine engine = engine(new Cloning());
    Iterator<Long> clockNs = List.of(0L, 1L).iterator();
    try (Transfer single = engine.begin(source, sink, FILE_BYTES, observer)) {
      PairedTransfer transfer =
          new PairedTransfer(
              single,
              () -> {
                throw new AssertionError("a second thread");
              },
              clockNs::next);

      assertThat(transfer.move(new Span(0, FILE_BYTES))).isEqualTo(FILE_BYTES);
    }
    assertThat(bytesBy).containsExactly(Map.entry("cloning", FILE_BYTES));
  }

  @Test
  void aSmallFileAndAChosenChunkAreMovedByOne() throws Exception {
    engine(new Slow(), new Paired()).moveAll(source, sink, PairedTransfer.BYTES_MIN - 1, observer);
    Engine chosen =
        new Engine(
            Strategies.of(List.of(new Slow(), new Paired())), new Choice(Choice.AUTO, 1 << 20));
    chosen.moveAll(source, sink, FILE_BYTES, observer);

    assertThat(bytesBy).containsOnlyKeys("slow");
    assertThat(movers).hasSize(1);
  }

  @Test
  void aSourceThatEndsEarlyGivesWhatItHad() throws Exception {
    long expected = FILE_BYTES + (32 << 20);

    long moved = engine(new Slow(), new Paired()).moveAll(source, sink, expected, observer);

    assertThat(moved).isEqualTo(FILE_BYTES);
  }

  @Test
  void aFailureOfOneThreadEndsBoth() throws Exception {
    Engine engine = engine(new Slow(), new Failing());

    assertThatThrownBy(() -> engine.moveAll(source, sink, FILE_BYTES, observer))
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.end()).isEqualTo(MoveException.End.SINK));
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("zcp-second-mover");
  }

  private static Engine engine(TransferStrategy... strategies) throws Exception {
    return new Engine(Strategies.of(List.of(strategies)), Choice.DEFAULT);
  }

  /// A strategy that really copies, at a cost that a test says.
  private abstract static class Copying implements TransferStrategy {

    private final String name;
    private final Verdict.Cost cost;

    Copying(String name, Verdict.Cost cost) {
      this.name = name;
      this.cost = cost;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String summary() {
      return "copies";
    }

    @Override
    public Model model() {
      return new Model(4, 2, 0);
    }

    @Override
    public Verdict judge(Route route) {
      return new Verdict.Usable(cost, 1 << 20);
    }

    @Override
    public Mover open(Source source, Sink sink) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
      return span -> {
        buffer.clear().limit((int) Math.min(buffer.capacity(), span.length()));
        int count = source.read(buffer, span.offset());
        if (count < 0) {
          return new Step.Exhausted();
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
          sink.write(buffer, span.offset() + buffer.position());
        }
        return new Step.Moved(count);
      };
    }
  }

  private static final class Slow extends Copying {
    Slow() {
      super("slow", new Verdict.Cost(0, 300_000));
    }
  }

  private static final class Paired extends Copying {
    Paired() {
      super("paired", new Verdict.Cost(0, 400_000, 200_000));
    }
  }

  /// Claims to have moved everything at once, as a clone of extents does.
  private static final class Cloning extends Copying {
    Cloning() {
      super("cloning", new Verdict.Cost(0, 300_000));
    }

    @Override
    public Verdict judge(Route route) {
      return new Verdict.Usable(new Verdict.Cost(0, 300_000), Long.MAX_VALUE);
    }

    @Override
    public Mover open(Source source, Sink sink) {
      return span -> new Step.Moved(span.length());
    }
  }

  private static final class Failing extends Copying {
    Failing() {
      super("failing", new Verdict.Cost(0, 400_000, 200_000));
    }

    @Override
    public Mover open(Source source, Sink sink) {
      return span -> {
        throw new MoveException(MoveException.End.SINK, new IOException("No space left on device"));
      };
    }
  }
}
