package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.plan.BenchOnly;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.engine.Strategies;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a plan says of the benchmark's own contenders is what they say themselves.
class BenchOnlyTest {

  private static final int CALL_BYTES = 4096;

  @ParameterizedTest
  @EnumSource
  void eachIsThereByItsNameAndServesWhatThePlanSays(BenchOnly each) throws Exception {
    Contender contender = Contenders.of(Strategies.load(List.of())).named(each.word());
    assertThat(contender.name()).isEqualTo(each.word());
    assertThat(contender).isNotInstanceOf(StrategyContender.class);
    for (Experiment experiment : Experiment.values()) {
      Cell cell = Cell.of(experiment, each.word(), CALL_BYTES, CALL_BYTES);
      assertThat(contender.refusal(cell).isEmpty())
          .as(experiment.word())
          .isEqualTo(each.serves(experiment));
    }
  }
}
