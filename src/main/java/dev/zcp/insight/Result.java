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
/// @param verified the level reached for every file that is done; in a session at both ends, as far
///   as the other one could still say
/// @param exitCode what the process will return
/// @param message the failure that decided the exit code, or empty
/// @param stages the latencies by stage, only of stages that have samples, in the order of [Stage]
/// @param session what the bytes went over, or null where there was no peer
/// @param tree what there was besides files
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
    Session session,
    Tree tree) {

  /// Whether the receiver threw away what it took, so that [#filesDone] were verified and not kept.
  public boolean isDiscarded() {
    return session != null && session.link().discards();
  }
}
