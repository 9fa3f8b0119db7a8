package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.core.Span;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Walks every state with every frame. `-` is a refusal.
class StateTableTest {

  private static final Span BLOCK = new Span(0, 4);
  private static final Digest DIGEST = Digest.crc32c(0);

  @Test
  void whatAReceiverMayHear() {
    assertThat(receiving())
        .isEqualTo(
            """
            | heard | WAIT_FILE | IN_FILE | IN_BLOCK | ENDED |
            |---|---|---|---|---|
            | META | IN_FILE | - | - | - |
            | DATA | - | IN_BLOCK | - | - |
            | TRAILER of the block | - | - | IN_FILE | - |
            | TRAILER of the block, LAST | - | - | WAIT_FILE | - |
            | TRAILER of no block, LAST | - | WAIT_FILE | - | - |
            | ACK | - | - | - | - |
            | NACK | - | - | - | - |
            | DONE, exit code 0 | ENDED | - | - | - |
            | DONE, another | ENDED | - | - | - |
            | BEAT | WAIT_FILE | IN_FILE | IN_BLOCK | - |
            """);
  }

  @Test
  void whatASenderMayHear() {
    assertThat(sending())
        .isEqualTo(
            """
            | heard | ANSWERING | CLOSING | ENDED |
            |---|---|---|---|
            | META | - | - | - |
            | DATA | - | - | - |
            | TRAILER of the block | - | - | - |
            | TRAILER of the block, LAST | - | - | - |
            | TRAILER of no block, LAST | - | - | - |
            | ACK | ANSWERING | CLOSING | - |
            | NACK | ANSWERING | CLOSING | - |
            | DONE, exit code 0 | - | ENDED | - |
            | DONE, another | ENDED | ENDED | - |
            | BEAT | ANSWERING | CLOSING | - |
            """);
  }

  @Test
  void aSendersOwnDoneClosesAndReopensNothing() {
    assertThat(SendingState.ANSWERING.afterOwnDone()).isEqualTo(SendingState.CLOSING);
    assertThat(SendingState.ENDED.afterOwnDone()).isEqualTo(SendingState.ENDED);
  }

  /// The table of [ReceivingState] as the code has it.
  static String receiving() {
    return table(ReceivingState.values(), ReceivingState::after);
  }

  /// The table of [SendingState] as the code has it.
  static String sending() {
    return table(SendingState.values(), SendingState::after);
  }

  private interface Step<S> {
    S after(S state, Frame frame) throws ProtocolException;
  }

  private static <S> String table(S[] states, Step<S> step) {
    StringBuilder head = new StringBuilder("| heard |");
    StringBuilder line = new StringBuilder("|---|");
    for (S state : states) {
      head.append(' ').append(state).append(" |");
      line.append("---|");
    }
    StringBuilder table = head.append('\n').append(line).append('\n');
    frames()
        .forEach(
            (what, frame) -> {
              table.append("| ").append(what).append(" |");
              for (S state : states) {
                table.append(' ').append(next(state, frame, step)).append(" |");
              }
              table.append('\n');
            });
    return table.toString();
  }

  private static <S> String next(S state, Frame frame, Step<S> step) {
    try {
      return step.after(state, frame).toString();
    } catch (ProtocolException e) {
      assertThat(e)
          .hasMessageContaining(frame.type() + " from the ")
          .hasMessageEndingWith("" + state);
      return "-";
    }
  }

  private static Map<String, Frame> frames() {
    Map<String, Frame> frames = new LinkedHashMap<>();
    frames.put("META", new Meta(0, 4, 0644, 0, 0, Name.of(new byte[] {'a'})));
    frames.put("DATA", new Data(0, BLOCK));
    frames.put("TRAILER of the block", Trailer.ok(0, BLOCK, false, DIGEST));
    frames.put("TRAILER of the block, LAST", Trailer.ok(0, BLOCK, true, DIGEST));
    frames.put("TRAILER of no block, LAST", Trailer.ok(0, new Span(0, 0), true, DIGEST));
    frames.put("ACK", new Ack(0, 4, true));
    frames.put("NACK", new Nack(0, ExitCode.DESTINATION, "full"));
    frames.put("DONE, exit code 0", new Done(ExitCode.OK, 0, 0, ""));
    frames.put("DONE, another", new Done(ExitCode.SOURCE, 0, 0, ""));
    frames.put("BEAT", new Beat(0));
    return frames;
  }
}
