package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// Walks every stage of a received entry with every event. `-` is a refusal.
class ReceivedStagesTest {

  @Test
  void theStagesOfAnEntry() {
    assertThat(table(EntryStage.values(), EntryEvent.values(), EntryStage::after))
        .isEqualTo(
            """
            | | CONSIDER | WANT | FIND | ASK | BLOCK | SHOW | DIFFER | END | LOSE | FINISH | FAIL |
            | OFFERED | CONSIDERED | - | - | - | - | - | - | - | - | - | OVER |
            | CONSIDERED | - | WANTED | PRESENT | ASKED | - | - | - | - | OFFERED | OVER | OVER |
            | ASKED | CONSIDERED | - | - | - | - | - | - | - | OFFERED | - | OVER |
            | WANTED | - | - | - | - | IN_BLOCKS | - | - | ENDING | - | - | OVER |
            | PRESENT | - | - | - | - | - | COMPARED | - | - | - | - | OVER |
            | IN_BLOCKS | - | - | - | - | IN_BLOCKS | - | - | ENDING | - | - | OVER |
            | ENDING | - | - | - | - | - | - | - | - | IN_BLOCKS | OVER | OVER |
            | COMPARED | - | - | - | - | - | - | WANTED | - | PRESENT | OVER | OVER |
            | OVER | - | - | - | - | - | - | - | - | - | - | - |
            """);
  }

  @Test
  void aUnitIsFinishedOnce() {
    ReceivedUnit unit = new ReceivedUnit(new ReceivingConnection(0), 7, 0, null);

    assertThatIllegalStateException().isThrownBy(unit::judge);
    unit.finish();

    assertThat(unit.isDone()).isTrue();
    assertThatIllegalStateException().isThrownBy(unit::finish).withMessage("a unit out of turn: 7");
    assertThatIllegalStateException().isThrownBy(() -> unit.take(null, false));
  }

  @Test
  void everyStageIsReachedFromTheFirstAndLeadsToTheLast() {
    assertThat(reachedFrom(EntryStage.OFFERED)).containsExactlyInAnyOrder(EntryStage.values());
    for (EntryStage stage : EntryStage.values()) {
      assertThat(reachedFrom(stage)).contains(EntryStage.OVER);
    }
  }

  @Test
  void aRefusalSaysWhatHappenedAndWhere() {
    assertThatIllegalStateException()
        .isThrownBy(() -> EntryStage.OVER.after(EntryEvent.FAIL))
        .withMessage("FAIL of an entry that is OVER");
  }

  private static Set<EntryStage> reachedFrom(EntryStage first) {
    Set<EntryStage> reached = EnumSet.of(first);
    for (boolean isMore = true; isMore; ) {
      isMore = false;
      for (EntryStage stage : EnumSet.copyOf(reached)) {
        for (EntryEvent event : EntryEvent.values()) {
          EntryStage next = next(stage, event, EntryStage::after);
          isMore |= next != null && reached.add(next);
        }
      }
    }
    return reached;
  }

  private static <S, E> String table(S[] stages, E[] events, BiFunction<S, E, S> after) {
    StringBuilder table = new StringBuilder("| |");
    for (E event : events) {
      table.append(' ').append(event).append(" |");
    }
    for (S stage : stages) {
      table.append("\n| ").append(stage).append(" |");
      for (E event : events) {
        S next = next(stage, event, after);
        table.append(' ').append(next == null ? "-" : next).append(" |");
      }
    }
    return table.append('\n').toString();
  }

  /// Null if it is refused.
  private static <S, E> S next(S stage, E event, BiFunction<S, E, S> after) {
    try {
      return after.apply(stage, event);
    } catch (IllegalStateException e) {
      return null;
    }
  }
}
