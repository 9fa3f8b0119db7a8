package dev.zcp.wire;

import java.util.List;

/// What the receiver wants of entries that were offered.
///
/// @param answers 1 to [Limits#RECORDS_MAX], at most [Limits#PAYLOAD_BYTES_MAX] bytes together
public record Reply(List<Answer> answers) implements Frame {

  public Reply {
    answers = List.copyOf(answers);
    Limits.requireRecords(answers.size());
    Limits.requirePayload(ReplyRecords.bytes(answers));
  }

  /// As few replies as hold `answers`, in their order; none for none.
  public static List<Reply> of(List<Answer> answers) {
    return RecordSplitter.cut(
        answers,
        (previous, answer) -> ReplyRecords.bytes(answer),
        Limits.PAYLOAD_BYTES_MAX,
        Reply::new);
  }
}
