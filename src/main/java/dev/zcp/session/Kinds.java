package dev.zcp.session;

import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Insight.Made;
import dev.zcp.wire.Answer.AnswerKind;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;

/// What the report calls the kinds of entries that the wire knows.
public final class Kinds {

  private Kinds() {}

  /// As a message names several.
  public static String label(EntryKind kind) {
    return switch (kind) {
      case FILE -> "files";
      case DIRECTORY, WAY -> "directories";
      case LINK -> Keep.LINKS.label();
      case HARD_LINK -> Keep.HARD_LINKS.label();
      case FIFO, CHARACTER_DEVICE, BLOCK_DEVICE, SOCKET -> Keep.SPECIALS.label();
    };
  }

  /// What a dry run says of an entry that was answered so; null if the answer is no plan.
  public static Planned planned(AnswerKind answer, EntryKind kind) {
    return switch (answer) {
      case CREATE, NEW -> planned(kind);
      case REPLACE -> Planned.REPLACE;
      case CORRECT -> Planned.CORRECT_ATTRIBUTES;
      case KEPT -> Planned.KEEP;
      case ALL, REST, WHOLE, MADE, DECLINED, FAILED, BASE -> null;
    };
  }

  /// What a dry run says of one that is not there.
  public static Planned planned(EntryKind kind) {
    return switch (kind) {
      case FILE -> Planned.COPY;
      case DIRECTORY, WAY -> Planned.MAKE_DIRECTORY;
      case LINK -> Planned.MAKE_SYMLINK;
      case HARD_LINK -> Planned.MAKE_HARD_LINK;
      case FIFO, CHARACTER_DEVICE, BLOCK_DEVICE, SOCKET -> Planned.MAKE_SPECIAL;
    };
  }

  /// Of what is no file.
  public static Made made(EntryKind kind) {
    return switch (kind) {
      case FILE -> throw new IllegalArgumentException("a file has bytes, and is not made");
      case DIRECTORY, WAY -> Made.DIRECTORY;
      case LINK -> Made.SYMLINK;
      case HARD_LINK -> Made.HARD_LINK;
      case FIFO, CHARACTER_DEVICE, BLOCK_DEVICE, SOCKET -> Made.SPECIAL;
    };
  }
}
