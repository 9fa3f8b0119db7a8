package dev.zcp.insight;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.insight.Event.Link;
import dev.zcp.linux.Instruments;
import dev.zcp.linux.OwnProcess;
import dev.zcp.linux.OwnProcess.InputOutput;
import java.util.List;
import java.util.Map;

/// How a command ended.
///
/// @param command `copy`, `send` or `receive`
/// @param strategyAsked the strategy asked for, `auto` among them
/// @param ran what really moved bytes, over all files, largest share first
/// @param filesDone files that are complete and published
/// @param filesFailed files that are not
/// @param bytes bytes moved in all, those of failed files among them
/// @param elapsedNs from the first byte of work to the last; waiting for a peer is not in it
/// @param verified the level reached for every file that is done; in a session at both ends, as far
///   as the other one could still say
/// @param exitCode what the process will return
/// @param message the failure that decided the exit code, or empty
/// @param stages the latencies by stage, only of stages that have samples, in the order of [Stage]
/// @param session what the bytes went over, or null if there was no peer
/// @param tree what there was besides files
/// @param findings what its times come to
/// @param process what this process took for it
public record Result(
    String command,
    String strategyAsked,
    List<Ran> ran,
    int filesDone,
    int filesFailed,
    long bytes,
    long elapsedNs,
    Level verified,
    ExitCode exitCode,
    String message,
    Map<Stage, Latencies> stages,
    Session session,
    Tree tree,
    Findings findings,
    ProcessFacts process) {

  /// Where the work of [#stages] was done.
  public WorkSide side() {
    return WorkSide.of(command);
  }

  private static final long NS_PER_S = 1_000_000_000;
  private static final long NS_PER_US = 1000;

  /// Whether the receiver threw away what it took, so that [#filesDone] were verified and not kept.
  public boolean isDiscarded() {
    return session != null && session.link().discards();
  }

  /// How many samples of this end took at least as long as the shortest time that counts as a
  /// pause: no others can include one.
  public long slowSamples() {
    long slow = 0;
    for (Latencies each : stages.values()) {
      slow += each.count() - each.countsUpTo(new long[] {PauseWatch.PAUSE_NS_MIN - 1})[0];
    }
    return slow;
  }

  /// What the times of a command come to.
  ///
  /// @param peerStages the latencies of the other end by stage, as far as it has told them before
  ///   its last word; empty if there is none
  /// @param worst the slowest operations of both ends, the slowest first: as many as were wanted
  /// @param bottleneck what limited it; null if nothing was to be moved, as in a dry run
  /// @param heat the latencies of this end over time; null of a short run
  public record Findings(
      Map<Stage, Latencies> peerStages,
      List<WorstOperation> worst,
      Bottleneck bottleneck,
      HeatMap.HeatCounts heat) {

    public static final Findings NONE = new Findings(Map.of(), List.of(), null, null);
  }

  /// What became of a tree's entries, those files apart that were copied or failed.
  ///
  /// @param directories made, not those that were there
  /// @param symlinks made
  /// @param hardLinks made to files that were copied before
  /// @param specials FIFOs and devices made
  /// @param kept files of the target that were left as they were, since that was asked for
  /// @param skipped entries that were left out, such as sockets
  /// @param corrected entries that were there, stayed, and got metadata of their sources
  /// @param deleted entries of the target that were deleted
  public record EntryCounts(
      long directories,
      long symlinks,
      long hardLinks,
      long specials,
      long kept,
      long skipped,
      long corrected,
      long deleted) {

    public static final EntryCounts NONE = new EntryCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /// Whether anything was made.
    public boolean isAnyMade() {
      return directories + symlinks + hardLinks + specials > 0;
    }
  }

  /// What a dry run would have done.
  ///
  /// @param files to copy, those that replace something among them
  /// @param bytes of those files, as far as that is known
  /// @param replaced entries that would replace something, files or not
  /// @param entries all that is no file
  public record Plan(long files, long bytes, long replaced, EntryCounts entries) {}

  /// What a tree came to, besides the bytes of its files.
  ///
  /// @param bytesDurable bytes that were known to be on the device before the end, or -1 if nobody
  ///   saw to that
  /// @param entries what became of its other entries
  /// @param plan what a dry run would have done, or null if this was none
  /// @param losses what targets could not keep of their sources, one of each kind
  /// @param declined what the receiver does not take, one of each kind
  /// @param paths by how many files each path of a copy was taken, by its label
  public record Tree(
      long bytesDurable,
      EntryCounts entries,
      Plan plan,
      List<Event.Lost> losses,
      List<Event.Declined> declined,
      Map<String, Long> paths) {

    /// Nothing but files.
    public static final Tree NONE =
        new Tree(-1, EntryCounts.NONE, null, List.of(), List.of(), Map.of());
  }

  /// What two ends of a session came to.
  ///
  /// @param link what it began over
  /// @param connections how many were open at once at most
  /// @param bytesDirect raw bytes that went by TLS past the ssh that the session began by; 0 of a
  ///   session that did not
  /// @param bytesResumed bytes of files that the receiver had from before and that were not sent
  ///   again
  /// @param bytesThere how many of them are of files of which the receiver had all bytes
  /// @param bytesReused how many of them the receiver took from other versions of the files
  /// @param bytesResent bytes that were sent again, since they arrived damaged; what was under way
  ///   on a connection that was lost is not in it
  /// @param proof how the level of verification was reached, and what had to touch the bytes for
  ///   it: a phrase without a full stop, or empty if nobody said
  /// @param congestion the TCP congestion control that the kernel uses as it was asked to, or empty
  ///   if nobody asked
  public record Session(
      Link link,
      int connections,
      long bytesDirect,
      long bytesResumed,
      long bytesThere,
      long bytesReused,
      long bytesResent,
      String proof,
      String congestion,
      Compressed compressed) {}

  /// What was compressed on its way.
  ///
  /// @param bytes how many bytes of files were
  /// @param toBytes as how many they went
  /// @param whyNot if none were, and this end was to do it: a clause without a full stop
  public record Compressed(long bytes, long toBytes, String whyNot) {

    public static final Compressed NOTHING = new Compressed(0, 0, "");
  }

  /// What the process took from the beginning of the work to its end, and what kept it from
  /// working.
  ///
  /// @param usage null if it is not known
  /// @param pauses null if nobody looked, as in a transfer that was over soon
  public record ProcessFacts(ProcessUsage usage, Pauses pauses) {

    public static final ProcessFacts UNKNOWN = new ProcessFacts(null, null);

    /// When none of its threads ran, each time for 10 ms and more.
    ///
    /// @param samplesOverlapped the samples of all stages that include such a time
    public record Pauses(long count, long totalNs, long maxNs, long samplesOverlapped) {}

    /// What the kernel says of all threads: getrusage(2), and `/proc/self/io` of proc(5). Sessions
    /// at one time share it.
    ///
    /// @param userNs processor time in user mode
    /// @param systemNs processor time in the kernel
    /// @param voluntarySwitches how often a thread gave up its processor to wait
    /// @param involuntarySwitches how often a processor was taken from a thread
    /// @param majorFaults page faults that waited for a device
    /// @param readCalls how many system calls read, as far as [InputOutput] says; this and the next
    ///   two are -1 if they are not known
    /// @param deviceReadBytes what had to be read from a device
    public record ProcessUsage(
        long userNs,
        long systemNs,
        long voluntarySwitches,
        long involuntarySwitches,
        long majorFaults,
        long readCalls,
        long writeCalls,
        long deviceReadBytes) {

      /// -1 stays -1.
      private static long difference(long now, long before) {
        return now < 0 || before < 0 ? -1 : now - before;
      }

      /// All so far; null if the kernel cannot be asked.
      static ProcessUsage now() {
        long[] usage = new long[Instruments.RUSAGE_LONGS];
        if (Instruments.processUsage(usage) != 0) {
          return null;
        }
        InputOutput io = OwnProcess.inputOutput();
        return new ProcessUsage(
            usage[Instruments.USER_S] * NS_PER_S + usage[Instruments.USER_US] * NS_PER_US,
            usage[Instruments.SYSTEM_S] * NS_PER_S + usage[Instruments.SYSTEM_US] * NS_PER_US,
            usage[Instruments.VOLUNTARY_SWITCHES],
            usage[Instruments.INVOLUNTARY_SWITCHES],
            usage[Instruments.MAJOR_FAULTS],
            io.reads(),
            io.writes(),
            io.deviceReadBytes());
      }

      ProcessUsage since(ProcessUsage before) {
        return new ProcessUsage(
            userNs - before.userNs,
            systemNs - before.systemNs,
            voluntarySwitches - before.voluntarySwitches,
            involuntarySwitches - before.involuntarySwitches,
            majorFaults - before.majorFaults,
            difference(readCalls, before.readCalls),
            difference(writeCalls, before.writeCalls),
            difference(deviceReadBytes, before.deviceReadBytes));
      }
    }
  }

  /// What really moved the bytes of a file, and why it was not what came before it.
  ///
  /// @param strategy the name of the strategy that ran
  /// @param bytes how many bytes it moved
  /// @param steps in how many steps
  /// @param fellBackBecause why the strategies before it would not go on, each as `NAME: REASON`,
  ///   joined by `; `; empty if none was tried before it
  public record Ran(String strategy, long bytes, long steps, String fellBackBecause) {}
}
