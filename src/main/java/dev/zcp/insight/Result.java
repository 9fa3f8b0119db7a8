package dev.zcp.insight;

import dev.zcp.core.ExitCode;
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
/// @param verified the level reached for every file that is done
/// @param exitCode what the process will return
/// @param message the failure that decided the exit code, or empty
/// @param stages the latencies by stage, only of stages that have samples, in the order of [Stage]
/// @param link what the bytes went over, or null where there was no peer
/// @param bytesDurable bytes that were known to be on the device before the end, or -1 where nobody
///   saw to that
/// @param entries what else a tree had
/// @param plan what a dry run would have done, or null where this was none
/// @param losses what targets could not keep of their sources, one of each kind
public record Result(
    String command,
    String strategyAsked,
    List<Ran> ran,
    int filesDone,
    int filesFailed,
    long bytes,
    long elapsedNs,
    Verified verified,
    ExitCode exitCode,
    String message,
    Map<Stage, Latencies> stages,
    Link link,
    long bytesDurable,
    Entries entries,
    Plan plan,
    List<Event.Lost> losses) {

  /// Of a command that has no peer.
  public Result(
      String command,
      String strategyAsked,
      List<Ran> ran,
      int filesDone,
      int filesFailed,
      long bytes,
      long elapsedNs,
      Verified verified,
      ExitCode exitCode,
      String message,
      Map<Stage, Latencies> stages) {
    this(
        command,
        strategyAsked,
        ran,
        filesDone,
        filesFailed,
        bytes,
        elapsedNs,
        verified,
        exitCode,
        message,
        stages,
        null);
  }

  /// Of a command that copies no tree.
  public Result(
      String command,
      String strategyAsked,
      List<Ran> ran,
      int filesDone,
      int filesFailed,
      long bytes,
      long elapsedNs,
      Verified verified,
      ExitCode exitCode,
      String message,
      Map<Stage, Latencies> stages,
      Link link) {
    this(
        command,
        strategyAsked,
        ran,
        filesDone,
        filesFailed,
        bytes,
        elapsedNs,
        verified,
        exitCode,
        message,
        stages,
        link,
        -1,
        Entries.NONE,
        null,
        List.of());
  }

  /// Whether the receiver threw away what it took, so that [#filesDone] were verified and not kept.
  public boolean isDiscarded() {
    return link != null && link.discards();
  }
}
