package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Limits;
import java.util.LinkedHashMap;
import java.util.Map;

/// The entries that are over and not well, and why: a sender that lost a connection asks again.
///
/// It may still ask for as many as can be under way; older ones are forgotten, first the reason,
/// then that they failed.
final class Failures {

  private static final int REASONS_MAX = Limits.ENTRIES_UNDER_WAY_MAX;

  /// Runs of ids: each takes some room.
  private static final int RUNS_MAX = 1 << 20;

  private final IdSet ids = new IdSet();
  private final Map<Long, Answer> reasons = new LinkedHashMap<>();

  /// @param answer DECLINED, FAILED or KEPT
  void add(Answer answer) {
    ids.add(answer.fileId());
    if (ids.runs() > RUNS_MAX) {
      ids.forgetFirstRun();
    }
    reasons.put(answer.fileId(), answer);
    if (reasons.size() > REASONS_MAX) {
      reasons.remove(reasons.keySet().iterator().next());
    }
  }

  /// What the sender was told, or null if the entry did not fail.
  Answer of(long fileId) {
    if (!ids.contains(fileId)) {
      return null;
    }
    Answer reason = reasons.get(fileId);
    return reason != null
        ? reason
        : Answer.failed(fileId, ExitCode.DESTINATION, "failed before, long ago");
  }
}
