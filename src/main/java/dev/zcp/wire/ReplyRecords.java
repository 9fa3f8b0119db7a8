package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The payload of a [Reply], both ways: one [Answer] after the other.
final class ReplyRecords {

  /// Before what is held and the text.
  static final int FIXED_BYTES = 14;

  static final int HELD_BYTES = 20;

  private ReplyRecords() {}

  static int bytes(List<Answer> answers) {
    long bytes = 0;
    for (Answer answer : answers) {
      bytes += bytes(answer);
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /// At most [Limits#PAYLOAD_BYTES_MAX], whatever it is.
  static int bytes(Answer answer) {
    return FIXED_BYTES + HELD_BYTES * answer.held().size() + Text.length(answer.text());
  }

  static void put(List<Answer> answers, ByteBuffer out) {
    for (Answer answer : answers) {
      byte[] text = Text.bytes(answer.text());
      out.putLong(answer.fileId()).put((byte) answer.kind().ordinal());
      out.put((byte) answer.exitCode().number());
      out.putShort((short) answer.held().size()).putShort((short) text.length);
      for (Held held : answer.held()) {
        out.putLong(held.span().offset()).putLong(held.span().length()).putInt(held.crc32c());
      }
      out.put(text);
    }
  }

  /// @throws IllegalArgumentException with the reason, if `in` holds no such records
  static List<Answer> parse(ByteBuffer in) {
    List<Answer> answers = new ArrayList<>();
    while (in.hasRemaining()) {
      // Bounds the list before it grows.
      Limits.requireRecords(answers.size() + 1);
      Bytes.requireRemaining(in, FIXED_BYTES);
      long fileId = in.getLong();
      Answer.AnswerKind kind = Payload.take(in, Answer.AnswerKind.ALL_KINDS, "answer");
      ExitCode exitCode = ExitCode.ofNumber(in.get() & 0xff);
      int spans = in.getShort() & 0xffff;
      int textBytes = in.getShort() & 0xffff;
      List<Held> held = held(spans, in);
      answers.add(new Answer(fileId, kind, held, exitCode, Text.take(textBytes, in)));
    }
    return answers;
  }

  private static List<Held> held(int count, ByteBuffer in) {
    if (count == 0) {
      return List.of();
    }
    if (count > Limits.HELD_MAX) {
      throw new IllegalArgumentException(count + " spans held");
    }
    Bytes.requireRemaining(in, count * HELD_BYTES);
    List<Held> held = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long offset = in.getLong();
      long length = in.getLong();
      held.add(new Held(new Span(offset, length), in.getInt()));
    }
    return held;
  }
}
