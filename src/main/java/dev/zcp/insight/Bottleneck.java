package dev.zcp.insight;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ProcessTimes;
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
/// @param advice what to try, without a full stop; empty if nothing is known to help
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

  /// The time of a shorter transfer is mostly start-up and a few slow calls.
  static final long TOLD_FROM_NS = 300_000_000;

  /// What took less than half of the time did not limit it.
  private static final double LIMITS_MIN = 0.5;

  /// What took this share is surely the limit, if nothing else took more than [#RIVAL_MAX].
  private static final double SURE_MIN = 0.8;

  private static final double RIVAL_MAX = 0.4;

  /// A process that used less than this share of one processor was waiting.
  private static final double IDLE_MAX = 0.5;

  /// A share that is told as a runner-up.
  private static final double TOLD_MIN = 0.05;

  /// What waits to be written is told from this part of what slows writers down.
  private static final double DIRTY_TOLD_MIN = 0.5;

  /// With a longer round trip, several connections use more of the network than one.
  private static final double ROUND_TRIP_MS_MAX = 5;

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
  /// @param deviceReadBytes what this end had to read from devices, since the page cache did not
  ///   have it; -1 if that is not known
  /// @param dirty what the machine still had to write to devices at the end; null if that is not
  ///   known
  public record TransferFacts(
      long elapsedNs,
      WorkSide side,
      Map<Stage, Latencies> stages,
      Map<Stage, Latencies> peerStages,
      ProcessTimes process,
      ProcessTimes peerProcess,
      Network network,
      long deviceReadBytes,
      DirtyPages dirty) {

    /// The share of the time that the busiest thread of an end spent in a stage.
    private double share(WorkSide at, Stage stage) {
      Latencies latencies = (at == side ? stages : peerStages).get(stage);
      return latencies == null ? 0 : Math.min(1, (double) latencies.busiestNs() / elapsedNs);
    }

    private ProcessTimes process(WorkSide at) {
      return at == side ? process : peerProcess;
    }

    private double share(long ns) {
      return Math.min(1, (double) ns / elapsedNs);
    }

    /// Whether an end is known to have had a processor whenever it wanted one, and to have used it
    /// seldom.
    private boolean isIdle(WorkSide at) {
      ProcessTimes times = process(at);
      long busyNs = times.usedNs() + times.starvedNs() + times.stoppedNs();
      return times.usedNs() >= 0 && share(busyNs) < IDLE_MAX;
    }
  }

  /// What tcp(7) tells of the connections that this end sent over, together.
  ///
  /// @param connections how many there were between two machines; 0 if there was no network
  /// @param busyNs the most that one of them had something under way
  /// @param windowNs how long of that the receiver had no room
  /// @param bufferNs how long of that the buffer of this end was too small
  /// @param roundTripNs the longest round trip, smoothed
  /// @param repeated segments that were sent again
  public record Network(
      int connections, long busyNs, long windowNs, long bufferNs, long roundTripNs, long repeated) {

    public static final Network NONE = new Network(0, 0, 0, 0, 0, 0);

    /// Without the times, for an end that received: they are those of the few bytes that it sent.
    public Network received() {
      return new Network(connections, 0, 0, 0, roundTripNs, 0);
    }

    /// Both together: of times that of the busier one.
    Network plus(Network more) {
      Network busier = more.busyNs > busyNs ? more : this;
      return new Network(
          connections + more.connections,
          busier.busyNs,
          busier.windowNs,
          busier.bufferNs,
          Math.max(roundTripNs, more.roundTripNs),
          repeated + more.repeated);
    }
  }

  /// What may have limited it.
  ///
  /// @param isDoubtful whether its share may be of something else, too
  /// @param rank how early it is named
  private record Suspect(
      String word, String label, WorkSide side, double share, boolean isDoubtful, double rank) {

    Suspect(String word, String label, WorkSide side, double share, boolean isDoubtful) {
      this(word, label, side, share, isDoubtful, share);
    }

    /// Empty if it is not worth telling. A processor may be busy while a stage takes longer: two
    /// shares that are no contradiction.
    String told() {
      return share < TOLD_MIN
          ? ""
          : label + (word.equals(PROCESSOR) ? " busy " : " ") + percent(share);
    }
  }

  public static Bottleneck of(TransferFacts facts) {
    if (facts.elapsedNs < TOLD_FROM_NS) {
      return unknown("what limited it is not known: it was too short to tell", "", List.of());
    }
    List<Suspect> suspects = suspects(facts);
    suspects.sort((a, b) -> Double.compare(b.rank, a.rank));
    List<String> evidence = evidence(facts, suspects);
    Suspect first = suspects.isEmpty() ? null : suspects.getFirst();
    String runnerUp = suspects.size() > 1 ? suspects.get(1).told() : "";
    if (first == null || first.share < LIMITS_MIN) {
      String most = first == null ? "" : first.told();
      return unknown(
          "what limited it is not known: nothing took half of the time"
              + (most.isEmpty() ? "" : " (most: " + most + ")"),
          most,
          evidence);
    }
    double rival = suspects.size() > 1 ? suspects.get(1).share : 0;
    boolean isSure = !first.isDoubtful && first.share >= SURE_MIN && rival <= RIVAL_MAX;
    String sentence =
        (isSure ? "limited by " : "probably limited by ")
            + first.label
            + ": "
            + percent(first.share)
            + " of the time"
            + (runnerUp.isEmpty() ? "" : "; next: " + runnerUp);
    return new Bottleneck(
        sentence,
        first.word,
        first.side,
        first.share,
        runnerUp,
        evidence,
        isSure ? Confidence.SURE : Confidence.LIKELY,
        advice(first, facts));
  }

  private static Bottleneck unknown(String sentence, String most, List<String> evidence) {
    return new Bottleneck(sentence, UNKNOWN, null, 0, most, evidence, Confidence.UNKNOWN, "");
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
      addProcess(suspects, facts, WorkSide.LOCAL);
      return suspects;
    }
    for (WorkSide side : List.of(WorkSide.SENDER, WorkSide.RECEIVER)) {
      addWork(suspects, facts, side);
    }
    double paced =
        Math.max(
            facts.share(WorkSide.SENDER, Stage.PACE), facts.share(WorkSide.RECEIVER, Stage.PACE));
    if (paced > 0) {
      suspects.add(new Suspect(RATE_LIMIT, "--limit-rate", null, paced, false));
    }
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
            case OPEN, CREATE, DIGEST, JOURNAL, READ_BACK, FLUSH, METADATA, PUBLISH -> true;
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
    if (share <= 0) {
      return;
    }
    Latencies latencies = (side == facts.side ? facts.stages : facts.peerStages).get(stage);
    // More than the whole time: several threads share a place in the books.
    boolean isDoubtful = latencies.busiestNs() > facts.elapsedNs + TOLD_FROM_NS;
    String label =
        side == WorkSide.LOCAL ? stage.label() : stage.label() + " of the " + side.word();
    suspects.add(new Suspect(stage.word(), label, side, share, isDoubtful));
  }

  /// What kept a process from running for half of the time is named first: all that it did
  /// meanwhile took longer for it. What a process took of the processors is named if no stage
  /// explains the time; several threads may have taken it at once, so it is never sure.
  private static void addProcess(List<Suspect> suspects, TransferFacts facts, WorkSide side) {
    ProcessTimes times = facts.process(side);
    String of = side == WorkSide.LOCAL ? "" : " of the " + side.word();
    double stopped = facts.share(times.stoppedNs());
    double starved = facts.share(times.starvedNs());
    double busy = facts.share(Math.max(0, times.usedNs()) + times.starvedNs());
    if (stopped > 0) {
      double rank = stopped < LIMITS_MIN ? stopped : 1 + stopped;
      suspects.add(new Suspect(JVM, "pauses" + of, side, stopped, false, rank));
    }
    if (busy > 0) {
      double rank = starved < LIMITS_MIN ? Math.min(busy, LIMITS_MIN) : 1 + starved;
      suspects.add(new Suspect(PROCESSOR, "the processor" + of, side, busy, true, rank));
    }
  }

  /// The network is a suspect if both ends wait for it: the sender cannot get rid of bytes, and the
  /// receiver gets none. An end that is busy, or stands still, looks like that, too. If the sender
  /// has nothing to wait for, since the kernel has taken all, any stage explains more.
  private static void addNetwork(List<Suspect> suspects, TransferFacts facts) {
    double writing =
        Math.max(
            facts.share(WorkSide.SENDER, Stage.WRITE),
            facts.share(WorkSide.SENDER, Stage.SEND) - facts.share(WorkSide.SENDER, Stage.READ));
    double waiting = Math.min(1, writing + facts.share(WorkSide.SENDER, Stage.WINDOW));
    // What the kernel has taken from the sender may still wait there.
    Network network = facts.network;
    double sending = Math.max(waiting, facts.share(network.busyNs));
    double receiving = facts.share(WorkSide.RECEIVER, Stage.READ);
    double share = Math.min(sending, receiving);
    boolean isIdle = facts.isIdle(WorkSide.SENDER) && facts.isIdle(WorkSide.RECEIVER);
    if (network.connections > 0 && isIdle && share >= LIMITS_MIN) {
      long freeNs = network.busyNs - network.windowNs - network.bufferNs;
      boolean isSeenByKernel = freeNs >= SURE_MIN * facts.elapsedNs;
      double rank = waiting >= LIMITS_MIN ? share : LIMITS_MIN;
      suspects.add(new Suspect(NETWORK, "the network", null, share, !isSeenByKernel, rank));
    }
  }

  private static List<String> evidence(TransferFacts facts, List<Suspect> suspects) {
    List<String> evidence = new ArrayList<>();
    for (Suspect suspect : suspects) {
      if (!suspect.told().isEmpty()) {
        evidence.add(suspect.told() + " of the time");
      }
    }
    if (facts.deviceReadBytes > 0) {
      evidence.add(new ByteSize(facts.deviceReadBytes) + " were read from a device");
    }
    DirtyPages dirty = facts.dirty;
    if (dirty != null && dirty.bytes() > DIRTY_TOLD_MIN * dirty.slowedFromBytes()) {
      evidence.add(
          new ByteSize(dirty.bytes())
              + " of this machine's memory waited to be written to devices; from "
              + new ByteSize(dirty.slowedFromBytes())
              + " on the kernel slows writers down");
    }
    Network network = facts.network;
    if (network.connections > 0 && network.busyNs > 0) {
      evidence.add(
          "TCP had something under way "
              + percent((double) network.busyNs / facts.elapsedNs)
              + " of the time; the receiver had no room "
              + percent((double) network.windowNs / facts.elapsedNs)
              + ", the send buffer was full "
              + percent((double) network.bufferNs / facts.elapsedNs));
      evidence.add(
          "round trip "
              + Math.round(network.roundTripNs / 1e3)
              + " microseconds, segments repeated "
              + network.repeated);
    }
    return evidence;
  }

  /// What is known to help, in options of zcp.
  private static String advice(Suspect limit, TransferFacts facts) {
    if (limit.word.equals(NETWORK)) {
      return networkAdvice(facts);
    }
    if (limit.word.equals(RATE_LIMIT)) {
      return "try a higher --limit-rate";
    }
    return limit.word.equals(Stage.FLUSH.word())
        ? "--fsync and --verify=media wait for the device: leave them out if you can"
        : "";
  }

  private static String networkAdvice(TransferFacts facts) {
    Network network = facts.network;
    if (facts.share(network.bufferNs) >= LIMITS_MIN) {
      return "try a larger --socket-buffer at the sender";
    }
    if (facts.share(network.windowNs) >= LIMITS_MIN) {
      return "try a larger --socket-buffer at the receiver";
    }
    boolean isLong = network.roundTripNs >= ROUND_TRIP_MS_MAX * 1e6 || network.repeated > 0;
    return network.connections == 1 && isLong ? "try --connections=4" : "";
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }
}
