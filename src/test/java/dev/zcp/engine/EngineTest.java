package dev.zcp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine.Refusals;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.NativeFile;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Route;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.strategy.TransferToStrategy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {

  private static final int FILE_BYTES = 1000;

  private static final ScriptedStrategy.Ending DECLINES =
      span -> new Step.Declined(Step.Reach.ROUTE, "not here");

  @TempDir Path directory;

  private byte[] content;
  private ChannelEnd source;
  private ChannelEnd sink;
  private final List<String> heard = new ArrayList<>();

  private final Observer observer =
      new Observer() {
        @Override
        public void moved(String strategy, long offset, long bytes, long elapsedNs) {
          heard.add(strategy + " " + bytes);
        }

        @Override
        public void read(long offset, long bytes, long elapsedNs) {}

        @Override
        public void written(long offset, long bytes, long elapsedNs) {}

        @Override
        public void declined(String strategy, String reason) {
          heard.add(strategy + " declined: " + reason);
        }
      };

  @BeforeEach
  void openFiles() throws IOException {
    content = new byte[FILE_BYTES];
    new Random(1).nextBytes(content);
    Path from = Files.write(directory.resolve("source"), content);
    source = ChannelEnd.file(FileChannel.open(from, StandardOpenOption.READ), 1);
    sink =
        ChannelEnd.file(
            FileChannel.open(
                directory.resolve("sink"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE),
            1);
  }

  @AfterEach
  void closeFiles() throws IOException {
    source.close();
    sink.close();
  }

  @Test
  void theCheapestStrategyForTheLengthComesFirstAndNamesDecideBetweenEquals() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            costing("soonReady", 0, 100),
            costing("fastOnce", 1_000, 10),
            costing("alsoFast", 1_000, 10));

    assertThat(names(engine, 1 << 20)).containsExactly("soonReady", "alsoFast", "fastOnce");
    assertThat(names(engine, 100 << 20)).containsExactly("alsoFast", "fastOnce", "soonReady");
  }

  @Test
  void anotherStrategyGoesOnAtTheSameOffset() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable("first", 1, 300, DECLINES),
            ScriptedStrategy.usable("second", 2, FILE_BYTES, ScriptedStrategy.NEVER));

    assertThat(move(engine, FILE_BYTES)).isEqualTo(FILE_BYTES);

    assertThat(Files.readAllBytes(directory.resolve("sink"))).isEqualTo(content);
    assertThat(heard).contains("first declined: not here");
    assertThat(heard.subList(0, 5))
        .containsExactly("first 64", "first 64", "first 64", "first 64", "first 44");
  }

  /// As without /proc, where the file is opened once more.
  @Test
  void aStrategyThatNeedsAChannelAndGetsNoneDeclines() throws Exception {
    NativeFile closed = NativeFile.of(-1, NativeFile.traits(1), true);
    Engine engine =
        engine(
            Choice.AUTO,
            new TransferToStrategy(),
            ScriptedStrategy.usable("second", 1 << 30, 0, span -> new Step.Exhausted()));

    try (Transfer transfer = engine.begin(source, closed, FILE_BYTES, observer)) {
      assertThat(transfer.move(new Span(0, FILE_BYTES))).isZero();
    }

    assertThat(heard).containsExactly("transferTo declined: the file cannot be opened once more");
  }

  @Test
  void aStrategyThisMachineLacksIsNotAskedTwice() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "absent", 1, 0, span -> new Step.Declined(Step.Reach.MACHINE, "no such call")),
            ScriptedStrategy.usable("present", 2, FILE_BYTES, ScriptedStrategy.NEVER));

    move(engine, FILE_BYTES);

    assertThat(names(engine, FILE_BYTES)).containsExactly("present");
  }

  @Test
  void aStrategyThatTheseFileSystemsRefuseIsNotAskedTwiceButSaidEachTime() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "barred",
                1,
                0,
                span -> new Step.Declined(Step.Reach.FILE_SYSTEMS, "does not cross")),
            ScriptedStrategy.usable("present", 2, FILE_BYTES, ScriptedStrategy.NEVER));

    move(engine, FILE_BYTES);
    assertThat(names(engine, FILE_BYTES)).containsExactly("present");

    heard.clear();
    move(engine, FILE_BYTES);
    assertThat(heard).startsWith("barred declined: does not cross");
  }

  @Test
  void whatOnePairOfFileSystemsRefusesIsTriedOnOthers() {
    Refusals refusals = new Refusals();
    TransferStrategy strategy = ScriptedStrategy.usable("barred", 1, 0, ScriptedStrategy.NEVER);
    refusals.keep(
        strategy, new Step.Declined(Step.Reach.FILE_SYSTEMS, "does not cross"), files(1, 2));
    refusals.keep(strategy, new Step.Declined(Step.Reach.ROUTE, "not this one"), files(3, 4));

    assertThat(refusals.reasonOf(strategy, files(1, 2))).isEqualTo("does not cross");
    assertThat(refusals.reasonOf(strategy, files(2, 1))).isNull();
    assertThat(refusals.reasonOf(strategy, files(1, 1))).isNull();
    assertThat(refusals.reasonOf(strategy, files(3, 4))).isNull();
  }

  private static Route files(long source, long sink) {
    return new Route(
        new Route.Traits(Route.Kind.FILE, true, false, source),
        new Route.Traits(Route.Kind.FILE, true, false, sink));
  }

  @Test
  void aStrategyAskedForByNameIsNeverReplaced() throws Exception {
    Engine engine =
        engine(
            "first",
            ScriptedStrategy.usable("first", 1, 300, DECLINES),
            ScriptedStrategy.usable("second", 2, FILE_BYTES, ScriptedStrategy.NEVER));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> {
              assertThat(e.strategy()).isEqualTo("first");
              assertThat(e.reason()).isEqualTo("not here");
            });
  }

  @Test
  void aStrategyThatRefusesTheRouteIsRefusedWithOneThatWouldServe() throws Exception {
    Engine engine =
        engine(
            "picky",
            new ScriptedStrategy(
                "picky", new Verdict.Refused("needs a socket"), 0, ScriptedStrategy.NEVER),
            ScriptedStrategy.usable("easy", 2, FILE_BYTES, ScriptedStrategy.NEVER));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> {
              assertThat(e.reason()).isEqualTo("needs a socket");
              assertThat(e.alternative()).isEqualTo("easy");
            });
  }

  @Test
  void aSourceThatEndsEarlyGivesWhatItHad() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable("only", 1, Long.MAX_VALUE, ScriptedStrategy.NEVER));

    assertThat(move(engine, Long.MAX_VALUE)).isEqualTo(FILE_BYTES);
  }

  @Test
  void aFailureOfUnknownOriginIsTheSinksWhereTheSourceStillAnswers() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "broken",
                1,
                128,
                span -> {
                  throw new IOException("No space left on device");
                }));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOfSatisfying(
            TransferException.class,
            e -> {
              assertThat(e.end()).isEqualTo(MoveException.End.SINK);
              assertThat(e.offset()).isEqualTo(128);
            });
  }

  @Test
  void aFailureOfUnknownOriginIsTheSourcesWhereItAnswersNoMore() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "broken",
                1,
                128,
                span -> {
                  source.close();
                  throw new IOException("Input/output error");
                }));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.end()).isEqualTo(MoveException.End.SOURCE));
  }

  @Test
  void aStrategyThatClaimsMoreThanItWasAskedForIsFound() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable("liar", 1, 0, span -> new Step.Moved(span.length() + 1)));

    assertThatThrownBy(() -> move(engine, FILE_BYTES)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 999, 1000, 1001, Choice.WHOLE})
  void noStepMovesMoreThanTheChunkThatWasAskedFor(long chunkBytes) throws Exception {
    ScriptedStrategy strategy =
        ScriptedStrategy.usable("only", 1, Long.MAX_VALUE, ScriptedStrategy.NEVER);
    Engine engine =
        new Engine(Strategies.of(List.of(strategy)), new Choice(Choice.AUTO, chunkBytes));

    assertThat(move(engine, FILE_BYTES)).isEqualTo(FILE_BYTES);

    long step = Math.min(chunkBytes, FILE_BYTES);
    assertThat(heard).hasSize((int) ((FILE_BYTES + step - 1) / step));
    assertThat(heard.getFirst()).isEqualTo("only " + step);
    assertThat(Files.readAllBytes(directory.resolve("sink"))).isEqualTo(content);
  }

  @Test
  void wholeIsOneStepHoweverLongTheFile() throws Exception {
    List<Span> asked = new ArrayList<>();
    Engine engine =
        new Engine(
            Strategies.of(
                List.of(
                    ScriptedStrategy.usable(
                        "only",
                        1,
                        0,
                        span -> {
                          asked.add(span);
                          return new Step.Moved(span.length());
                        }))),
            new Choice(Choice.AUTO, Choice.WHOLE));

    move(engine, 1L << 40);

    assertThat(asked).containsExactly(new Span(0, 1L << 40));
  }

  @Test
  void anObserverHearsWhatARealSourceAndSinkSaidOfReadingAndWriting() throws Exception {
    List<Long> read = new ArrayList<>();
    List<Long> written = new ArrayList<>();
    Observer metering = new Metering(read, written);
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable("only", 1, Long.MAX_VALUE, ScriptedStrategy.NEVER));
    try (Transfer transfer = engine.begin(source, sink, FILE_BYTES, metering)) {
      transfer.move(new Span(0, Long.MAX_VALUE));
    }
    assertThat(read.stream().mapToLong(Long::longValue).sum()).isEqualTo(FILE_BYTES);
    // A stream may be waited for long before it ends.
    assertThat(read.getLast()).as("the read that found the end").isZero();
    assertThat(written.stream().mapToLong(Long::longValue).sum()).isEqualTo(FILE_BYTES);
  }

  @Test
  void aPageThatTheSourceHasNoMoreIsTheSourcesFault() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "mapping",
                1,
                128,
                span -> {
                  truncateSource(span.end() - 1);
                  throw new InternalError("a fault occurred in an unsafe memory access operation");
                }));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOfSatisfying(
            TransferException.class,
            e -> {
              assertThat(e.end()).isEqualTo(MoveException.End.SOURCE);
              assertThat(e.offset()).isEqualTo(128);
              assertThat(e.failure()).hasRootCauseInstanceOf(InternalError.class);
            });
  }

  @Test
  void aPageThatTheSinkCannotHaveIsTheSinksFault() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "mapping",
                1,
                128,
                span -> {
                  throw new InternalError("a fault occurred in an unsafe memory access operation");
                }));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.end()).isEqualTo(MoveException.End.SINK));
  }

  @Test
  void aStrategyThatBreaksItsContractIsNamed() throws Exception {
    Engine engine =
        engine(
            Choice.AUTO,
            ScriptedStrategy.usable(
                "homemade",
                1,
                128,
                span -> {
                  throw new ArithmeticException("/ by zero");
                }));

    assertThatThrownBy(() -> move(engine, FILE_BYTES))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("homemade")
        .hasMessageContaining("/ by zero")
        .hasRootCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void namesIgnoreCaseAndHyphensAndAWrongOneGetsTheNearest() throws Exception {
    Strategies strategies =
        Strategies.of(List.of(costing("transferTo", 0, 1), costing("mmap", 0, 1)));

    assertThat(strategies.named("TRANSFER-to").name()).isEqualTo("transferTo");
    assertThat(strategies.named("sendfile").name()).isEqualTo("transferTo");
    assertThatThrownBy(() -> strategies.named("mmpa"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
              assertThat(failure).hasMessageContaining("did you mean mmap?");
            });
  }

  @Test
  void twoStrategiesOfOneNameDoNotGoTogether() {
    assertThatThrownBy(() -> Strategies.of(List.of(costing("mmap", 0, 1), new Other("MMap"))))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("second strategy");
    assertThatThrownBy(() -> Strategies.of(List.of(new Other("auto"))))
        .hasMessageContaining("reserved");
  }

  private void truncateSource(long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(directory.resolve("source"), StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  private static ScriptedStrategy costing(String name, long startUpNs, long nsPerMiB) {
    return new ScriptedStrategy(
        name,
        new Verdict.Usable(new Verdict.Cost(startUpNs, nsPerMiB), 64),
        0,
        ScriptedStrategy.NEVER);
  }

  private static Engine engine(String strategy, TransferStrategy... strategies) throws Failure {
    return new Engine(Strategies.of(List.of(strategies)), new Choice(strategy, Choice.ADAPTIVE));
  }

  private List<String> names(Engine engine, long bytes) throws RefusedException {
    return engine.rank(new Route(source.traits(), sink.traits()), bytes).stream()
        .map(candidate -> candidate.strategy().name())
        .toList();
  }

  private long move(Engine engine, long bytes) throws TransferException, RefusedException {
    try (Transfer transfer = engine.begin(source, sink, bytes, observer)) {
      return transfer.move(new Span(0, bytes));
    }
  }

  private record Metering(List<Long> reads, List<Long> writes) implements Observer {
    @Override
    public void moved(String strategy, long offset, long bytes, long elapsedNs) {}

    @Override
    public void read(long offset, long bytes, long elapsedNs) {
      reads.add(bytes);
    }

    @Override
    public void written(long offset, long bytes, long elapsedNs) {
      writes.add(bytes);
    }

    @Override
    public void declined(String strategy, String reason) {}
  }

  /// A strategy of another class, since one class may be found twice.
  private record Other(String name) implements TransferStrategy {
    @Override
    public String summary() {
      return "";
    }

    @Override
    public dev.zcp.spi.Model model() {
      return new dev.zcp.spi.Model(0, 0, 0);
    }

    @Override
    public Verdict judge(Route route) {
      return new Verdict.Refused("never");
    }

    @Override
    public dev.zcp.spi.Mover open(dev.zcp.spi.Source from, dev.zcp.spi.Sink to) {
      throw new AssertionError("not usable");
    }
  }
}
