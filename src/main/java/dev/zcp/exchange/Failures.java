package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Part;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the sender was told about entries that are over without having arrived: a sender that lost
/// a connection asks again.
///
/// It may still ask for as many as can be under way. Of older ones the answer is forgotten, and of
/// very many also that they failed. So this takes some 12 MB at most.
final class Failures {

  private static final int ANSWERS_MAX = Limits.ENTRIES_UNDER_WAY_MAX;

  /// Of a longer text the rest is forgotten: the sender has most likely heard it.
  private static final int TEXT_CHARS_MAX = 128;

  /// Runs of ids: as many as parts that are under way may have files.
  private static final int RUNS_MAX = Limits.PARTS_UNDER_WAY_MAX * Part.FILES_MAX;

  private final IdSet ids = new IdSet();

  private final Map<Long, Answer> answers = new LinkedHashMap<>();

  /// @param answer DECLINED, FAILED, or KEPT; or ALL, if it is to come by another id
  void add(Answer answer) {
    boolean isFailure =
        answer.kind() == Answer.AnswerKind.DECLINED || answer.kind() == Answer.AnswerKind.FAILED;
    if (isFailure) {
      ids.add(answer.fileId());
      if (ids.runs() > RUNS_MAX) {
        ids.forgetFirstRun();
      }
    }
    answers.put(answer.fileId(), shortened(answer));
    if (answers.size() > ANSWERS_MAX) {
      answers.remove(answers.keySet().iterator().next());
    }
  }

  private static Answer shortened(Answer answer) {
    String text = answer.text();
    return text.length() <= TEXT_CHARS_MAX
        ? answer
        : new Answer(
            answer.fileId(),
            answer.kind(),
            answer.held(),
            answer.exitCode(),
            text.substring(0, TEXT_CHARS_MAX));
  }

  /// What the sender was told, or null if the entry is not one of these.
  Answer answer(long fileId) {
    Answer answer = answers.get(fileId);
    return answer != null ? answer : failure(fileId);
  }

  /// The same, or null if the entry was neither declined nor failed.
  Answer failure(long fileId) {
    if (!ids.contains(fileId)) {
      return null;
    }
    Answer answer = answers.get(fileId);
    return answer != null
        ? answer
        : Answer.failed(fileId, ExitCode.DESTINATION, "failed before, long ago");
  }
}
