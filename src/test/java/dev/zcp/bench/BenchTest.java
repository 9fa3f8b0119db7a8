package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.testing.SampleBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class BenchTest {

  private static final long BYTES = 300_001;

  @TempDir Path dir;

  private final RecordingListener listener = new RecordingListener();
  private Strategies strategies;

  @BeforeEach
  void load() throws Failure {
    strategies = Strategies.load(List.of());
  }

  @ParameterizedTest
  @EnumSource
  void everyExperimentIsMeasuredWithTheContentAskedFor(Content.ContentKind content)
      throws Exception {
    Cell[] cells = new Cell[Experiment.values().length];
    for (Experiment experiment : Experiment.values()) {
      cells[experiment.ordinal()] =
          SampleBench.cell(experiment, "direct", 4096, 3 * BYTES + (1 << 20));
    }
    BenchResult result = Bench.run(Requests.of(dir, null, content, cells), strategies, listener);

    assertThat(result.groups()).hasSize(1);
    List<CellResult> results = result.groups().getFirst().cells();
    assertThat(results)
        .allSatisfy(each -> assertThat(each).isInstanceOf(CellResult.Measurement.class));
    assertThat(results).extracting(CellResult::cell).containsExactly(cells);
    assertThat(listener.runsPlanned).isEqualTo(3 * cells.length);
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void theCallsAndTheBytesThatCrossedAreThoseOfTheChunk() throws Exception {
    CellResult.Measurement read = measured(SampleBench.cell(Experiment.READ, "heap", 1000, 10_000));
    assertThat(read.callsPerRun()).isEqualTo(10);
    assertThat(read.userBytes()).isEqualTo(10_000);
    assertThat(read.latencies().count()).as("the first of each of two runs").isEqualTo(2);
    assertThat(read.samples()).hasSize(2);
    assertThat(read.warmUpRuns()).isBetween(3, CellRuns.WarmUp.RUNS_MAX);

    assertThat(measured(SampleBench.cell(Experiment.COPY, "direct", 1000, 10_000)).userBytes())
        .isEqualTo(20_000);
    assertThat(measured(SampleBench.cell(Experiment.WRITE, "fileStream", 1000, 10_000)).userBytes())
        .isEqualTo(10_000);
    assertThat(measured(SampleBench.cell(Experiment.READ, "singleByte", 1000, 100)).callsPerRun())
        .isEqualTo(100);
    CellResult.Measurement copied =
        measured(SampleBench.cell(Experiment.COPY, "copyFileRange", Choice.WHOLE, 10_000));
    assertThat(copied.userBytes()).isZero();
    Cell received = SampleBench.cell(Experiment.RECEIVE, "transferTo", 1000, 10_000);
    assertThat(measured(received).userBytes()).as("in the JDK").isEqualTo(Usage.UNKNOWN);
    assertThat(measured(SampleBench.cell(Experiment.RECEIVE, "direct", 1000, 10_000)).userBytes())
        .isEqualTo(20_000);
    assertThat(copied.callsPerRun()).isOne();
  }

  @Test
  void forcesAreCountedAndTimed() throws Exception {
    CellResult.Measurement often = measured(forcing(new Cell.ForceRule(64 << 10, false)));
    assertThat(often.forces()).as("300001 bytes, 16 calls of 4 KiB a force").isEqualTo(5);
    assertThat(often.forceLatencies().count()).as("of two runs").isEqualTo(10);

    CellResult.Measurement beside = measured(forcing(new Cell.ForceRule(64 << 10, true)));
    assertThat(beside.forces()).as("some may be one").isBetween(1L, 5L);
    assertThat(measured(forcing(Cell.ForceRule.AT_THE_END)).forces()).isOne();

    CellResult.Measurement never = measured(forcing(Cell.ForceRule.NEVER));
    assertThat(never.forces()).isZero();
    assertThat(never.forceLatencies()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfAFileMappedInPiecesIsOne(boolean asynchronous) throws Exception {
    Contender inPieces =
        contender(
            "inPieces", (task, meter) -> BenchOnly.MAPPED_ONCE.run(task, 4096, meter, 64 << 10));
    Cell cell = forcing(inPieces.word(), new Cell.ForceRule(Long.MAX_VALUE, asynchronous));
    CellResult result = bench(List.of(inPieces), cell).groups().getFirst().cells().getFirst();
    assertThat(result).isInstanceOf(CellResult.Measurement.class);
    assertThat(((CellResult.Measurement) result).forces()).isOne();
  }

  @Test
  void autoTellsTheModelOfWhatRan() throws Exception {
    CellResult.Measurement auto = measured(SampleBench.cell(Experiment.READ, "auto", 0, 10_000));
    assertThat(auto.model()).isEqualTo(strategies.named("direct").model());
  }

  @Test
  void whatTheKernelGaveASocketIsTold() throws Exception {
    Cell asked = SampleBench.cell(Experiment.SEND, "direct", 4096, BYTES);
    Cell small =
        new Cell(
            asked.experiment(),
            asked.contender(),
            asked.chunkBytes(),
            asked.fileBytes(),
            asked.cache(),
            asked.forcing(),
            asked.peer(),
            8192,
            asked.claim());
    assertThat(measured(small).socketBufferBytes()).isEqualTo(8192);
    assertThat(measured(asked).socketBufferBytes()).isGreaterThan(8192);
  }

  @Test
  void whatCannotBeDoneIsRefusedWithItsReasonAndTheOthersGoOn() throws Exception {
    BenchResult result =
        bench(
            SampleBench.cell(Experiment.READ, "transferTo", 4096, BYTES),
            SampleBench.cell(Experiment.COPY, "singleByte", 4096, BYTES),
            SampleBench.cell(Experiment.READ, "direct", 4096, 0),
            SampleBench.cell(Experiment.READ, "direct", 4096, BYTES));

    List<CellResult> cells = result.groups().getFirst().cells();
    assertThat(reason(cells.get(0))).contains("the target is a stream");
    assertThat(reason(cells.get(1))).isEqualTo("is measured between a file and memory only");
    assertThat(reason(cells.get(2))).isEqualTo("an empty file has nothing to measure");
    assertThat(cells.get(3)).isInstanceOf(CellResult.Measurement.class);
    assertThat(result.failed()).isFalse();
    assertThat(listener.runsDoneLast).isLessThanOrEqualTo(listener.runsPlanned);
  }

  @Test
  void anArrayThatTheHeapCannotHoldIsARefusal() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    assertThat(BenchOnly.tooLarge(1000)).isEmpty();
    Optional<String> refusal = BenchOnly.tooLarge(BenchOnly.ARRAY_BYTES_MAX);
    if (heapBytes > BenchOnly.ARRAY_BYTES_MAX) {
      assertThat(refusal).isEmpty();
    } else {
      assertThat(refusal.orElseThrow()).startsWith("needs an array of 1.00 GiB, and the heap has");
    }
  }

  @Test
  void aContenderThatFailsIsAFailedCellAndTheOthersGoOn() throws Exception {
    Contender failing = contender("failing", (_, _) -> failWith("no luck"));
    Contender wild = contender("wild", (_, _) -> Integer.parseInt("luck"));
    Contender hungry = contender("hungry", (_, _) -> failWithOutOfMemory());
    BenchResult result =
        bench(
            List.of(failing, wild, hungry),
            SampleBench.cell(Experiment.COPY, "failing", 4096, BYTES),
            SampleBench.cell(Experiment.COPY, "wild", 4096, BYTES),
            SampleBench.cell(Experiment.COPY, "hungry", 4096, BYTES),
            SampleBench.cell(Experiment.COPY, "direct", 4096, BYTES));

    List<CellResult> cells = result.groups().getFirst().cells();
    assertThat(message(cells.get(0))).isEqualTo("no luck");
    assertThat(message(cells.get(1))).contains("NumberFormatException");
    assertThat(reason(cells.get(2))).startsWith("needs more memory");
    assertThat(cells.get(3)).isInstanceOf(CellResult.Measurement.class);
    assertThat(result.failed()).isTrue();
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aContenderThatFailsLaterFailsAllTheSame() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Contender tiring =
        contender(
            "tiring",
            (task, meter) -> {
              if (runs.incrementAndGet() > 4) {
                throw new IOException("tired");
              }
              BenchOnly.FILE_STREAM.run(task, 4096, meter);
            });
    BenchResult result =
        bench(List.of(tiring), SampleBench.cell(Experiment.READ, "tiring", 4096, BYTES));
    assertThat(message(result.groups().getFirst().cells().getFirst())).isEqualTo("tired");
  }

  @Test
  void aPeerThatIsLeftWaitingHangsNothing() throws Exception {
    Contender idle = contender("idle", (_, _) -> {});
    BenchResult result =
        bench(
            List.of(idle),
            SampleBench.cell(Experiment.SEND, "idle", 4096, 50 * BYTES),
            SampleBench.cell(Experiment.RECEIVE, "idle", 4096, 50 * BYTES));
    List<CellResult> cells = result.groups().getFirst().cells();
    assertThat(message(cells.get(0))).isEqualTo("moved 0 of 15000050 bytes");
    assertThat(message(cells.get(1))).isEqualTo("no such file or directory");
  }

  @Test
  void aFileOfTheUsersOwnIsReadAndNeverWritten() throws Exception {
    Path file = dir.resolve("own");
    byte[] bytes = new byte[123_456];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 / 7);
    }
    Files.write(file, bytes);
    BenchResult result =
        Bench.run(
            Requests.of(
                dir,
                file,
                Content.ContentKind.RANDOM,
                SampleBench.cell(Experiment.READ, "mmap", 4096, BYTES),
                SampleBench.cell(Experiment.SEND, "transferTo", 4096, BYTES),
                SampleBench.cell(Experiment.COPY, "stream", 4096, BYTES),
                SampleBench.cell(Experiment.WRITE, "stream", 4096, BYTES)),
            strategies,
            listener);
    assertThat(result.groups().getFirst().cells())
        .allSatisfy(
            each -> {
              assertThat(each).isInstanceOf(CellResult.Measurement.class);
              assertThat(each.cell().fileBytes()).isEqualTo(bytes.length);
            });
    assertThat(file).hasBinaryContent(bytes);
    assertThat(dir).isDirectoryContaining(path -> path.equals(file));
    assertThat(dir.toFile().list()).hasSize(1);
  }

  @Test
  void aFileThatChangesMeanwhileIsNoMeasurement() throws Exception {
    Path file = Files.write(dir.resolve("own"), new byte[10_000]);
    Contender meddling =
        contender(
            "meddling",
            (task, meter) -> {
              BenchOnly.FILE_STREAM.run(task, 4096, meter);
              Files.write(file, new byte[1], StandardOpenOption.WRITE);
            });
    BenchRequest request =
        Requests.of(
            dir,
            file,
            Content.ContentKind.RANDOM,
            SampleBench.cell(Experiment.READ, "meddling", 4096, BYTES));
    BenchResult result =
        Bench.run(
            request,
            new Bench.Contenders(strategies, List.of(meddling)),
            listener,
            new Host(false));
    assertThat(message(result.groups().getFirst().cells().getFirst()))
        .endsWith("own changed while it was measured");
  }

  @Test
  void anUnknownContenderAndAFileThatIsNoneAreFailures() {
    assertThatThrownBy(() -> bench(SampleBench.cell(Experiment.READ, "telepathy", 4096, BYTES)))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
    for (String name : List.of("absent", ".")) {
      BenchRequest request =
          Requests.of(
              dir,
              dir.resolve(name),
              Content.ContentKind.RANDOM,
              SampleBench.cell(Experiment.READ, "direct", 4096, BYTES));
      assertThatThrownBy(() -> Bench.run(request, strategies, listener))
          .isInstanceOfSatisfying(
              Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.SOURCE));
    }
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aBenchmarkThatDoesNotFitIsToldSoFirst() {
    long tooMuch = Long.MAX_VALUE / 4;
    assertThatThrownBy(() -> bench(SampleBench.cell(Experiment.COPY, "direct", 4096, tooMuch)))
        .isInstanceOfSatisfying(
            Failure.class,
            e -> {
              assertThat(e.exitCode()).isEqualTo(ExitCode.DESTINATION);
              assertThat(e.reason()).contains("4.00 EiB needed").contains("free");
            });
    assertThat(dir).isEmptyDirectory();
    assertThat(listener.running).isEmpty();
  }

  @Test
  void aDirectoryThatIsNotThereIsAFailureOfTheDestination() {
    BenchRequest request =
        Requests.of(
            dir.resolve("absent"), SampleBench.cell(Experiment.READ, "direct", 4096, BYTES));
    assertThatThrownBy(() -> Bench.run(request, strategies, listener))
        .isInstanceOfSatisfying(
            Failure.class,
            e -> {
              assertThat(e.exitCode()).isEqualTo(ExitCode.DESTINATION);
              assertThat(e.reason()).isEqualTo("no such file or directory");
            });
  }

  @Test
  void theWholeEndsWithItsTimeAndNotWithItsRuns() throws Exception {
    Contender slow =
        contender(
            "slow",
            (task, meter) -> {
              LockSupport.parkNanos(20_000_000);
              BenchOnly.FILE_STREAM.run(task, 4096, meter);
            });
    Cell cell = SampleBench.cell(Experiment.COPY, "slow", 4096, BYTES);
    CellGroup group = new CellGroup("one", "", List.of(cell));
    long startNs = System.nanoTime();
    BenchResult result = bench(List.of(slow), List.of(group, group), 1_000_000_000L, 500);
    assertThat(System.nanoTime() - startNs).isBetween(500_000_000L, 9_000_000_000L);
    assertThat(result.measured()).hasSize(2);
    assertThat(result.measured())
        .allSatisfy(each -> assertThat(each.samples()).hasSizeBetween(1, 30));
  }

  @Test
  void aCellThatHadNoTurnInTheTimeSaysSo() throws Exception {
    Cell cell = SampleBench.cell(Experiment.COPY, "direct", 4096, BYTES);
    CellGroup group = new CellGroup("one", "", List.of(cell));
    assertThat(bench(List.of(), List.of(group), 1, 5).groups().getFirst().cells())
        .containsExactly(
            new CellResult.Refused(cell, "no time was left for it; --time gives more"));
  }

  private BenchResult bench(List<Contender> others, List<CellGroup> groups, long timeNs, int runs)
      throws Exception {
    BenchRequest request =
        new BenchRequest(
            groups,
            "",
            "",
            RawPath.of(dir),
            null,
            Content.ContentKind.RANDOM,
            timeNs,
            runs,
            Requests.CELL_NS_MAX,
            Requests.SEED,
            false);
    return Bench.run(request, new Bench.Contenders(strategies, others), listener, new Host(false));
  }

  @Test
  void aCellThatTookItsTimeHasOneRunThatCounts() throws Exception {
    Cell cell = SampleBench.cell(Experiment.READ, "direct", 4096, BYTES);
    BenchRequest patient = Requests.of(dir, cell);
    BenchRequest hasty =
        new BenchRequest(
            patient.groups(),
            "",
            "",
            RawPath.of(dir),
            null,
            Content.ContentKind.RANDOM,
            BenchRequest.UNLIMITED,
            50,
            0,
            Requests.SEED,
            false);
    BenchResult result = Bench.run(hasty, strategies, listener);
    CellResult.Measurement measured =
        (CellResult.Measurement) result.groups().getFirst().cells().getFirst();
    assertThat(measured.samples()).hasSize(1);
    assertThat(measured.warmUpRuns()).isZero();
  }

  @Test
  void aColdCellBeginsWithNothingInThePageCache() throws Exception {
    Cell cold = cold(SampleBench.cell(Experiment.READ, "direct", 4096, BYTES));
    CellResult result = bench(cold).groups().getFirst().cells().getFirst();
    assumeThat(result)
        .as("the page cache can be emptied")
        .isInstanceOf(CellResult.Measurement.class);
    assertThat(((CellResult.Measurement) result).cachedBefore())
        .isLessThanOrEqualTo(Host.COLD_SHARE_MAX);
  }

  @Test
  void warmCellsWhoseFileDidNotStayCachedAreToldOfOnceAndTheWorstIsNamed() throws Exception {
    Host forgetful =
        new Host(false) {
          @Override
          double cachedShare(Path file) throws IOException {
            return Files.size(file) == BYTES ? 0.409 : Files.size(file) == 1000 ? 1 : 0.7;
          }
        };
    Cell[] cells = {
      SampleBench.cell(Experiment.READ, "heap", 4096, 2 * BYTES),
      SampleBench.cell(Experiment.READ, "direct", 4096, BYTES),
      SampleBench.cell(Experiment.READ, "direct", 4096, 1000),
      SampleBench.cell(Experiment.WRITE, "direct", 4096, BYTES)
    };
    BenchResult result =
        Bench.run(
            Requests.of(dir, cells),
            new Bench.Contenders(strategies, List.of()),
            listener,
            forgetful);
    assertThat(result.warnings())
        .filteredOn(each -> each.contains("page cache"))
        .containsExactly(
            "2 of 3 cells that read a warm file did not find all of it in the page cache before one"
                + " run or more, least of all read 293 KiB warm by direct (4.00 KiB a call) with"
                + " 40 %");
  }

  @Test
  void aColdCellThatStaysCachedIsRefused() throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeThat(Files.isDirectory(memory)).as("there is %s", memory).isTrue();
    assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
    Path own = Files.createTempDirectory(memory, "zcp-test");
    try {
      Cell warm = SampleBench.cell(Experiment.READ, "direct", 4096, BYTES);
      BenchResult result = Bench.run(Requests.of(own, cold(warm), warm), strategies, listener);
      List<CellResult> cells = result.groups().getFirst().cells();
      assertThat(reason(cells.getFirst())).isEqualTo("tmpfs keeps files in the page cache");
      assertThat(cells.getLast()).isInstanceOf(CellResult.Measurement.class);
      assertThat(own).isEmptyDirectory();
    } finally {
      Files.delete(own);
    }
  }

  @Test
  void systemCallsAreThoseOfTheChunks() throws Exception {
    try (SystemCalls counter = SystemCalls.best()) {
      CallCount idle = counter.count(() -> {});
      assumeThat(idle.kind()).as(idle.note()).isNotEqualTo(CallCount.CountedBy.NONE);
    }
    CellResult.Measurement read =
        measured(SampleBench.cell(Experiment.READ, "direct", 1000, 100_000));
    assertThat(read.callCount().calls()).isBetween(100L, 200L);
  }

  @Test
  void cellsTakeTurnsInAnOrderOfTheSeed() throws Exception {
    Cell[] cells = {
      SampleBench.cell(Experiment.READ, "direct", 4096, BYTES),
      SampleBench.cell(Experiment.READ, "heap", 4096, BYTES),
      SampleBench.cell(Experiment.READ, "stream", 4096, BYTES),
      SampleBench.cell(Experiment.READ, "mmap", 4096, BYTES)
    };
    bench(cells);
    List<Cell> firstRound = listener.running.subList(0, cells.length);
    List<Cell> expected = Bench.shuffled(List.of(cells), new Random(Requests.SEED));

    assertThat(firstRound).isEqualTo(expected);
  }

  @Test
  void groupsComeOneAfterTheOther() throws Exception {
    Cell read = SampleBench.cell(Experiment.READ, "direct", 4096, BYTES);
    Cell write = SampleBench.cell(Experiment.WRITE, "direct", 4096, BYTES);
    BenchRequest one = Requests.of(dir, read);
    BenchRequest two =
        new BenchRequest(
            List.of(
                new CellGroup("first", "", List.of(read)),
                new CellGroup("second", "with a note", List.of(write))),
            "the command",
            "0.9",
            one.directory(),
            null,
            Content.ContentKind.TEXT,
            BenchRequest.UNLIMITED,
            1,
            Requests.CELL_NS_MAX,
            7,
            false);
    BenchResult result = Bench.run(two, strategies, listener);
    assertThat(result.groups())
        .extracting(BenchResult.Group::title)
        .containsExactly("first", "second");
    assertThat(result.groups().getLast().note()).isEqualTo("with a note");
    assertThat(result.command()).isEqualTo("the command");
    assertThat(result.zcpVersion()).isEqualTo("0.9");
    assertThat(result.seed()).isEqualTo(7);
    int lastRead = listener.running.lastIndexOf(read);
    assertThat(listener.running.indexOf(write)).isEqualTo(lastRead + 1);
  }

  @Test
  void filesThatCannotBeMadeLaterFailTheirGroupAndKeepWhatWasMeasured() throws Exception {
    Contender meddling =
        contender(
            "meddling",
            (task, meter) -> {
              BenchOnly.FILE_STREAM.run(task, 4096, meter);
              Path inTheWay =
                  ((Contender.BenchFile) task.to()).path().resolveSibling("source-1000");
              if (!Files.exists(inTheWay)) {
                Files.createFile(inTheWay);
              }
            });
    Cell copy = SampleBench.cell(Experiment.COPY, "meddling", 4096, BYTES);
    Cell read = SampleBench.cell(Experiment.READ, "direct", 4096, 1000);
    Cell odd = SampleBench.cell(Experiment.READ, "transferTo", 4096, 1000);
    BenchRequest one = Requests.of(dir, copy);
    BenchRequest three =
        new BenchRequest(
            List.of(
                new CellGroup("first", "", List.of(copy)),
                new CellGroup("second", "with a note", List.of(odd, read)),
                new CellGroup("third", "", List.of(read))),
            "",
            "",
            one.directory(),
            null,
            Content.ContentKind.TEXT,
            BenchRequest.UNLIMITED,
            1,
            Requests.CELL_NS_MAX,
            Requests.SEED,
            false);
    BenchResult result =
        Bench.run(
            three, new Bench.Contenders(strategies, List.of(meddling)), listener, new Host(false));

    assertThat(result.groups()).hasSize(3);
    assertThat(result.groups().get(0).cells().getFirst())
        .isInstanceOf(CellResult.Measurement.class);
    assertThat(result.groups().get(1).note()).isEqualTo("with a note");
    assertThat(result.groups().get(1).cells())
        .extracting(CellResult::cell)
        .containsExactly(odd, read);
    assertThat(result.groups().get(1).cells())
        .allSatisfy(each -> assertThat(message(each)).startsWith(dir + ": "));
    assertThat(result.groups().get(2).cells().getFirst())
        .as("what was in the way is gone")
        .isInstanceOf(CellResult.Measurement.class);
    assertThat(result.failed()).isTrue();
    assertThat(dir).isEmptyDirectory();
  }

  private CellResult.Measurement measured(Cell cell) throws Failure {
    CellResult result = bench(cell).groups().getFirst().cells().getFirst();
    assertThat(result).isInstanceOf(CellResult.Measurement.class);
    return (CellResult.Measurement) result;
  }

  private BenchResult bench(Cell... cells) throws Failure {
    return bench(List.of(), cells);
  }

  private BenchResult bench(List<Contender> others, Cell... cells) throws Failure {
    return Bench.run(
        Requests.of(dir, cells),
        new Bench.Contenders(strategies, others),
        listener,
        new Host(false));
  }

  private static String reason(CellResult result) {
    assertThat(result).isInstanceOf(CellResult.Refused.class);
    return ((CellResult.Refused) result).reason();
  }

  private static String message(CellResult result) {
    assertThat(result).isInstanceOf(CellResult.Failed.class);
    return ((CellResult.Failed) result).message();
  }

  private static void failWith(String message) throws IOException {
    throw new IOException(message);
  }

  private static void failWithOutOfMemory() {
    throw new OutOfMemoryError("as if");
  }

  private static Cell forcing(Cell.ForceRule forcing) {
    return forcing("direct", forcing);
  }

  private static Cell forcing(String contender, Cell.ForceRule forcing) {
    Cell cell = SampleBench.cell(Experiment.FORCE, contender, 4096, BYTES);
    return new Cell(
        cell.experiment(),
        cell.contender(),
        cell.chunkBytes(),
        cell.fileBytes(),
        cell.cache(),
        forcing,
        cell.peer(),
        cell.socketBufferBytes(),
        cell.claim());
  }

  private static Cell cold(Cell cell) {
    return new Cell(
        cell.experiment(),
        cell.contender(),
        cell.chunkBytes(),
        cell.fileBytes(),
        Cell.Cache.COLD,
        cell.forcing(),
        cell.peer(),
        cell.socketBufferBytes(),
        cell.claim());
  }

  private static Contender contender(String name, ScriptedContender.Work work) {
    return new ScriptedContender(name, work);
  }
}
