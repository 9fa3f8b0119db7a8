package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

/// Walks every state of [Course] with every type of frame, from both sides. `-` is a refusal.
class StateTableTest {

  @Test
  void whatAReceiverMayHearOnOneConnection() {
    assertThat(table(Side.SENDER))
        .isEqualTo(
            """
            | heard | OPEN | IN_BLOCK | ENDED |
            |---|---|---|---|
            | MANIFEST | OPEN | - | - |
            | ACCEPT | - | - | - |
            | OFFER | OPEN | - | - |
            | REPLY | - | - | - |
            | BATCH | OPEN | - | - |
            | DATA | IN_BLOCK | - | - |
            | TRAILER | - | OPEN | - |
            | HOLE | OPEN | - | - |
            | END | OPEN | - | - |
            | LOST | OPEN | - | - |
            | ACK | - | - | - |
            | NACK | - | - | - |
            | AGAIN | - | - | - |
            | DONE | ENDED | - | - |
            | BEAT | OPEN | IN_BLOCK | - |
            """);
  }

  @Test
  void whatASenderMayHearOnOneConnection() {
    assertThat(table(Side.RECEIVER))
        .isEqualTo(
            """
            | heard | OPEN | IN_BLOCK | ENDED |
            |---|---|---|---|
            | MANIFEST | - | - | - |
            | ACCEPT | OPEN | - | - |
            | OFFER | - | - | - |
            | REPLY | OPEN | - | - |
            | BATCH | - | - | - |
            | DATA | - | - | - |
            | TRAILER | - | - | - |
            | HOLE | - | - | - |
            | END | - | - | - |
            | LOST | - | - | - |
            | ACK | OPEN | - | - |
            | NACK | OPEN | - | - |
            | AGAIN | OPEN | - | - |
            | DONE | ENDED | - | - |
            | BEAT | OPEN | IN_BLOCK | - |
            """);
  }

  @Test
  void aRefusalSaysWhoSaidWhatAndWhere() {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Course.IN_BLOCK.after(Side.SENDER, FrameType.DONE))
        .withMessage("DONE from the sender in state IN_BLOCK");
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Course.OPEN.after(Side.RECEIVER, FrameType.OFFER))
        .withMessage("OFFER from the receiver in state OPEN");
  }

  /// The table as the code has it.
  static String table(Side speaker) {
    StringBuilder head = new StringBuilder("| heard |");
    StringBuilder line = new StringBuilder("|---|");
    for (Course state : Course.values()) {
      head.append(' ').append(state).append(" |");
      line.append("---|");
    }
    StringBuilder table = head.append('\n').append(line).append('\n');
    for (FrameType type : FrameType.values()) {
      table.append("| ").append(type).append(" |");
      for (Course state : Course.values()) {
        table.append(' ').append(next(state, speaker, type)).append(" |");
      }
      table.append('\n');
    }
    return table.toString();
  }

  private static String next(Course state, Side speaker, FrameType type) {
    try {
      return state.after(speaker, type).toString();
    } catch (ProtocolException e) {
      return "-";
    }
  }
}
