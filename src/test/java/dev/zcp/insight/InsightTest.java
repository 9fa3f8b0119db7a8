package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Live;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InsightTest {

  private static final Link LINK =
      new Link("peer", false, "", new SocketBuffer("SO_SNDBUF", 0, 87_040, "max"));

  private final List<Event> events = new ArrayList<>();
  private final Insight insight = new Insight("copy", "auto", events::add);

  @Test
  void aTransferWithoutFilesIsOkAndHasNoLatencies() {
    insight.started(0, 0);
    Result result = insight.finish();
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(result.message()).isEmpty();
    assertThat(result.filesDone()).isZero();
    assertThat(result.filesFailed()).isZero();
    assertThat(result.ran()).isEmpty();
    assertThat(result.stages()).isEmpty();
    assertThat(result.verified()).isEqualTo(Level.NONE);
  }

  @Test
  void aSocketBufferThatIsLessThanWhatWasAskedForIsNoted() {
    SocketBuffer whole = new SocketBuffer("SO_SNDBUF", 65_536, 131_072, "net.core.wmem_max");
    insight.connected(new Link("peer", false, "", whole));
    assertThat(events).hasExactlyElementsOfTypes(Event.Connected.class);

    SocketBuffer capped = new SocketBuffer("SO_SNDBUF", 1 << 20, 425_984, "net.core.wmem_max");
    insight.connected(new Link("peer", false, "", capped));
    assertThat(events.getLast())
        .isEqualTo(
            new Event.Noted(
                "--socket-buffer: the kernel took 208 KiB of the 1.00 MiB asked for"
                    + " (net.core.wmem_max is its limit)"));
  }

  @Test
  void aSocketBufferThatNobodyAskedForIsNeverTooSmall() {
    SocketBuffer tuned = new SocketBuffer("SO_RCVBUF", 0, 2_304, "net.core.rmem_max");
    insight.connected(new Link("peer", true, "", tuned));
    assertThat(events).hasExactlyElementsOfTypes(Event.Connected.class);
    assertThat(insight.finish().isDiscarded()).isTrue();
  }

  @Test
  void eventsAreToldInTheOrderInWhichThingsHappen() {
    insight.started(2, 30);
    Link link = new Link("peer", false, "", new SocketBuffer("SO_SNDBUF", 0, 87_040, "max"));
    insight.connected(link);
    FileLog file = insight.begin("a", 30, Stage.COPY);
    file.moved("heap", 0, 10, 1);
    insight.note("note");
    file.done(Level.WIRE);
    Failure failure = Failure.of(ExitCode.SOURCE, "b", "gone");
    insight.begin("b", -1, Stage.COPY).failed(failure);
    Failure whole = Failure.of(ExitCode.NETWORK, "peer", "left");
    insight.failed(whole);
    Result result = insight.finish();

    assertThat(events)
        .hasExactlyElementsOfTypes(
            Event.Started.class,
            Event.Connected.class,
            Event.FileStarted.class,
            Event.Noted.class,
            Event.FileDone.class,
            Event.FileStarted.class,
            Event.FileFailed.class,
            Event.Failed.class,
            Event.Finished.class);
    assertThat(events)
        .contains(
            new Event.Connected(link),
            new Event.FileStarted("a", 30),
            new Event.Noted("note"),
            new Event.FileStarted("b", -1),
            new Event.FileFailed("b", failure),
            new Event.Failed(whole));
    assertThat(((Event.Finished) events.getLast()).result()).isEqualTo(result);
    Event.FileDone done = (Event.FileDone) events.get(4);
    assertThat(done.name()).isEqualTo("a");
    assertThat(done.bytes()).isEqualTo(10);
    assertThat(done.verified()).isEqualTo(Level.WIRE);
  }

  @Test
  void theEndIsTheMomentAtWhichAllWasOverThoughItWasFoundLater() {
    insight.started(0, 0);
    insight.finish(System.nanoTime() - 60_000_000_000L);
    assertThat(((Event.Finished) events.getLast()).endedMs())
        .isLessThanOrEqualTo(System.currentTimeMillis() - 59_000);
  }

  @Test
  void theBytesMovedCanBeReadAtAnyMoment() {
    insight.started(1, 30);
    Event.Started started = (Event.Started) events.getFirst();
    assertThat(started.live().get().bytesMoved()).isZero();
    insight.begin("a", 30, Stage.COPY).moved("heap", 0, 12, 1);
    assertThat(started.live().get().bytesMoved()).isEqualTo(12);
  }

  @Test
  void eachCallOfTheObserverIsBookedToItsStage() {
    FileLog file = insight.begin("a", 3, Stage.SEND);
    file.moved("heap", 0, 3, 30);
    file.read(0, 3, 10);
    file.read(0, 0, 11);
    file.written(0, 3, 20);
    file.sample(Stage.PUBLISH, 5);
    file.done(Level.NONE);
    Result result = insight.finish();
    assertThat(result.stages().keySet())
        .containsExactly(Stage.READ, Stage.SEND, Stage.WRITE, Stage.PUBLISH, Stage.FILE);
    assertThat(result.stages().get(Stage.SEND).totalNs()).isEqualTo(30);
    assertThat(result.stages().get(Stage.READ).count()).isEqualTo(2);
    assertThat(result.stages().get(Stage.WRITE).totalNs()).isEqualTo(20);
    assertThat(result.stages().get(Stage.FILE).count()).isEqualTo(1);
    assertThat(result.stages().get(Stage.PUBLISH).totalNs()).isEqualTo(5);
  }

  @Test
  void aFallBackIsToldWithTheReasonsOfAllThatDeclined() {
    FileLog file = insight.begin("a", 9, Stage.COPY);
    file.declined("reflink", "another file system");
    file.moved("splice", 0, 4, 1);
    file.moved("splice", 0, 1, 1);
    file.declined("splice", "no pipe");
    file.declined("direct", "no memory");
    file.moved("heap", 0, 4, 1);
    file.done(Level.NONE);
    List<Ran> ran =
        List.of(
            new Ran("splice", 5, 2, "reflink: another file system"),
            new Ran("heap", 4, 1, "splice: no pipe; direct: no memory"));
    assertThat(((Event.FileDone) events.getLast()).ran()).isEqualTo(ran);
    assertThat(insight.finish().ran()).isEqualTo(ran);
  }

  @Test
  void whatRanIsAddedUpOverAllFilesWithTheLargestShareFirst() {
    for (int bytes : new int[] {1, 2}) {
      FileLog file = insight.begin("a", bytes, Stage.COPY);
      file.moved("heap", 0, bytes, 1);
      file.done(Level.NONE);
    }
    FileLog large = insight.begin("b", 100, Stage.COPY);
    large.moved("splice", 0, 100, 1);
    large.failed(Failure.of(ExitCode.DESTINATION, "b", "full"));
    Result result = insight.finish();
    assertThat(result.ran())
        .containsExactly(new Ran("splice", 100, 1, ""), new Ran("heap", 3, 2, ""));
    assertThat(result.bytes()).isEqualTo(103);
  }

  @Test
  void endlessReasonsAreLumpedTogetherAndNoByteIsLost() {
    for (int i = 0; i < 3 * RanLedger.KINDS_MAX; i++) {
      FileLog file = insight.begin("a", 1, Stage.COPY);
      file.declined("reflink", "reason " + i);
      file.moved("heap", 0, 1, 1);
      file.done(Level.NONE);
    }
    List<Ran> ran = insight.finish().ran();
    assertThat(ran).hasSize(RanLedger.KINDS_MAX + 1);
    assertThat(ran.stream().mapToLong(Ran::bytes).sum()).isEqualTo(3 * RanLedger.KINDS_MAX);
  }

  @Test
  void aSingleFileThatFailsDecidesTheExitCode() {
    insight.begin("a", 1, Stage.COPY).failed(Failure.of(ExitCode.SOURCE, "a", "gone"));
    Result result = insight.finish();
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOURCE);
    assertThat(result.message()).isEqualTo("a: gone");
    assertThat(result.filesFailed()).isEqualTo(1);
  }

  @Test
  void severalFilesThatFailForOneCauseDecideTheExitCode() {
    insight.begin("a", 1, Stage.COPY).failed(Failure.of(ExitCode.SOURCE, "a", "gone"));
    insight.begin("b", 1, Stage.COPY).failed(Failure.of(ExitCode.SOURCE, "b", "unreadable"));
    assertThat(insight.finish().exitCode()).isEqualTo(ExitCode.SOURCE);
  }

  @Test
  void filesThatFailForDifferentCausesAreSomeFailed() {
    insight.begin("a", 1, Stage.COPY).failed(Failure.of(ExitCode.SOURCE, "a", "gone"));
    insight.begin("b", 1, Stage.COPY).failed(Failure.of(ExitCode.EXISTS, "b", "exists"));
    Result result = insight.finish();
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOME_FAILED);
    assertThat(result.message()).isEqualTo("a: gone");
  }

  @Test
  void oneFileThatFailsAmongOthersThatDoNotIsSomeFailed() {
    insight.begin("a", 1, Stage.COPY).done(Level.NONE);
    insight.begin("b", 1, Stage.COPY).failed(Failure.of(ExitCode.EXISTS, "b", "exists"));
    assertThat(insight.finish().exitCode()).isEqualTo(ExitCode.SOME_FAILED);
  }

  @Test
  void theFirstFailureOfTheCommandWinsOverFilesAndOverItsConsequences() {
    Failure cause = Failure.of(ExitCode.NETWORK, "peer", "left");
    insight.begin("a", 1, Stage.COPY).done(Level.NONE);
    insight.begin("b", 1, Stage.COPY).failed(Failure.of(ExitCode.EXISTS, "b", "exists"));
    insight.failed(cause);
    insight.failed(Failure.of(ExitCode.INTERNAL, "a consequence"));
    Result result = insight.finish();
    assertThat(result.exitCode()).isEqualTo(ExitCode.NETWORK);
    assertThat(result.message()).isEqualTo("peer: left");
    assertThat(events)
        .filteredOn(Event.Failed.class::isInstance)
        .containsExactly(new Event.Failed(cause));
  }

  @Test
  void aFailureThatIsBothOfAFileAndOfTheCommandIsTheCommands() {
    Failure cause = Failure.of(ExitCode.NETWORK, "peer", "left");
    insight.begin("a", 1, Stage.COPY).done(Level.NONE);
    insight.begin("b", 1, Stage.COPY).failed(cause);
    insight.failed(cause);
    assertThat(insight.finish().exitCode()).isEqualTo(ExitCode.NETWORK);
  }

  @Test
  void onlyTheFirstEndOfAFileCounts() {
    FileLog done = insight.begin("a", 1, Stage.COPY);
    done.done(Level.NONE);
    done.done(Level.NONE);
    done.failed(Failure.of(ExitCode.SOURCE, "a", "gone"));
    Result result = insight.finish();
    assertThat(result.filesDone()).isEqualTo(1);
    assertThat(result.filesFailed()).isZero();
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aFileWhoseEndNobodyToldIsNoSuccess() {
    insight.begin("a", 1, Stage.COPY).done(Level.NONE);
    insight.begin("b", 1, Stage.COPY).moved("heap", 0, 1, 1);
    Result result = insight.finish();
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTERNAL);
    assertThat(result.filesFailed()).isEqualTo(1);
    assertThat(result.ran()).containsExactly(new Ran("heap", 1, 1, ""));
  }

  @Test
  void theLevelOfAllIsTheLowestOfAnyFile() {
    insight.begin("a", 1, Stage.COPY).done(Level.WIRE);
    assertThat(insight.finish().verified()).isEqualTo(Level.WIRE);

    Insight mixed = new Insight("copy", "auto", events::add);
    mixed.begin("a", 1, Stage.COPY).done(Level.WIRE);
    mixed.begin("b", 1, Stage.COPY).done(Level.NONE);
    mixed.begin("c", 1, Stage.COPY).done(Level.WIRE);
    assertThat(mixed.finish().verified()).isEqualTo(Level.NONE);
  }

  @Test
  @Timeout(60)
  void severalThreadsLoseNoSample() throws InterruptedException {
    int threads = 8;
    int steps = 20_000;
    FileLog shared = insight.begin("shared", -1, Stage.RECEIVE);
    inThreads(
        threads,
        thread -> {
          for (int step = 1; step <= steps; step++) {
            shared.moved("heap", 0, 3, step);
            shared.sample(Stage.DIGEST, step);
          }
        });
    shared.done(Level.WIRE);
    Result result = insight.finish();
    long samples = (long) threads * steps;
    assertThat(result.bytes()).isEqualTo(3 * samples);
    assertThat(result.ran()).containsExactly(new Ran("heap", 3 * samples, samples, ""));
    for (Stage stage : List.of(Stage.RECEIVE, Stage.DIGEST)) {
      Latencies latencies = result.stages().get(stage);
      assertThat(latencies.count()).isEqualTo(samples);
      assertThat(latencies.totalNs()).isEqualTo(samples * (steps + 1) / 2);
      assertThat(latencies.minNs()).isEqualTo(1);
      assertThat(latencies.maxNs()).isEqualTo(steps);
    }
  }

  @Test
  @Timeout(60)
  void filesOfManyThreadsAreAllCounted() throws InterruptedException {
    int threads = 20;
    int files = 5_000;
    Deaf deaf = new Deaf();
    Insight tree = new Insight("copy", "auto", deaf);
    tree.started(-1, -1);
    Supplier<Live> live = ((Event.Started) deaf.events.getFirst()).live();
    inThreads(
        threads,
        thread -> {
          for (int i = 0; i < files; i++) {
            FileLog file = tree.begin("a", 3, Stage.COPY);
            file.moved(i % 2 == 0 ? "heap" : "direct", 0, 3, 30);
            if (i % 10 == 9) {
              file.failed(Failure.of(ExitCode.SOURCE, "a", "gone"));
            } else {
              file.done(i == 0 && thread == 7 ? Level.NONE : Level.READBACK);
            }
            tree.made(Made.values()[i % 4]);
            tree.kept("k", "is newer");
            tree.durable(2);
          }
        });
    long all = (long) threads * files;
    assertThat(live.get().bytesMoved()).isEqualTo(3 * all);
    assertThat(live.get().bytesDurable()).isEqualTo(2 * all);
    assertThat(live.get().filesEnded()).isEqualTo(all);
    assertThat(live.get().current()).isEmpty();
    Result result = tree.finish();
    assertThat(result.filesDone()).isEqualTo((int) all * 9 / 10);
    assertThat(result.filesFailed()).isEqualTo((int) all / 10);
    assertThat(result.bytes()).isEqualTo(3 * all);
    assertThat(result.tree().bytesDurable()).isEqualTo(2 * all);
    assertThat(result.verified()).isEqualTo(Level.NONE);
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOME_FAILED);
    assertThat(result.ran())
        .containsExactlyInAnyOrder(
            new Ran("heap", 3 * all / 2, all / 2, ""), new Ran("direct", 3 * all / 2, all / 2, ""));
    assertThat(result.stages().get(Stage.COPY).count()).isEqualTo(all);
    assertThat(result.stages().get(Stage.FILE).count()).isEqualTo(all * 9 / 10);
    assertThat(result.tree().entries())
        .isEqualTo(new EntryCounts(all / 4, all / 4, all / 4, all / 4, all, 0, 0, 0));
  }

  @Test
  void whoDoesNotHearEachFileIsToldOfNoneThatWentWellAndOfAllThatFailed() {
    Deaf deaf = new Deaf();
    Insight tree = new Insight("copy", "auto", deaf);
    tree.begin(new Unspeakable(), 1, Stage.COPY).done(Level.NONE);
    tree.begin("b", 1, Stage.COPY).failed(Failure.of(ExitCode.SOURCE, "b", "gone"));
    assertThat(deaf.events).hasExactlyElementsOfTypes(Event.FileFailed.class);
  }

  @Test
  void whoDoesNotHearEachFileIsNotToldOfThoseThatAreKeptOrDeleted() {
    Deaf deaf = new Deaf();
    Insight tree = new Insight("copy", "auto", deaf);
    tree.kept(new Unspeakable(), "is newer");
    tree.deleted(new Unspeakable());
    assertThat(deaf.events).isEmpty();
    assertThat(tree.finish().tree().entries()).isEqualTo(new EntryCounts(0, 0, 0, 0, 1, 0, 0, 1));
  }

  @Test
  void theFileThatIsUnderWayForLongestIsTheCurrentOne() {
    insight.started(-1, -1);
    Supplier<Live> live = ((Event.Started) events.getFirst()).live();
    assertThat(live.get().current()).isEmpty();
    FileLog large = insight.begin("large", 1, Stage.COPY);
    FileLog small = insight.begin("small", 1, Stage.COPY);
    insight.begin("other", 1, Stage.COPY);
    assertThat(live.get().current()).isEqualTo("large");
    small.done(Level.NONE);
    assertThat(live.get().current()).isEqualTo("large");
    large.failed(Failure.of(ExitCode.SOURCE, "large", "gone"));
    assertThat(live.get().current()).isEqualTo("other");
    assertThat(live.get().filesEnded()).isEqualTo(2);
  }

  @Test
  void theFileOfAnotherThreadMayBeTheCurrentOne() throws InterruptedException {
    insight.started(-1, -1);
    Supplier<Live> live = ((Event.Started) events.getFirst()).live();
    inThreads(1, thread -> insight.begin("first", 1, Stage.COPY));
    inThreads(1, thread -> insight.begin("second", 1, Stage.COPY));
    assertThat(live.get().current()).isEqualTo("first");
  }

  @Test
  void howMuchThereIsIsKnownFromTheStartOrOnceItIsCounted() {
    insight.started(-1, -1);
    Supplier<Live> live = ((Event.Started) events.getFirst()).live();
    assertThat(live.get().filesAll()).isEqualTo(-1);
    assertThat(live.get().bytesAll()).isEqualTo(-1);
    insight.counted(100_000, 1 << 30);
    assertThat(live.get().filesAll()).isEqualTo(100_000);
    assertThat(live.get().bytesAll()).isEqualTo(1 << 30);
    assertThat(events).contains(new Event.Counted(100_000, 1 << 30));
  }

  @Test
  void whatTheDeviceHasIsNotKnownUntilSomebodySeesToIt() {
    insight.started(-1, -1);
    Supplier<Live> live = ((Event.Started) events.getFirst()).live();
    assertThat(live.get().bytesDurable()).isEqualTo(-1);
    insight.durable(0);
    assertThat(live.get().bytesDurable()).isZero();
    insight.durable(5);
    insight.durable(6);
    assertThat(insight.finish().tree().bytesDurable()).isEqualTo(11);
    assertThat(new Insight("copy", "auto", events::add).finish().tree().bytesDurable())
        .isEqualTo(-1);
  }

  @Test
  void aDryRunIsAPlanAndNothingElse() {
    insight.planned(Planned.COPY, "a", "t/a", 5);
    insight.plannedToReplace(Planned.COPY, "b", "t/b", 6);
    insight.plannedToReplace(Planned.COPY, "stream", "t/stream", -1);
    insight.plannedToReplace(Planned.MAKE_SYMLINK, "link", "t/link", -1);
    insight.planned(Planned.COPY, "proc", "t/proc", -1);
    insight.planned(Planned.MAKE_DIRECTORY, "d", "t/d", -1);
    insight.planned(Planned.MAKE_SYMLINK, "s", "t/s", -1);
    insight.planned(Planned.MAKE_HARD_LINK, "h", "t/h", -1);
    insight.planned(Planned.MAKE_SPECIAL, "f", "t/f", -1);
    insight.planned(Planned.CORRECT_ATTRIBUTES, "c", "t/c", -1);
    insight.planned(Planned.KEEP, "k", "t/k", -1);
    insight.planned(Planned.SKIP, "x", "t/x", -1);
    insight.planned(Planned.DELETE, "t/y", "t/y", -1);
    assertThat(events).contains(new Event.PlanLine(Planned.REPLACE, "b", "t/b", 6)).hasSize(13);
    Result result = insight.finish();
    assertThat(result.tree().plan())
        .isEqualTo(new Plan(4, 11, 3, new EntryCounts(1, 2, 1, 1, 1, 1, 1, 1)));
    assertThat(result.tree().entries()).isEqualTo(EntryCounts.NONE);
    assertThat(result.filesDone()).isZero();
    assertThat(new Insight("copy", "auto", events::add).finish().tree().plan()).isNull();
  }

  @Test
  void whatIsSkippedOrLostIsToldAndCounted() {
    insight.skipped("s", "is a socket");
    insight.lost(new Event.Lost("times", 3, "a", "read-only file system"));
    Event.Lost lost = new Event.Lost("times", 3, "a", "read-only file system");
    assertThat(events).containsExactly(new Event.Skipped("s", "is a socket", false), lost);
    Result result = insight.finish();
    assertThat(result.tree().entries().skipped()).isEqualTo(1);
    assertThat(result.tree().losses()).containsExactly(lost);
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void progressGoesByWhatWasAcknowledgedAsSoonAsThatIsCounted() {
    insight.started(1, 100);
    Supplier<Live> live = ((Event.Started) events.getFirst()).live();
    insight.begin("a", 100, Stage.SEND).moved("direct", 0, 70, 1);
    assertThat(live.get().bytesMoved()).isEqualTo(70);
    insight.ofSession().acknowledged(0);
    assertThat(live.get().bytesMoved()).isZero();
    insight.ofSession().acknowledged(30);
    insight.ofSession().acknowledged(20);
    assertThat(live.get().bytesMoved()).isEqualTo(50);
    assertThat(insight.finish().bytes()).isEqualTo(70);
  }

  @Test
  void whatThePeerHasFromBeforeIsNotToBeMoved() {
    insight.started(1, 100);
    Supplier<Live> live = ((Event.Started) events.getFirst()).live();
    insight.ofSession().resumed(30);
    assertThat(live.get().bytesAll()).isEqualTo(70);
    insight.ofSession().resumed(80);
    assertThat(live.get().bytesAll()).isZero();
    insight.counted(-1, -1);
    assertThat(live.get().bytesAll()).isEqualTo(-1);
  }

  @Test
  void aSessionIsSummedUpInTheResult() {
    insight.connected(LINK);
    insight.ofSession().connections(1);
    insight.ofSession().connections(4);
    insight.ofSession().connections(2);
    insight.ofSession().wentDirect(1);
    insight.ofSession().wentDirect(2);
    insight.ofSession().resumed(5);
    insight.ofSession().alreadyThere(6);
    insight.ofSession().resent(7);
    insight.ofSession().resent(8);
    insight.ofSession().proved("CRC32C");
    insight.ofSession().proved("CRC32C");
    insight.ofSession().proved("read again");
    insight.ofSession().congestion("bbr");
    insight.ofSession().reused(5);
    insight.ofSession().uncompressed("one connection had no reason to");
    insight.ofSession().compressed(10, 4);
    insight.ofSession().compressed(20, 6);
    assertThat(insight.finish().session())
        .isEqualTo(
            new Session(
                LINK, 4, 3, 16, 6, 5, 15, "CRC32C; read again", "bbr", new Compressed(30, 10, "")));
  }

  @Test
  void aSessionThatSaidNothingWasOfOneConnection() {
    insight.connected(LINK);
    assertThat(insight.finish().session())
        .isEqualTo(new Session(LINK, 1, 0, 0, 0, 0, 0, "", "", Compressed.NOTHING));
  }

  @Test
  void withoutAPeerThereIsNoSession() {
    assertThat(insight.finish().session()).isNull();
  }

  @Test
  void whatIsDeclinedIsNamedToThoseWhoHearEachFileAndSummedUpForAll() {
    insight.declined("symbolic links", "a", "no");
    insight.declined("FIFOs", "p", "not them either");
    insight.declined("symbolic links", "b", "no");
    Result result = insight.finish();
    Event.Declined links = new Event.Declined("symbolic links", 2, "a", "no");
    Event.Declined pipes = new Event.Declined("FIFOs", 1, "p", "not them either");
    assertThat(events.subList(0, events.size() - 1))
        .containsExactly(
            new Event.Skipped("a", "no", true),
            new Event.Skipped("p", "not them either", true),
            new Event.Skipped("b", "no", true),
            links,
            pipes);
    assertThat(result.tree().declined()).containsExactly(links, pipes);
    assertThat(result.tree().entries().skipped()).isEqualTo(3);
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOME_FAILED);
    assertThat(result.message()).isEqualTo("a: left out: no");
  }

  @Test
  void whatFailedCountsMoreThanWhatIsDeclined() {
    insight.declined("symbolic links", "a", "no");
    insight.failed(Failure.of(ExitCode.NETWORK, "b", "gone"));
    assertThat(insight.finish().exitCode()).isEqualTo(ExitCode.NETWORK);
  }

  @Test
  void whoDoesNotHearEachFileIsToldOfWhatIsDeclinedOnceForEachKind() {
    Deaf deaf = new Deaf();
    Insight tree = new Insight("send", "auto", deaf);
    tree.declined("symbolic links", "a", "no");
    tree.declined("symbolic links", new Unspeakable(), "no");
    assertThat(deaf.events).isEmpty();
    tree.finish();
    assertThat(deaf.events).contains(new Event.Declined("symbolic links", 2, "a", "no"));
  }

  @Test
  void moreSamplesThanALaneGathersAreAllBooked() {
    for (int count : new int[] {Lane.SAMPLES_MAX, Lane.SAMPLES_MAX + 1, 3 * Lane.SAMPLES_MAX}) {
      Insight one = new Insight("copy", "auto", events::add);
      FileLog file = one.begin("a", 1, Stage.COPY);
      for (int i = 1; i <= count; i++) {
        file.sample(Stage.PUBLISH, i);
      }
      file.sample(Stage.PUBLISH, Long.MAX_VALUE);
      file.sample(Stage.PUBLISH, -1);
      Latencies latencies = one.finish().stages().get(Stage.PUBLISH);
      assertThat(latencies.count()).isEqualTo(count + 2);
      assertThat(latencies.minNs()).isZero();
      assertThat(latencies.maxNs()).isGreaterThan(1L << 57);
    }
  }

  private interface Work {
    void run(int thread);
  }

  private static void inThreads(int threads, Work work) throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread = new Thread(() -> work.run(number));
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  /// Hears what must be told, and no single files.
  private static final class Deaf implements Listener {

    private final List<Event> events = new ArrayList<>();

    @Override
    public synchronized void on(Event event) {
      events.add(event);
    }

    @Override
    public boolean hearsEachFile() {
      return false;
    }
  }

  /// A name that nobody needs.
  private static final class Unspeakable {

    @Override
    public String toString() {
      throw new AssertionError("nobody asked for this name");
    }
  }
}
