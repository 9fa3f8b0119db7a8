package dev.zcp.insight;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Network;
import dev.zcp.core.ProcessTimes;
import dev.zcp.core.Prose;
import dev.zcp.linux.DirtyPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What limited a transfer, as far as what was measured proves it.
///
/// @param sentence for a person, without a full stop
/// @param limitedBy the word of a [Stage], or one of the constants here
/// @param side of the stage; null if it is none
/// @param share of the time, from 0 to 1; 0 if nothing is known
/// @param runnerUp what took most of the time beside it, in words; empty if nothing did
/// @param evidence each a phrase without a full stop
/// @param advice what is probably behind it, or what to try, without a full stop; empty if neither
///   is known
public record Bottleneck(
    String sentence,
    String limitedBy,
    WorkSide side,
    double share,
    String runnerUp,
    List<String> evidence,
    Confidence confidence,
    String advice) {

  public static final String NETWORK = "network";
  public static final String PROCESSOR = "processor";
  public static final String JVM = "jvm";
  public static final String RATE_LIMIT = "rateLimit";
  public static final String UNKNOWN = "unknown";

  /// So many shares are told, the largest first.
  public static final int SHARES_MAX = 8;

  /// The time of a shorter transfer is mostly start-up and a few slow calls.
  static final long TOLD_FROM_NS = 300_000_000;

  /// What took a smaller part of the time, in percent, did not limit it.
  private static final int LIMITS_MIN = 50;

  /// What took this part is surely the limit, if nothing else took more than [#RIVAL_MAX].
  private static final int SURE_MIN = 80;

  private static final int RIVAL_MAX = 40;

  /// A process that used less of one processor was waiting.
  private static final int IDLE_MAX = 50;

  /// A share that is told.
  private static final int TOLD_MIN = 5;

  /// A thread that waited for a processor for a larger part of the time was kept up by others.
  private static final int STARVED_MIN = 30;

  /// Of so many files that are this small on average, the number counts and not the bytes.
  private static final int SMALL_FILES_MIN = 1000;

  private static final long SMALL_BYTES_MAX = 64 << 10;

  /// What waits to be written is told from this part of what slows writers down.
  private static final double DIRTY_TOLD_MIN = 0.5;

  /// With a longer round trip, several connections use more of the network than one.
  private static final long ROUND_TRIP_NS_MAX = 5_000_000;

  /// If round trips take longer than so many times the shortest one, packets wait for the link, and
  /// more connections would only share it.
  private static final double QUEUE_MIN = 1.25;

  public boolean isTooShort() {
    return confidence == Confidence.UNKNOWN && evidence.isEmpty() && runnerUp.isEmpty();
  }

  /// Whether something is named.
  public boolean isKnown() {
    return confidence != Confidence.UNKNOWN;
  }

  public enum Confidence {
    SURE("sure"),
    LIKELY("likely"),
    UNKNOWN("unknown");

    private final String word;

    Confidence(String word) {
      this.word = word;
    }

    /// As programs read it.
    public String word() {
      return word;
    }
  }

  /// What was measured.
  ///
  /// @param elapsedNs the time of the whole
  /// @param side this end
  /// @param stages of this end
  /// @param peerStages of the other end; empty if it told nothing
  /// @param process what this process took of the processors meanwhile
  /// @param peerProcess the same of the other end
  /// @param network what the kernel says of the connections; [Network#NONE] if nothing
  public record TransferFacts(
      long elapsedNs,
      WorkSide side,
      Map<Stage, Latencies> stages,
      Map<Stage, Latencies> peerStages,
      ProcessTimes process,
      ProcessTimes peerProcess,
      Network network) {

    private Latencies latencies(WorkSide at, Stage stage) {
      return (at == side ? stages : peerStages).get(stage);
    }

    /// The share of the time that the busiest thread of an end spent in a stage. If the process
    /// could not run for half of the time, it is less by that: the thread could not run either.
    private double share(WorkSide at, Stage stage) {
      return Math.max(0, share(busiestNs(at, stage)) - stillShare(at));
    }

    private double stillShare(WorkSide at) {
      double stopped = share(process(at).stoppedNs());
      double starved = isLinkFull() ? 0 : share(process(at).starvedNs());
      return (stopped < LIMITS_MIN ? 0 : stopped) + (starved < LIMITS_MIN ? 0 : starved);
    }

    private ProcessTimes process(WorkSide at) {
      return at == side ? process : peerProcess;
    }

    /// In percent.
    private double share(long ns) {
      return Math.min(100, 100.0 * ns / elapsedNs);
    }

    /// Whether an end is known to have had a processor whenever it wanted one, and to have used it
    /// seldom.
    private boolean isIdle(WorkSide at) {
      ProcessTimes times = process(at);
      long starvedNs = isLinkFull() ? 0 : times.starvedNs();
      return times.usedNs() >= 0
          && share(times.usedNs() + starvedNs + times.stoppedNs()) < IDLE_MAX;
    }

    private long busiestNs(WorkSide at, Stage stage) {
      Latencies latencies = latencies(at, stage);
      return latencies == null ? 0 : latencies.busiestNs();
    }

    /// How long the sender could not get rid of bytes. Where the kernel moves them, no call is only
    /// a write.
    private long sendingNs() {
      long stepsNs =
          busiestNs(WorkSide.SENDER, Stage.SEND)
              - busiestNs(WorkSide.SENDER, Stage.READ)
              - busiestNs(WorkSide.SENDER, Stage.COMPRESS);
      return Math.max(busiestNs(WorkSide.SENDER, Stage.WRITE), stepsNs)
          + busiestNs(WorkSide.SENDER, Stage.WINDOW);
    }

    /// The share of the time that an end of a session waited for the other one, or a copy for
    /// `--limit-rate`.
    private double waitingShare(WorkSide at) {
      Stage waiting =
          switch (at) {
            case LOCAL -> Stage.PACE;
            case SENDER -> Stage.WINDOW;
            case RECEIVER -> Stage.READ;
          };
      return share(at, waiting);
    }

    /// Whether TCP had something to send all the time, and room for it at both ends.
    private boolean isTcpBusy() {
      return share(network.busyNs() - network.windowNs() - network.bufferNs()) >= SURE_MIN;
    }

    /// Whether all waited for the link: TCP was busy while the sender waited for the socket, and
    /// not for a processor. Then it does not matter how long a process waits for a processor: the
    /// bytes arrive meanwhile.
    private boolean isLinkFull() {
      long waitedNs = sendingNs() - process(WorkSide.SENDER).starvedNs();
      return network.connections() > 0 && isTcpBusy() && share(waitedNs) >= LIMITS_MIN;
    }
  }

  /// What took time.
  ///
  /// @param word of a [Stage], that of PACE for `--limit-rate`; or [#NETWORK], [#PROCESSOR], [#JVM]
  /// @param side null if it is of both ends
  /// @param percent of the time, from 0 to 100
  public record TimeShare(String word, WorkSide side, int percent) {

    /// As another end says it; null if this one does not know the word.
    public static TimeShare of(String word, WorkSide side, int percent) {
      boolean isKnown =
          switch (word) {
            case NETWORK, PROCESSOR, JVM -> true;
            default -> Stage.ofWord(word) != null;
          };
      return isKnown ? new TimeShare(word, side, percent) : null;
    }

    /// A processor may be busy while a stage takes longer: two shares that are no contradiction.
    private String told() {
      return label() + (word.equals(PROCESSOR) ? " busy " : " ") + percent + " %";
    }

    private String label() {
      String what =
          switch (word) {
            case NETWORK -> "the network";
            case PROCESSOR -> "the processor";
            case JVM -> "pauses";
            default -> isPace() ? "--limit-rate" : Stage.ofWord(word).label();
          };
      return side == null || side == WorkSide.LOCAL ? what : what + " of the " + side.word();
    }

    private boolean isPace() {
      return word.equals(Stage.PACE.word());
    }

    /// Whether it takes about as long for a small file as for a large one.
    private boolean isOfEachFile() {
      return word.equals(PROCESSOR)
          || word.equals(Stage.OPEN.word())
          || word.equals(Stage.CREATE.word())
          || word.equals(Stage.METADATA.word())
          || word.equals(Stage.PUBLISH.word());
    }

    private String limitedBy() {
      return isPace() ? RATE_LIMIT : word;
    }
  }

  /// What was found. The sender of a session finds it and tells the receiver, so both ends say the
  /// same.
  ///
  /// @param elapsedNs the time of the whole
  /// @param isSure whether the first share is surely the limit
  /// @param shares the largest first; at most [#SHARES_MAX]
  public record Judgement(long elapsedNs, boolean isSure, List<TimeShare> shares, Network network) {

    /// Whether it took long enough to tell.
    public boolean isTold() {
      return elapsedNs >= TOLD_FROM_NS;
    }
  }

  /// @param isDoubtful whether its share may be of something else, too
  private record Suspect(TimeShare share, boolean isDoubtful) {}

  public static Judgement judge(TransferFacts facts) {
    if (facts.elapsedNs < TOLD_FROM_NS) {
      return new Judgement(facts.elapsedNs, false, List.of(), Network.NONE);
    }
    List<Suspect> suspects = suspects(facts);
    suspects.removeIf(each -> each.share.percent < TOLD_MIN);
    suspects.sort((a, b) -> Integer.compare(b.share.percent, a.share.percent));
    Suspect first = suspects.isEmpty() ? null : suspects.getFirst();
    int rival = suspects.size() > 1 ? suspects.get(1).share.percent : 0;
    boolean isSure =
        first != null && !first.isDoubtful && first.share.percent >= SURE_MIN && rival <= RIVAL_MAX;
    List<TimeShare> shares = new ArrayList<>();
    for (Suspect each : suspects.subList(0, Math.min(SHARES_MAX, suspects.size()))) {
      shares.add(each.share);
    }
    return new Judgement(facts.elapsedNs, isSure, shares, facts.network);
  }

  /// What this end knows of itself. Nobody tells it to the other one.
  ///
  /// @param side where it is
  /// @param files how many were moved
  /// @param bytes how many were moved
  /// @param deviceReadBytes what had to be read from devices, since the page cache did not have it;
  ///   -1 if that is not known, or says nothing, since a source is no file
  /// @param starvedNs how long a thread that moved bytes waited for a processor
  /// @param dirty what this machine still had to write to devices at the end; null if that is not
  ///   known
  public record EndFacts(
      WorkSide side,
      long files,
      long bytes,
      long deviceReadBytes,
      long starvedNs,
      DirtyPages dirty) {

    public static final EndFacts UNKNOWN = new EndFacts(WorkSide.LOCAL, 0, 0, -1, 0, null);

    /// Whether the kernel slows writers down, or soon would.
    private boolean isWriteMemoryFull() {
      return dirty != null && dirty.bytes() > DIRTY_TOLD_MIN * dirty.slowedFromBytes();
    }

    private boolean areFilesSmall() {
      return files >= SMALL_FILES_MIN && bytes / files <= SMALL_BYTES_MAX;
    }
  }

  /// In words.
  ///
  /// @param found null if the sender did not tell
  public static Bottleneck of(Judgement found, EndFacts own) {
    if (found == null) {
      return unknown("what limited it is not known: the sender did not tell", "", List.of(), "");
    }
    if (!found.isTold()) {
      return unknown("what limited it is not known: it was too short to tell", "", List.of(), "");
    }
    List<TimeShare> shares = found.shares;
    List<String> evidence = evidence(found, own);
    TimeShare first = shares.isEmpty() ? null : shares.getFirst();
    if (first == null || first.percent < LIMITS_MIN) {
      String most = first == null ? "" : first.told();
      return unknown(
          "what limited it is not known: nothing took half of the time"
              + (most.isEmpty() ? "" : " (most: " + most + ")"),
          most,
          evidence,
          own.areFilesSmall() ? smallFiles(own) : "");
    }
    TimeShare next = shares.size() > 1 ? shares.get(1) : null;
    String sentence =
        (found.isSure ? "limited by " : "probably limited by ")
            + first.label()
            + ": "
            + first.percent
            + " % of the time"
            + (isRival(next, first) ? "; next: " + next.told() : "");
    return new Bottleneck(
        sentence,
        first.limitedBy(),
        first.side,
        first.percent / 100.0,
        next == null ? "" : next.told(),
        evidence,
        found.isSure ? Confidence.SURE : Confidence.LIKELY,
        advice(first, found, own));
  }

  /// Whether it could have been the limit, too. If not, it would only make the sentence longer.
  private static boolean isRival(TimeShare next, TimeShare first) {
    return next != null && 2 * next.percent >= first.percent;
  }

  private static Bottleneck unknown(
      String sentence, String most, List<String> evidence, String advice) {
    return new Bottleneck(sentence, UNKNOWN, null, 0, most, evidence, Confidence.UNKNOWN, advice);
  }

  private static List<Suspect> suspects(TransferFacts facts) {
    List<Suspect> suspects = new ArrayList<>();
    if (facts.side == WorkSide.LOCAL) {
      addWork(suspects, facts, WorkSide.LOCAL);
      add(suspects, facts, WorkSide.LOCAL, Stage.READ);
      add(suspects, facts, WorkSide.LOCAL, Stage.WRITE);
      // A step contains its reads and writes.
      double inside =
          facts.share(WorkSide.LOCAL, Stage.READ) + facts.share(WorkSide.LOCAL, Stage.WRITE);
      double rest = facts.share(WorkSide.LOCAL, Stage.COPY) - inside;
      addStage(suspects, facts, WorkSide.LOCAL, Stage.COPY, rest);
      double paced = facts.share(WorkSide.LOCAL, Stage.PACE);
      add(suspects, Stage.PACE.word(), null, paced, false);
      addProcess(suspects, facts, WorkSide.LOCAL);
      return suspects;
    }
    for (WorkSide side : List.of(WorkSide.SENDER, WorkSide.RECEIVER)) {
      addWork(suspects, facts, side);
    }
    double paced =
        Math.max(
            facts.share(WorkSide.SENDER, Stage.PACE), facts.share(WorkSide.RECEIVER, Stage.PACE));
    add(suspects, Stage.PACE.word(), null, paced, false);
    // At a sender, a write goes to the network; at a receiver, a read comes from there.
    add(suspects, facts, WorkSide.SENDER, Stage.READ);
    add(suspects, facts, WorkSide.RECEIVER, Stage.WRITE);
    addNetwork(suspects, facts);
    addProcess(suspects, facts, WorkSide.SENDER);
    addProcess(suspects, facts, WorkSide.RECEIVER);
    return suspects;
  }

  /// The stages in which an end works and waits for nobody at the other one.
  private static void addWork(List<Suspect> suspects, TransferFacts facts, WorkSide side) {
    for (Stage stage : Stage.values()) {
      boolean isWork =
          switch (stage) {
            // The time is that of the sender's clock, which a login of the receiver precedes.
            case LOGIN -> side == WorkSide.SENDER;
            case OPEN, CREATE, DIGEST, COMPRESS, JOURNAL, READ_BACK, FLUSH, METADATA, PUBLISH ->
                true;
            case READ, WRITE, COPY, SEND, RECEIVE, WINDOW, QUEUE, PACE, FILE -> false;
          };
      if (isWork) {
        add(suspects, facts, side, stage);
      }
    }
  }

  private static void add(List<Suspect> suspects, TransferFacts facts, WorkSide side, Stage stage) {
    addStage(suspects, facts, side, stage, facts.share(side, stage));
  }

  private static void addStage(
      List<Suspect> suspects, TransferFacts facts, WorkSide side, Stage stage, double share) {
    // More than the whole time: several threads share a place in the books.
    boolean isDoubtful = facts.busiestNs(side, stage) > facts.elapsedNs + TOLD_FROM_NS;
    add(suspects, stage.word(), side, share, isDoubtful);
  }

  private static void add(
      List<Suspect> suspects, String word, WorkSide side, double share, boolean isDoubtful) {
    suspects.add(new Suspect(new TimeShare(word, side, (int) Math.round(share)), isDoubtful));
  }

  /// What a process took of the processors may have been taken by several threads at once, so it is
  /// never sure. Digests and compression are left out: they have a stage. Time without a processor
  /// counts, unless the link was full meanwhile.
  private static void addProcess(List<Suspect> suspects, TransferFacts facts, WorkSide side) {
    ProcessTimes times = facts.process(side);
    add(suspects, JVM, side, facts.share(times.stoppedNs()), false);
    long starvedNs = facts.isLinkFull() ? 0 : times.starvedNs();
    long usedNs =
        times.usedNs()
            - facts.busiestNs(side, Stage.DIGEST)
            - facts.busiestNs(side, Stage.COMPRESS);
    double busy = facts.share(Math.max(0, usedNs) + starvedNs);
    // While it waited for something else, it did not hold that up: other threads of it were busy.
    add(suspects, PROCESSOR, side, Math.min(busy, 100 - facts.waitingShare(side)), true);
  }

  /// The network is a suspect if both ends wait for it: the sender cannot get rid of bytes, and the
  /// receiver gets none. An end that is busy, or stands still, looks like that, too.
  private static void addNetwork(List<Suspect> suspects, TransferFacts facts) {
    Network network = facts.network;
    if (network.connections() == 0
        || !facts.isIdle(WorkSide.SENDER)
        || !facts.isIdle(WorkSide.RECEIVER)) {
      return;
    }
    double waiting = facts.share(facts.sendingNs());
    // What the kernel has taken from the sender may still wait there; but a sender that waits for
    // its source, or for its own limit, has sent all that it could.
    double left =
        100 - facts.share(WorkSide.SENDER, Stage.READ) - facts.share(WorkSide.SENDER, Stage.PACE);
    double sending = Math.max(waiting, Math.min(left, facts.share(network.busyNs())));
    double share = Math.min(sending, facts.share(WorkSide.RECEIVER, Stage.READ));
    if (facts.isLinkFull()) {
      // The receiver may wait for a processor as well.
      share = waiting;
    }
    // A call that reads as well may wait for the source, and on a long way TCP has something under
    // way all the same.
    boolean isWrite = facts.busiestNs(WorkSide.SENDER, Stage.WRITE) > 0 || isQueue(network);
    add(suspects, NETWORK, null, share, !facts.isTcpBusy() || !isWrite);
  }

  /// Whether packets wait for the link: it is full.
  private static boolean isQueue(Network network) {
    return network.leastRoundTripNs() > 0
        && network.roundTripNs() > QUEUE_MIN * network.leastRoundTripNs();
  }

  private static List<String> evidence(Judgement found, EndFacts own) {
    List<String> evidence = new ArrayList<>();
    for (TimeShare share : found.shares) {
      evidence.add(share.told() + " of the time");
    }
    if (own.deviceReadBytes > 0) {
      evidence.add(new ByteSize(own.deviceReadBytes) + " were read from a device");
    }
    if (own.isWriteMemoryFull()) {
      evidence.add(
          new ByteSize(own.dirty.bytes())
              + " of this machine's memory waited to be written to devices; from "
              + new ByteSize(own.dirty.slowedFromBytes())
              + " on the kernel slows writers down");
    }
    if (100 * own.starvedNs >= TOLD_MIN * found.elapsedNs) {
      evidence.add("a thread waited " + new Elapsed(own.starvedNs) + " for a processor");
    }
    Network network = found.network;
    if (network.connections() > 0 && network.busyNs() > 0) {
      evidence.add(
          "TCP had something under way "
              + percent(network.busyNs(), found)
              + " of the time; the receiver had no room "
              + percent(network.windowNs(), found)
              + ", the send buffer was full "
              + percent(network.bufferNs(), found));
      evidence.add(
          "round trip "
              + Math.round(network.roundTripNs() / 1e3)
              + " microseconds, the shortest "
              + Math.round(network.leastRoundTripNs() / 1e3)
              + ", segments repeated "
              + network.repeated());
    }
    return evidence;
  }

  private static String advice(TimeShare limit, Judgement found, EndFacts own) {
    if (limit.word.equals(NETWORK)) {
      return networkAdvice(found);
    }
    if (limit.word.equals(Stage.FLUSH.word())) {
      return "--fsync and --verify=media wait for the device: leave them out if you can";
    }
    if (limit.side == WorkSide.LOCAL && limit.word.equals(Stage.COPY.word())) {
      return slowEnd(found, own);
    }
    if (limit.side == own.side
        && limit.word.equals(PROCESSOR)
        && 100 * own.starvedNs >= STARVED_MIN * found.elapsedNs) {
      return "other programs kept the processors busy: zcp waited "
          + new Elapsed(own.starvedNs)
          + " for one";
    }
    return limit.isOfEachFile() && own.areFilesSmall() ? smallFiles(own) : "";
  }

  /// Which end made the copying slow if the kernel moves the bytes: one call reads and writes. A
  /// source that is no file may be slow without any disk.
  private static String slowEnd(Judgement found, EndFacts own) {
    for (TimeShare share : found.shares) {
      if (share.word.equals(Stage.READ_BACK.word())) {
        // Nobody knows which of the two was read from a device.
        return "";
      }
    }
    String either = "the source or the target is slow: --strategy=direct tells which";
    if (own.deviceReadBytes < 0) {
      return either;
    }
    if (own.isWriteMemoryFull()) {
      return "probably the disk of the target: "
          + new ByteSize(own.dirty.bytes())
          + " waited in memory to be written";
    }
    if (own.deviceReadBytes >= own.bytes / 2 && own.bytes > 0) {
      return "probably the disk of the source: "
          + new ByteSize(own.deviceReadBytes)
          + " had to be read from it";
    }
    return own.deviceReadBytes < own.bytes / 10
        ? "probably the target: next to nothing had to be read from a disk here"
        : either;
  }

  private static String smallFiles(EndFacts own) {
    return Prose.grouped(own.files)
        + " files of "
        + new ByteSize(own.bytes / own.files)
        + " on average: their number takes the time, not their size";
  }

  private static String networkAdvice(Judgement found) {
    Network network = found.network;
    if (network.bufferNs() >= found.elapsedNs / 2) {
      return "try a larger --socket-buffer at the sender";
    }
    if (network.windowNs() >= found.elapsedNs / 2) {
      return "try a larger --socket-buffer at the receiver";
    }
    boolean isLong = network.roundTripNs() >= ROUND_TRIP_NS_MAX || network.repeated() > 0;
    return network.connections() == 1 && isLong && !isQueue(network) ? "try --connections=4" : "";
  }

  private static String percent(long ns, Judgement found) {
    return Math.round(100.0 * ns / found.elapsedNs) + " %";
  }
}
