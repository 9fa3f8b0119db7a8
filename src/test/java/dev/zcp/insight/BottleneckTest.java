package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Network;
import dev.zcp.core.ProcessTimes;
import dev.zcp.insight.Bottleneck.Confidence;
import dev.zcp.insight.Bottleneck.EndFacts;
import dev.zcp.insight.Bottleneck.TransferFacts;
import dev.zcp.linux.DirtyPages;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// All of these took ten seconds.
class BottleneckTest {

  private static final long ELAPSED_NS = 10_000_000_000L;

  /// Stages by their words, each with the percentage of the time of its busiest thread.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "copy=97                        | copy     | sure",
        "copy=97 write=90               | write    | sure",
        "copy=97 write=70 read=25       | write    | likely",
        "copy=99 write=50 read=49       | write    | likely",
        "copy=99 write=49 read=49       | unknown  | unknown",
        "open=30 create=30 publish=35   | unknown  | unknown",
        "readback=85 copy=15            | readback | sure",
        "copy=80 readback=70            | copy     | likely",
        "file=100 queue=100 window=100  | unknown  | unknown",
        "''                             | unknown  | unknown",
        // More than the whole time: two threads in one place of the books.
        "write=180 copy=10              | write    | likely",
      })
  void aCopyIsLimitedByTheStageThatTookMostOfTheTime(
      String stages, String limitedBy, String confidence) {
    Bottleneck found = of(WorkSide.LOCAL, stages, "", ProcessTimes.UNKNOWN, Network.NONE);
    assertThat(found.limitedBy()).isEqualTo(limitedBy);
    assertThat(found.confidence().word()).isEqualTo(confidence);
    assertThat(found.side()).isEqualTo(limitedBy.equals("unknown") ? null : WorkSide.LOCAL);
  }

  /// @param busy percentage of one processor that each end took, -1 if not known
  /// @param tcp percentages of the time: something under way, no room at the receiver, full buffer;
  ///   or nothing if the kernel tells nothing
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // A slow source, as a FIFO: the receiver waits for bytes, but the sender does not wait.
        "read=95 send=2             | read=95 write=1  | 10  |          | read      | SENDER   |"
            + " sure",
        // A slow target: the sender waits, but the receiver does not wait for bytes.
        "send=95 write=94           | read=2 write=95  | 10  |          | write     | RECEIVER |"
            + " sure",
        "send=95                    | receive=95       | 10  |          | unknown   |          |"
            + " unknown",
        "send=95                    | publish=90       | 10  |          | publish   | RECEIVER |"
            + " sure",
        // Both wait for what is between them.
        "send=95 write=94           | read=95 write=2  | 10  | 0 0 0    | network   |          |"
            + " likely",
        // On one machine there is none.
        "send=95 write=94           | read=95 write=2  | 10  |          | unknown   |          |"
            + " unknown",
        // The kernel has taken all at once, and waits.
        "send=9                     | read=78 write=2  | 10  | 94 50 0  | network   |          |"
            + " likely",
        "read=94 send=2             | read=95 write=1  | 10  | 95 0 0   | read      | SENDER   |"
            + " sure",
        "send=95 write=94           | read=95 write=2  | 10  | 95 3 2   | network   |          |"
            + " sure",
        "send=95 write=94           | read=95 write=2  | 10  | 95 60 2  | network   |          |"
            + " likely",
        // Or for a processor.
        "send=95 write=94           | read=95 write=2  | 90  |          | processor | SENDER   |"
            + " likely",
        "send=95 write=94           | read=95 write=2  | -1  | 95 3 2   | unknown   |          |"
            + " unknown",
        "send=95 write=94           | ''               | 10  | 95 3 2   | network   |          |"
            + " sure",
        "send=60 read=50            | read=60 write=50 | 10  |          | read      | SENDER   |"
            + " likely",
        "pace=95 send=3             | read=96 write=1  | 5   | 10 0 0   | rateLimit |          |"
            + " sure",
        "send=95 write=94           | pace=94 read=2   | 5   |          | rateLimit |          |"
            + " sure",
        "pace=60 read=39            | read=90          | 5   |          | rateLimit |          |"
            + " likely",
        "pace=45 read=40            | read=90          | 5   |          | unknown   |          |"
            + " unknown",
        "digest=90 send=5           | digest=50        | 120 |          | digest    | SENDER   |"
            + " likely",
        // The sender waited for its own window, too: the way is long.
        "send=50 window=45          | read=95 write=2  | 10  | 0 0 0    | network   |          |"
            + " likely",
        // Both ends were told of one limit.
        "pace=95 send=3             | pace=60 read=2   | 5   |          | rateLimit |          |"
            + " sure",
      })
  void aSessionIsLimitedByWhatNobodyWaitsFor(
      String sender,
      String receiver,
      int busy,
      String tcp,
      String limitedBy,
      WorkSide side,
      String confidence) {
    Network network = Network.NONE;
    if (tcp != null) {
      String[] percent = tcp.split(" ");
      network = new Network(1, ns(percent[0]), ns(percent[1]), ns(percent[2]), 20_000_000, 0, 3);
    }
    ProcessTimes process = used(busy);
    Bottleneck found = of(WorkSide.SENDER, sender, receiver, process, network);

    assertThat(found.limitedBy()).isEqualTo(limitedBy);
    assertThat(found.side()).isEqualTo(side);
    assertThat(found.confidence().word()).isEqualTo(confidence);
  }

  /// Percentages of the time.
  @ParameterizedTest
  @CsvSource({
    // Of all that it did meanwhile each operation took longer.
    "30, 0, 60, jvm, likely",
    "5, 0, 90, jvm, sure",
    "30, 60, 5, processor, likely",
    // Not for half of the time: a stage explains more.
    "30, 20, 40, write, likely",
    // No stage explains it, and the processor was busy or waited for.
    "45, 10, 0, write, likely",
  })
  void whatKeptAnEndFromRunningForHalfOfTheTimeLimitedIt(
      int used, int starved, int stopped, String limitedBy, String confidence) {
    ProcessTimes receiver = new ProcessTimes(ns("" + used), ns("" + starved), ns("" + stopped));
    TransferFacts facts =
        new TransferFacts(
            ELAPSED_NS,
            WorkSide.SENDER,
            stages("send=95 write=94"),
            stages("read=95 write=70"),
            used(5),
            receiver,
            new Network(1, 0, 0, 0, 20_000_000, 19_000_000, 0));
    Bottleneck found = of(facts);
    assertThat(found.limitedBy()).isEqualTo(limitedBy);
    assertThat(found.side()).isEqualTo(WorkSide.RECEIVER);
    assertThat(found.confidence().word()).isEqualTo(confidence);
  }

  @Test
  void pausesAreSureIfNothingElseTookLong() {
    ProcessTimes stopped = new ProcessTimes(ns("5"), 0, ns("85"));
    Bottleneck found = of(WorkSide.LOCAL, "copy=20", "", stopped, Network.NONE);
    assertThat(found.sentence()).isEqualTo("limited by pauses: 85 % of the time");
  }

  @ParameterizedTest
  @CsvSource({"49, false", "51, true"})
  void whatComesFromDevicesAndWaitsForThemIsEvidence(long waitingMib, boolean isTold) {
    DirtyPages dirty = new DirtyPages(waitingMib << 20, 100 << 20);
    EndFacts own = new EndFacts(WorkSide.LOCAL, 1, 4 << 20, 3 << 20, 0, dirty);
    List<String> evidence = local("copy=95", ProcessTimes.UNKNOWN, own).evidence();
    assertThat(evidence).contains("3.00 MiB were read from a device");
    String waiting = "51.0 MiB of this machine's memory waited to be written to devices;";
    assertThat(evidence.stream().anyMatch(each -> each.startsWith(waiting))).isEqualTo(isTold);
  }

  /// The kernel moves the bytes, so no stage tells a slow source from a slow target.
  ///
  /// @param fromDeviceMib of the 100 MiB that were copied, -1 if not known
  /// @param dirtyMib of 100 MiB, from which on writers are slowed down
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "copy=95             | 50 | 50 | probably the disk of the source: 50.0 MiB had to be read"
            + " from it",
        "copy=95             | 50 | 51 | probably the disk of the target: 51.0 MiB waited in memory"
            + " to be written",
        "copy=95             | 49 | 0  | the source or the target is slow: --strategy=direct"
            + " tells which",
        "copy=95             | 10 | 0  | the source or the target is slow: --strategy=direct"
            + " tells which",
        "copy=95             | 9  | 0  | probably the target: next to nothing had to be read from a"
            + " disk here",
        "copy=95             | -1 | 99 | the source or the target is slow: --strategy=direct"
            + " tells which",
        // What was read may have been the copy.
        "copy=60 readback=40 | 99 | 0  | ''",
        "write=95            | 99 | 99 | ''",
      })
  void aCopyByTheKernelIsToldWhichEndIsSlow(
      String stages, long fromDeviceMib, long dirtyMib, String advice) {
    DirtyPages dirty = new DirtyPages(dirtyMib << 20, 100 << 20);
    long fromDevice = fromDeviceMib < 0 ? -1 : fromDeviceMib << 20;
    EndFacts own = new EndFacts(WorkSide.LOCAL, 1, 100 << 20, fromDevice, 0, dirty);
    assertThat(local(stages, ProcessTimes.UNKNOWN, own).advice()).isEqualTo(advice);
  }

  @Test
  void aCopyThatWasToldToBeSlowIsLimitedByThat() {
    ProcessTimes busy = new ProcessTimes(ns("20"), ns("40"), 0);
    Bottleneck found = local("pace=54 copy=43", busy, EndFacts.UNKNOWN);
    assertThat(found.sentence())
        .isEqualTo(
            "probably limited by --limit-rate: 54 % of the time; next: the processor busy 46 %");
  }

  @ParameterizedTest
  @CsvSource({"29, ''", "30, other programs kept the processors busy: zcp waited 3.00 s for one"})
  void otherProgramsAreNamedIfAThreadWaitedForThem(int starved, String advice) {
    ProcessTimes times = new ProcessTimes(ns("60"), ns("" + starved), 0);
    EndFacts own = new EndFacts(WorkSide.LOCAL, 1, 1, 0, ns("" + starved), null);
    Bottleneck found = local("create=40", times, own);
    assertThat(found.limitedBy()).isEqualTo("processor");
    assertThat(found.advice()).isEqualTo(advice);
    assertThat(found.evidence()).anyMatch(each -> each.startsWith("a thread waited "));
  }

  /// The other end's processors are another machine's.
  @ParameterizedTest
  @CsvSource({
    "SENDER, ''",
    "RECEIVER, other programs kept the processors busy: zcp waited 5.00 s for one"
  })
  void onlyTheEndThatWaitedNamesOtherPrograms(WorkSide side, String advice) {
    TransferFacts facts =
        new TransferFacts(
            ELAPSED_NS,
            WorkSide.SENDER,
            stages(""),
            stages(""),
            used(10),
            new ProcessTimes(ns("40"), ns("50"), 0),
            Network.NONE);
    EndFacts own = new EndFacts(side, 1, 1, 0, ns("50"), null);
    Bottleneck found = Bottleneck.of(Bottleneck.judge(facts), own);
    assertThat(found.side()).isEqualTo(WorkSide.RECEIVER);
    assertThat(found.advice()).isEqualTo(advice);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000 | 65536000 | create=60          | 1,000 files of 64.0 KiB",
        "1000 | 65537000 | create=60          | ''",
        "999  | 999      | create=60          | ''",
        "1000 | 1000     | create=40 open=30  | 1,000 files of 1 B",
        "1000 | 1000     | read=60            | ''",
      })
  void manySmallFilesAreNamedAsTheCause(long files, long bytes, String stages, String begin) {
    EndFacts own = new EndFacts(WorkSide.LOCAL, files, bytes, 0, 0, null);
    String rest = begin.isEmpty() ? "" : " on average: their number takes the time, not their size";
    assertThat(local(stages, used(10), own).advice()).isEqualTo(begin + rest);
  }

  @Test
  void nothingIsToldOfAShortTransfer() {
    TransferFacts facts =
        facts(299_999_999, WorkSide.LOCAL, "copy=97", "", ProcessTimes.UNKNOWN, Network.NONE);
    Bottleneck found = of(facts);
    assertThat(found.confidence()).isEqualTo(Confidence.UNKNOWN);
    assertThat(found.sentence()).endsWith("too short to tell");
    assertThat(found.isTooShort()).isTrue();
    assertThat(of(WorkSide.LOCAL, "copy=30", "", ProcessTimes.UNKNOWN, Network.NONE).isTooShort())
        .isFalse();
  }

  @Test
  void theSentenceNamesTheLimitItsShareAndWhatIsNext() {
    Bottleneck close = of(WorkSide.SENDER, "read=90 digest=45", "write=3", used(2), Network.NONE);
    assertThat(close.sentence())
        .isEqualTo(
            "probably limited by read of the sender: 90 % of the time; next: digest of the sender"
                + " 45 %");
    Bottleneck far = of(WorkSide.SENDER, "read=91 digest=40", "write=3", used(2), Network.NONE);
    assertThat(far.sentence()).isEqualTo("limited by read of the sender: 91 % of the time");
    assertThat(far.runnerUp()).isEqualTo("digest of the sender 40 %");
    assertThat(of(WorkSide.LOCAL, "copy=60", "", ProcessTimes.UNKNOWN, Network.NONE).sentence())
        .isEqualTo("probably limited by copy: 60 % of the time");
    assertThat(
            of(WorkSide.LOCAL, "publish=31 create=24", "", ProcessTimes.UNKNOWN, Network.NONE)
                .sentence())
        .isEqualTo(
            "what limited it is not known: nothing took half of the time (most: publish 31 %)");
  }

  @Test
  void moreConnectionsAreAdvisedForALongWayThatHasOne() {
    String sender = "send=95 write=94";
    String receiver = "read=95";
    Network far = new Network(1, ELAPSED_NS, 0, 0, 20_000_000, 19_000_000, 0);
    assertThat(of(WorkSide.SENDER, sender, receiver, used(1), far).advice())
        .isEqualTo("try --connections=4");
    Network near = new Network(1, ELAPSED_NS, 0, 0, 200_000, 190_000, 0);
    assertThat(of(WorkSide.SENDER, sender, receiver, used(1), near).advice()).isEmpty();
    assertThat(of(WorkSide.SENDER, sender, receiver, used(1), far.plus(far)).advice()).isEmpty();
    assertThat(of(WorkSide.SENDER, "read=95", receiver, used(1), far).advice()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "90 | 0  | try a larger --socket-buffer at the receiver",
        "0  | 90 | try a larger --socket-buffer at the sender",
        "20 | 20 | try --connections=4",
      })
  void aLargerBufferIsAdvisedIfOneWasFullForHalfOfTheTime(
      int windowPercent, int bufferPercent, String advice) {
    long windowNs = ELAPSED_NS / 100 * windowPercent;
    long bufferNs = ELAPSED_NS / 100 * bufferPercent;
    Network network = new Network(1, ELAPSED_NS, windowNs, bufferNs, 20_000_000, 19_000_000, 0);
    assertThat(of(WorkSide.SENDER, "send=95 write=94", "read=95", used(1), network).advice())
        .isEqualTo(advice);
  }

  /// Packets wait for a link that is full: their round trips are longer than need be.
  @ParameterizedTest
  @CsvSource({"24000, try --connections=4", "26000, ''"})
  void moreConnectionsAreNotAdvisedForALinkThatIsFull(long roundTripUs, String advice) {
    Network network = new Network(1, ELAPSED_NS, 0, 0, roundTripUs * 1000, 20_000_000, 3);
    assertThat(of(WorkSide.SENDER, "send=95 write=94", "read=95", used(1), network).advice())
        .isEqualTo(advice);
  }

  /// Percentages of the time: what the sender waited for a processor, what the receiver did, and
  /// how long TCP had something under way, or the receiver no room.
  @ParameterizedTest
  @CsvSource({
    // The bytes arrive while the receiver waits for a processor.
    "5, 83, 95, 5, network, sure",
    "40, 83, 95, 5, network, sure",
    // The sender waits for one: it could have sent more.
    "50, 83, 95, 5, processor, likely",
    // The receiver leaves no room.
    "5, 83, 95, 20, processor, likely",
    "5, 83, 60, 0, processor, likely",
    // Nobody waits for a processor.
    "5, 10, 95, 5, network, sure",
  })
  void timeWithoutAProcessorIsNoLimitWhileTheLinkIsFull(
      int sender, int receiver, int busy, int noRoom, String limitedBy, String confidence) {
    TransferFacts facts =
        new TransferFacts(
            ELAPSED_NS,
            WorkSide.SENDER,
            stages("send=95 write=94"),
            stages("read=90 write=8"),
            new ProcessTimes(ns("5"), ns("" + sender), 0),
            new ProcessTimes(ns("9"), ns("" + receiver), 0),
            new Network(1, ns("" + busy), ns("" + noRoom), 0, 20_000_000, 1_000_000, 0));
    Bottleneck found = of(facts);
    assertThat(found.limitedBy()).isEqualTo(limitedBy);
    assertThat(found.confidence().word()).isEqualTo(confidence);
  }

  @Test
  void theFirstThatIsNamedTookMoreThanTheNext() {
    ProcessTimes sender = new ProcessTimes(ns("70"), ns("14"), 0);
    TransferFacts facts =
        new TransferFacts(
            ELAPSED_NS,
            WorkSide.SENDER,
            stages("read=59"),
            stages("write=30"),
            sender,
            used(10),
            Network.NONE);
    assertThat(of(facts).sentence())
        .isEqualTo(
            "probably limited by the processor of the sender: 84 % of the time; next: read of the"
                + " sender 59 %");
  }

  /// As with TLS, and a sender that has one core: several threads of the receiver are busy, and one
  /// of them waits.
  @Test
  void aProcessThatWaitsForTheOtherEndIsNotTheLimitMeanwhile() {
    TransferFacts facts =
        new TransferFacts(
            ELAPSED_NS,
            WorkSide.SENDER,
            stages("read=15"),
            stages("read=49 write=24"),
            used(82),
            used(93),
            Network.NONE);
    assertThat(of(facts).sentence())
        .isEqualTo(
            "probably limited by the processor of the sender: 82 % of the time; next: the processor"
                + " of the receiver busy 51 %");
  }

  @Test
  void theReceiverSaysNothingOfItsOwnIfTheSenderDoesNotTell() {
    Bottleneck found = Bottleneck.of(null, EndFacts.UNKNOWN);
    assertThat(found.sentence()).isEqualTo("what limited it is not known: the sender did not tell");
    assertThat(found.isKnown()).isFalse();
  }

  @Test
  void aLoginTookTimeOfTheClockThatItStarted() {
    assertThat(of(WorkSide.SENDER, "login=80", "", ProcessTimes.UNKNOWN, Network.NONE).sentence())
        .startsWith("limited by login of the sender: 80 % of the time");
    Bottleneck ofReceiver =
        of(WorkSide.SENDER, "read=60", "login=90", ProcessTimes.UNKNOWN, Network.NONE);
    assertThat(ofReceiver.sentence()).contains("read of the sender: 60 %").doesNotContain("login");
  }

  @Test
  void adviceNamesTheOptionThatMadeItSlow() {
    assertThat(of(WorkSide.LOCAL, "flush=90", "", ProcessTimes.UNKNOWN, Network.NONE).advice())
        .isEqualTo("--fsync and --verify=media wait for the device: leave them out if you can");
    assertThat(of(WorkSide.SENDER, "pace=95", "", ProcessTimes.UNKNOWN, Network.NONE).advice())
        .as("whoever typed the limit knows")
        .isEmpty();
    assertThat(of(WorkSide.LOCAL, "write=95", "", ProcessTimes.UNKNOWN, Network.NONE).advice())
        .isEmpty();
  }

  private static Bottleneck of(
      WorkSide side, String own, String peers, ProcessTimes process, Network network) {
    return of(facts(ELAPSED_NS, side, own, peers, process, network));
  }

  private static Bottleneck local(String stages, ProcessTimes process, EndFacts own) {
    TransferFacts facts = facts(ELAPSED_NS, WorkSide.LOCAL, stages, "", process, Network.NONE);
    return Bottleneck.of(Bottleneck.judge(facts), own);
  }

  private static Bottleneck of(TransferFacts facts) {
    return Bottleneck.of(Bottleneck.judge(facts), EndFacts.UNKNOWN);
  }

  private static TransferFacts facts(
      long elapsedNs,
      WorkSide side,
      String own,
      String peers,
      ProcessTimes process,
      Network network) {
    return new TransferFacts(
        elapsedNs, side, stages(own), stages(peers), process, process, network);
  }

  private static ProcessTimes used(int percent) {
    return percent < 0 ? ProcessTimes.UNKNOWN : new ProcessTimes(ns("" + percent), 0, 0);
  }

  private static Map<Stage, Latencies> stages(String words) {
    Map<Stage, Latencies> stages = new EnumMap<>(Stage.class);
    for (String each : words.isEmpty() ? new String[0] : words.split(" ")) {
      String[] stage = each.split("=");
      StageBook book = new StageBook(0);
      book.book(ns(stage[1]));
      stages.put(Stage.ofWord(stage[0]), book.close(0));
    }
    return stages;
  }

  private static long ns(String percent) {
    return ELAPSED_NS / 100 * Integer.parseInt(percent);
  }
}
