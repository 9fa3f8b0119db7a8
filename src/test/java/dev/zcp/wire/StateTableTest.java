package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Walks every state of [ConnectionPhase] with every type of frame, from both sides. `-` is a
/// refusal.
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
            | WANTS | - | - | - |
            | DATA | IN_BLOCK | - | - |
            | DATA HOLE | OPEN | - | - |
            | TRAILER | - | OPEN | - |
            | END | OPEN | - | - |
            | LOST | OPEN | - | - |
            | VERDICTS | - | - | - |
            | DONE | ENDED | - | - |
            | DONE EARLY | OPEN | - | - |
            | BEAT | OPEN | IN_BLOCK | - |
            | PART | OPEN | - | - |
            | SHOW | OPEN | - | - |
            | LIMITED | ENDED | - | ENDED |
            | SURPLUS | - | - | - |
            | CHUNKS | OPEN | - | - |
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
            | WANTS | OPEN | - | - |
            | DATA | - | - | - |
            | DATA HOLE | - | - | - |
            | TRAILER | - | - | - |
            | END | - | - | - |
            | LOST | - | - | - |
            | VERDICTS | OPEN | - | - |
            | DONE | ENDED | - | - |
            | DONE EARLY | - | - | - |
            | BEAT | OPEN | IN_BLOCK | - |
            | PART | - | - | - |
            | SHOW | - | - | - |
            | LIMITED | - | - | - |
            | SURPLUS | OPEN | - | - |
            | CHUNKS | - | - | - |
            """);
  }

  @Test
  void aRefusalSaysWhoSaidWhatAndWhere() {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> ConnectionPhase.IN_BLOCK.after(Side.SENDER, example("DONE")))
        .withMessage("DONE from the sender in state IN_BLOCK");
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> ConnectionPhase.OPEN.after(Side.RECEIVER, example("OFFER")))
        .withMessage("OFFER from the receiver in state OPEN");
  }

  /// The table as the code has it.
  static String table(Side speaker) {
    StringBuilder head = new StringBuilder("| heard |");
    StringBuilder line = new StringBuilder("|---|");
    for (ConnectionPhase state : ConnectionPhase.values()) {
      head.append(' ').append(state).append(" |");
      line.append("---|");
    }
    StringBuilder table = head.append('\n').append(line).append('\n');
    for (String name : names()) {
      Frame frame = example(name);
      table.append("| ").append(name).append(" |");
      for (ConnectionPhase state : ConnectionPhase.values()) {
        table.append(' ').append(next(state, speaker, frame)).append(" |");
      }
      table.append('\n');
    }
    return table.toString();
  }

  /// A hole is another kind of DATA, and an early DONE of DONE.
  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (FrameType type : FrameType.values()) {
      names.add(type.toString());
      if (type == FrameType.DATA) {
        names.add("DATA HOLE");
      } else if (type == FrameType.DONE) {
        names.add("DONE EARLY");
      }
    }
    return names;
  }

  private static Frame example(String name) {
    return FrameTest.frames().stream()
        .filter(frame -> name.equals(name(frame)))
        .findFirst()
        .orElseThrow();
  }

  private static String name(Frame frame) {
    boolean isHole = frame instanceof Data data && data.isHole();
    boolean isEarly = frame instanceof Done done && done.isEarly();
    return frame.type() + (isHole ? " HOLE" : isEarly ? " EARLY" : "");
  }

  private static String next(ConnectionPhase state, Side speaker, Frame frame) {
    try {
      return state.after(speaker, frame).toString();
    } catch (ProtocolException e) {
      return "-";
    }
  }
}
