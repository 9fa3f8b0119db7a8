package dev.zcp.wire;

import java.util.List;

/// What the receiver wants of entries that were offered.
///
/// @param answers 1 to [Limits#RECORDS_MAX]
public record Reply(List<Answer> answers) implements Frame {

  public Reply {
    answers = List.copyOf(answers);
    Limits.requireRecords(answers.size());
  }

  @Override
  public FrameType type() {
    return FrameType.REPLY;
  }
}
