package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.List;

/// What a receiver wants of an entry that was offered.
///
/// @param held of REST what it has, in ascending order without overlap, at most [Limits#HELD_MAX];
///   else empty
/// @param exitCode of FAILED why; else OK
/// @param text why, for the user, of DECLINED and with an exit code; else empty
public record Answer(
    long fileId, AnswerKind kind, List<Held> held, ExitCode exitCode, String text) {

  public enum AnswerKind {
    /// All its bytes, please; of a directory, its [EntryEnds].
    ALL,
    /// The bytes that are not `held`, and those of `held` that are not the source's.
    REST,
    /// A complete file of this name, size and time is there. The sender is to [show][Show] what its
    /// bytes are.
    WHOLE,
    /// It is made, and over; of a directory that was ended, complete.
    MADE,
    /// It is not taken, since the receiver's user did not say that such are. It is over.
    DECLINED,
    /// It cannot be taken. It is over.
    FAILED,
    /// What exists stays, as [KeepExisting] asks. It is over.
    KEPT,
    /// Of a directory: the receiver has made it for this session, or would, so nothing is in it. As
    /// ALL.
    NEW,
    /// In a dry run: it would be made. It is over.
    CREATE,
    /// In a dry run: it would take the place of what has its name. It is over.
    REPLACE,
    /// In a dry run: what has its name would get metadata. It is over; a directory is as by ALL.
    CORRECT,
    /// Of a file: another version of it is there. The sender is to tell of its [Chunks]; then it
    /// gets the answer.
    BASE;

    static final AnswerKind[] ALL_KINDS = values();
  }

  public Answer {
    Limits.requireFileId(fileId);
    held = List.copyOf(held);
    text = Text.capped(text);
    if (held.size() > Limits.HELD_MAX) {
      throw new IllegalArgumentException(held.size() + " spans held");
    }
    if (!held.isEmpty() && kind != AnswerKind.REST) {
      throw new IllegalArgumentException("bytes held, and the answer is " + kind);
    }
    if (!text.isEmpty() && kind != AnswerKind.DECLINED && exitCode == ExitCode.OK) {
      throw new IllegalArgumentException("a reason, and the answer is " + kind);
    }
    long end = 0;
    for (Held each : held) {
      if (each.span().offset() < end) {
        throw new IllegalArgumentException("held spans that overlap or are out of order");
      }
      end = each.span().end();
    }
    if ((exitCode != ExitCode.OK) != (kind == AnswerKind.FAILED)) {
      throw new IllegalArgumentException(kind + " with exit code " + exitCode.number());
    }
  }

  public static Answer of(long fileId, AnswerKind kind) {
    return new Answer(fileId, kind, List.of(), ExitCode.OK, "");
  }

  public static Answer declined(long fileId, String why) {
    return new Answer(fileId, AnswerKind.DECLINED, List.of(), ExitCode.OK, why);
  }

  public static Answer failed(long fileId, ExitCode exitCode, String why) {
    return new Answer(fileId, AnswerKind.FAILED, List.of(), exitCode, why);
  }

  public static Answer failed(long fileId, Failure failure) {
    return failed(fileId, failure.exitCode(), failure.reason());
  }

  public static Answer rest(long fileId, List<Held> held) {
    return new Answer(fileId, AnswerKind.REST, held, ExitCode.OK, "");
  }
}
