package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Span;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.testing.ShortSink;
import dev.zcp.testing.ShortSource;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every [TransferStrategy] must keep, built in or not. Inherit it, give the strategy, and
/// each test runs over every route that the strategy calls usable:
///
/// ```java
/// class MyStrategyTest extends TransferStrategyContract {
///   @Override
///   protected TransferStrategy strategy() {
///     return new MyStrategy();
///   }
/// }
/// ```
///
/// The suite uses nothing but `dev.zcp.spi`, `dev.zcp.core` and the ends of `dev.zcp.testing`. A
/// strategy that asks for descriptors needs the flags named at [TestEnds].
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TransferStrategyContract {

  private static final int CHUNK_BYTES = 64 << 10;
  private static final long TWO_GIB = 2L << 30;

  @TempDir Path folder;

  /// The strategy under test. May be asked for more than once.
  protected abstract TransferStrategy strategy();

  /// Whether the strategy may decline every step on the file system of the temporary directory, as
  /// one that shares extents must on ext4. Then the suite asks only that it declines cleanly.
  protected boolean mayDecline() {
    return false;
  }

  /// A pair of kinds of ends, for the names of the tests.
  ///
  /// @param from the source
  /// @param to the sink
  protected record Ends(Kind from, Kind to) {
    @Override
    public String toString() {
      return from + " to " + to;
    }
  }

  /// Every pair that the strategy calls usable, where both ends are what the process makes of them.
  protected List<Ends> usable() throws IOException {
    List<Ends> usable = new ArrayList<>();
    for (Ends ends : all()) {
      Path own = Files.createTempDirectory("zcp-ends");
      try (TestRoute route = TestRoute.open(ends.from, ends.to, new byte[0], own)) {
        if (strategy().judge(route.route()) instanceof Verdict.Usable) {
          usable.add(ends);
        }
      } finally {
        Files.deleteIfExists(own.resolve("source"));
        Files.deleteIfExists(own.resolve("sink"));
        Files.delete(own);
      }
    }
    return usable;
  }

  /// Those whose sink is a file.
  protected List<Ends> usableIntoFiles() throws IOException {
    return usable().stream().filter(ends -> ends.to == Kind.FILE).toList();
  }

  @Test
  void theNameIsLettersInCamelCase() {
    assertThat(strategy().name()).matches("[a-z]+([A-Z][a-z]*)*").isNotEqualTo("auto");
  }

  @Test
  void theSummaryIsOneLineAndTheModelCountsCopies() {
    assertThat(strategy().summary()).isNotBlank().doesNotContain("\n").doesNotEndWith(".");
    assertThat(strategy().model().copies()).isNotNegative();
    assertThat(strategy().model().modeSwitches()).isPositive();
  }

  @Test
  void servesSomeRouteAndRefusesOthersWithAReasonAUserCanRead() {
    int served = 0;
    for (Ends ends : all()) {
      for (boolean hasDescriptor : new boolean[] {true, false}) {
        for (boolean encrypted : new boolean[] {true, false}) {
          Route.Traits source = new Route.Traits(ends.from, hasDescriptor, false, 1);
          Route.Traits sink = new Route.Traits(ends.to, hasDescriptor, encrypted, 1);
          switch (strategy().judge(new Route(source, sink))) {
            case Verdict.Usable(Verdict.Cost cost, long chunkBytes) -> {
              served++;
              assertThat(cost.startUpNs()).isNotNegative();
              assertThat(cost.nsPerMiB()).isPositive();
              assertThat(chunkBytes).isPositive();
            }
            case Verdict.Refused(String reason) ->
                assertThat(reason).isNotBlank().doesNotEndWith(".").doesNotContain("\n");
          }
        }
      }
    }
    assertThat(served).isPositive();
  }

  @Test
  void aPeerThatIsGoneIsAFailureOfTheTarget() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[8 << 20]);
    SocketChannel[] pair = TestRoute.sockets();
    pair[1].close();
    try (Source source = TestEnds.fileSource(file);
        Sink sink = TestEnds.channelSink(Kind.SOCKET, pair[0])) {
      Route route = new Route(source.traits(), sink.traits());
      assumeTrue(strategy().judge(route) instanceof Verdict.Usable, "sends no file");
      try (Mover mover = strategy().open(source, sink)) {
        assertThatThrownBy(
                () -> {
                  while (true) {
                    assertThat(mover.move(new Span(0, 8 << 20))).isInstanceOf(Step.Moved.class);
                  }
                })
            .isInstanceOfSatisfying(
                MoveException.class, e -> assertThat(e.end()).isEqualTo(MoveException.End.SINK));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void movesEveryByteOnBothSidesOfAChunk(Ends ends) throws IOException {
    for (int length : new int[] {1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1}) {
      byte[] content = bytes(length, length);
      try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
        Outcome outcome = drive(route, new Span(0, length), CHUNK_BYTES);
        assertMovedOrUntouched(route, outcome, content);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void movesChunksOfTheSizeItAskedFor(Ends ends) throws IOException {
    long chunkBytes = Math.min(preferredChunk(ends), 8 << 20);
    for (long length : new long[] {chunkBytes - 1, chunkBytes, chunkBytes + 1}) {
      byte[] content = bytes((int) length, 7);
      try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
        Outcome outcome = drive(route, new Span(0, length), chunkBytes);
        assertMovedOrUntouched(route, outcome, content);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void anEmptySourceIsTheEndOrDeclined(Ends ends) throws IOException {
    try (TestRoute route = TestRoute.open(ends.from, ends.to, new byte[0], folder)) {
      Outcome outcome = drive(route, new Span(0, 1), 1);
      assertThat(outcome.last()).isNotInstanceOf(Step.Moved.class);
      assertThat(route.arrived()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void aSourceThatEndsEarlyGivesWhatItHasAndNothingMore(Ends ends) throws IOException {
    for (int length : new int[] {1, CHUNK_BYTES, CHUNK_BYTES + 1000}) {
      byte[] content = bytes(length, 3);
      try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
        Outcome outcome = drive(route, new Span(0, 2L * length + 1), CHUNK_BYTES);
        assertThat(outcome.last()).isNotInstanceOf(Step.Moved.class);
        assertMovedOrUntouched(route, outcome, content);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void keepsToTheSpanAndLeavesWhatLiesBesideItAlone(Ends ends) throws IOException {
    int before = 4097;
    int length = 70_001;
    byte[] content = bytes(before + length + 500, 11);
    try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
      byte[] beside = bytes(before + length + 900, 12);
      if (ends.to == Kind.FILE) {
        route.sink().writeAll(ByteBuffer.wrap(beside), 0);
      }
      Outcome outcome = drive(route, new Span(before, length), CHUNK_BYTES);

      int from = ends.from == Kind.FILE ? before : 0;
      byte[] moved = Arrays.copyOfRange(content, from, from + (int) outcome.moved());
      if (ends.to == Kind.FILE) {
        System.arraycopy(moved, 0, beside, before, moved.length);
        assertThat(route.arrived()).isEqualTo(beside);
      } else {
        assertThat(route.arrived()).isEqualTo(moved);
      }
      assertThat(outcome.moved()).isEqualTo(mayDecline() ? outcome.moved() : length);
    }
  }

  @ParameterizedTest
  @MethodSource("usableIntoFiles")
  void aSpanPastTheEndOfTheTargetLeavesAHole(Ends ends) throws IOException {
    byte[] content = bytes(30_000, 5);
    try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
      Outcome outcome = drive(route, new Span(10_000, 20_000), CHUNK_BYTES);
      byte[] arrived = route.arrived();
      if (outcome.moved() == 0 && mayDecline()) {
        assertThat(arrived).isEmpty();
      } else {
        int from = ends.from == Kind.FILE ? 10_000 : 0;
        assertThat(arrived).hasSize(30_000).startsWith(new byte[10_000]);
        assertThat(Arrays.copyOfRange(arrived, 10_000, 30_000))
            .isEqualTo(Arrays.copyOfRange(content, from, from + 20_000));
      }
    }
  }

  /// Both ways round: a strategy that stops half way, and one that takes over there.
  @ParameterizedTest
  @MethodSource("usable")
  void anotherStrategyGoesOnWhereOneStopped(Ends ends) throws IOException {
    byte[] content = bytes(5 * CHUNK_BYTES + 17, 21);
    long middle = 2L * CHUNK_BYTES + 9;
    for (boolean isFirst : new boolean[] {true, false}) {
      try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder);
          Mover mover = strategy().open(route.source(), route.sink());
          Mover other = new PlainMover(route.source(), route.sink())) {
        Span head = new Span(0, middle);
        long moved = drive(isFirst ? mover : other, head, CHUNK_BYTES).moved();
        // What the one has not moved, the other must find: bytes kept back would be missing here.
        Span tail = new Span(moved, content.length - moved);
        Outcome outcome = drive(isFirst ? other : mover, tail, CHUNK_BYTES);
        moved += outcome.moved();
        drive(other, new Span(moved, content.length - moved), CHUNK_BYTES);
        assertThat(route.arrived()).isEqualTo(content);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void aMoverThatIsClosedHalfWayHeldNothingBack(Ends ends) throws IOException {
    byte[] content = bytes(3 * CHUNK_BYTES, 22);
    try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
      long moved = 0;
      try (Mover mover = strategy().open(route.source(), route.sink())) {
        if (mover.move(new Span(0, CHUNK_BYTES)) instanceof Step.Moved(long bytes)) {
          moved = bytes;
        }
      }
      drive(
          new PlainMover(route.source(), route.sink()),
          new Span(moved, content.length - moved),
          CHUNK_BYTES);
      assertThat(route.arrived()).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void shortReadsAndShortWritesLoseNothing(Ends ends) throws IOException {
    byte[] content = bytes(20_011, 31);
    try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
      Source source = new ShortSource(route.source(), 997);
      Sink sink = new ShortSink(route.sink(), 389);
      Verdict verdict = strategy().judge(new Route(source.traits(), sink.traits()));
      assumeTrue(verdict instanceof Verdict.Usable, "it needs descriptors: " + verdict);
      try (Mover mover = strategy().open(source, sink)) {
        Outcome outcome = drive(mover, new Span(0, content.length), CHUNK_BYTES);
        assertMovedOrUntouched(route, outcome, content);
      }
    }
  }

  @Test
  void movesMoreThanTwoGiBFromFileToFile() throws IOException {
    assumeTrue(usable().contains(new Ends(Kind.FILE, Kind.FILE)), "it does not copy files");
    long length = TWO_GIB + 4097;
    Path from = sparse(length);
    Path to = folder.resolve("large-copy");
    try (Source source = TestEnds.fileSource(from);
        Sink sink = TestEnds.fileSink(to);
        Mover mover = strategy().open(source, sink)) {
      long chunkBytes = preferredChunk(new Ends(Kind.FILE, Kind.FILE));
      long moved = drive(mover, new Span(0, length), chunkBytes).moved();
      assertThat(moved).isEqualTo(mayDecline() ? moved : length);
      assertThat(Files.size(to)).isEqualTo(moved);
      if (moved == length) {
        assertThat(marks(sink)).isEqualTo(marks(source));
      }
    } finally {
      Files.delete(from);
      Files.deleteIfExists(to);
    }
  }

  @Test
  void movesMoreThanTwoGiBFromFileToSocket() throws Exception {
    assumeTrue(usable().contains(new Ends(Kind.FILE, Kind.SOCKET)), "it does not send files");
    long length = TWO_GIB + 4097;
    Path from = sparse(length);
    SocketChannel[] pair = TestRoute.sockets();
    CompletableFuture<Long> counted = CompletableFuture.supplyAsync(() -> discard(pair[1]));
    try (Source source = TestEnds.fileSource(from);
        Sink sink = TestEnds.channelSink(Kind.SOCKET, pair[0]);
        Mover mover = strategy().open(source, sink)) {
      long chunkBytes = preferredChunk(new Ends(Kind.FILE, Kind.SOCKET));
      assertThat(drive(mover, new Span(0, length), chunkBytes).moved()).isEqualTo(length);
    } finally {
      Files.delete(from);
    }
    assertThat(counted.get(30, TimeUnit.SECONDS)).isEqualTo(length);
  }

  /// One span of more than 2 GiB, as `--chunk-size=whole` asks for: any prefix will do.
  @Test
  void aSpanOfMoreThanTwoGiBIsNotTooMuch() throws IOException {
    assumeTrue(usable().contains(new Ends(Kind.FILE, Kind.FILE)), "it does not copy files");
    assumeTrue(
        preferredChunk(new Ends(Kind.FILE, Kind.FILE)) > 1 << 20,
        "a buffer as large as the span would be more than the memory of a test");
    Path from = sparse(TWO_GIB + 4097);
    Path to = folder.resolve("large-copy");
    try (Source source = TestEnds.fileSource(from);
        Sink sink = TestEnds.fileSink(to);
        Mover mover = strategy().open(source, sink)) {
      Span span = new Span(4096, TWO_GIB + 1);
      long moved = mover.move(span) instanceof Step.Moved(long bytes) ? bytes : 0;
      assertThat(moved).isBetween(mayDecline() ? 0L : 1L, span.length());
      assertThat(Files.size(to)).isEqualTo(moved == 0 ? 0 : 4096 + moved);
    } finally {
      Files.delete(from);
      Files.deleteIfExists(to);
    }
  }

  @ParameterizedTest
  @MethodSource("usable")
  void leavesNoDescriptorOpen(Ends ends) throws IOException {
    byte[] content = bytes(CHUNK_BYTES, 41);
    // Once before, so that what the JDK opens once for itself is no leak.
    transferOnce(ends, content);
    List<String> before = OpenDescriptors.targets();
    for (int i = 0; i < 5; i++) {
      transferOnce(ends, content);
    }
    assertThat(OpenDescriptors.targets()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("usable")
  void randomTransfersAreExact(Ends ends) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    assertThatCode(() -> randomTransfers(ends, random))
        .as("%s %s, seed %d", strategy().name(), ends, seed)
        .doesNotThrowAnyException();
  }

  private void randomTransfers(Ends ends, Random random) throws IOException {
    for (int i = 0; i < 20; i++) {
      byte[] content = new byte[random.nextInt(1 << random.nextInt(1, 20))];
      random.nextBytes(content);
      try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder);
          Mover mover = strategy().open(route.source(), route.sink());
          Mover other = new PlainMover(route.source(), route.sink())) {
        long moved = 0;
        while (moved < content.length) {
          Span rest = new Span(moved, content.length - moved);
          Span span = rest.first(1 + random.nextInt(1 << random.nextInt(4, 20)));
          Step step = random.nextInt(4) == 0 ? other.move(span) : mover.move(span);
          if (step instanceof Step.Declined) {
            step = other.move(span);
          }
          assertThat(step).isInstanceOf(Step.Moved.class);
          long bytes = ((Step.Moved) step).bytes();
          assertThat(bytes).isBetween(1L, span.length());
          moved += bytes;
        }
        assertThat(route.arrived()).isEqualTo(content);
      }
    }
  }

  /// What driving a mover came to.
  ///
  /// @param moved all bytes it said it moved
  /// @param last its last step
  private record Outcome(long moved, Step last) {}

  private Outcome drive(TestRoute route, Span span, long chunkBytes) throws IOException {
    try (Mover mover = strategy().open(route.source(), route.sink())) {
      return drive(mover, span, chunkBytes);
    }
  }

  /// As the engine does it: chunk by chunk, until the span is moved or a step moves nothing.
  private static Outcome drive(Mover mover, Span span, long chunkBytes) throws IOException {
    Span rest = span;
    Step step = null;
    while (!rest.isEmpty()) {
      Span chunk = rest.first(chunkBytes);
      step = mover.move(chunk);
      if (!(step instanceof Step.Moved(long bytes))) {
        break;
      }
      assertThat(bytes).isBetween(1L, chunk.length());
      rest = rest.skip(bytes);
    }
    return new Outcome(span.length() - rest.length(), step);
  }

  private void assertMovedOrUntouched(TestRoute route, Outcome outcome, byte[] content)
      throws IOException {
    byte[] arrived = route.arrived();
    assertThat(arrived).isEqualTo(Arrays.copyOf(content, (int) outcome.moved()));
    if (!mayDecline()) {
      assertThat(arrived).isEqualTo(content);
    }
  }

  private void transferOnce(Ends ends, byte[] content) throws IOException {
    try (TestRoute route = TestRoute.open(ends.from, ends.to, content, folder)) {
      drive(route, new Span(0, content.length), CHUNK_BYTES);
    }
  }

  private long preferredChunk(Ends ends) {
    Route.Traits from = new Route.Traits(ends.from, ends.from != Kind.STREAM, false, 1);
    Route.Traits to = new Route.Traits(ends.to, ends.to != Kind.STREAM, false, 1);
    return strategy().judge(new Route(from, to)) instanceof Verdict.Usable usable
        ? usable.chunkBytes()
        : CHUNK_BYTES;
  }

  /// A file that is all hole but for a mark at each interesting place.
  private Path sparse(long length) throws IOException {
    Path path = folder.resolve("large");
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long at : MARKS) {
        channel.write(ByteBuffer.allocate(Long.BYTES).putLong(at).flip(), at);
      }
      channel.write(ByteBuffer.allocate(1), length - 1);
    }
    return path;
  }

  private static final long[] MARKS = {1, (1L << 30) - 4, TWO_GIB - 4, TWO_GIB + 4000};

  private static List<Long> marks(Source source) throws IOException {
    return marks((FileChannel) source.channel());
  }

  private static List<Long> marks(Sink sink) throws IOException {
    return marks((FileChannel) sink.channel());
  }

  private static List<Long> marks(FileChannel channel) throws IOException {
    List<Long> found = new ArrayList<>();
    for (long at : MARKS) {
      ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
      channel.read(bytes, at);
      found.add(bytes.flip().getLong());
    }
    return found;
  }

  private static long discard(SocketChannel channel) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    long total = 0;
    try (channel) {
      for (int count = 0; count >= 0; count = channel.read(buffer.clear())) {
        total += count;
      }
    } catch (IOException e) {
      return -1;
    }
    return total;
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static List<Ends> all() {
    List<Ends> all = new ArrayList<>();
    for (Kind from : Kind.values()) {
      for (Kind to : Kind.values()) {
        all.add(new Ends(from, to));
      }
    }
    return all;
  }

  /// The plainest strategy there is, to go on where another stops.
  private record PlainMover(Source source, Sink sink) implements Mover {

    @Override
    public Step move(Span span) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(span.length(), CHUNK_BYTES));
      int count = source.read(buffer, span.offset());
      if (count < 0) {
        return new Step.Exhausted();
      }
      sink.writeAll(buffer.flip(), span.offset());
      return new Step.Moved(count);
    }
  }
}
