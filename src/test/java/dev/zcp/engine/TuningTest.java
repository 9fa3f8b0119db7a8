package dev.zcp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Engine.Tuning;
import dev.zcp.spi.Route;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TuningTest {

  private static final Route FILES =
      new Route(
          new Route.Traits(Route.Kind.FILE, true, false, 1),
          new Route.Traits(Route.Kind.FILE, true, false, 1));

  private static final long MIB = 1 << 20;

  /// Cheap to start and slow, by its own account.
  private static final TransferStrategy CHEAP = strategy("cheap", 0, 500);

  /// Dear to start and fast, by its own account.
  private static final TransferStrategy DEAR = strategy("dear", 10_000, 300);

  private static final TransferStrategy OTHER = strategy("other", 0, 400);

  @Test
  void whatWasMeasuredDecidesOverTheEstimate() throws Exception {
    Engine engine = engine(Choice.DEFAULT);
    Tuning tuning = tuning(Map.of("cheap", figure(100, 0), "dear", figure(200, 0)));
    assertThat(names(engine, 1000 * MIB)).containsExactly("dear", "other", "cheap");
    assertThat(names(engine.tunedBy(tuning), 1000 * MIB)).startsWith("cheap", "dear");
  }

  @Test
  void startUpStaysTheStrategysOwnSoThatShortFilesGoTheCheapWay() throws Exception {
    Tuning tuning = tuning(Map.of("cheap", figure(200, 0), "dear", figure(100, 0)));
    Engine engine = engine(Choice.DEFAULT).tunedBy(tuning);
    assertThat(names(engine, 99 * MIB)).startsWith("cheap", "dear");
    assertThat(names(engine, 101 * MIB)).startsWith("dear", "cheap");
  }

  @Test
  void whatWasNotMeasuredComesLastHoweverLowItsEstimate() throws Exception {
    Tuning tuning = tuning(Map.of("cheap", figure(9_000, 0), "dear", figure(8_000, 0)));
    Engine engine = engine(Choice.DEFAULT).tunedBy(tuning);
    assertThat(names(engine, 1000 * MIB)).containsExactly("dear", "cheap", "other");
    assertThat(engine.rank(FILES, MIB).getLast().measured()).isFalse();
  }

  @Test
  void theChunkIsTheMeasuredOneOrTheStrategysOwn() throws Exception {
    Tuning tuning = tuning(Map.of("cheap", figure(100, 4096), "dear", figure(200, 0)));
    List<Engine.Candidate> order = engine(Choice.DEFAULT).tunedBy(tuning).rank(FILES, 1000 * MIB);
    assertThat(order.get(0).verdict().chunkBytes()).isEqualTo(4096);
    assertThat(order.get(1).verdict().chunkBytes()).isEqualTo(64);
  }

  @Test
  void aStrategyAskedForByNameIsAsItWas() throws Exception {
    Tuning tuning = tuning(Map.of("cheap", figure(100, 4096)));
    Engine engine = engine(new Choice("cheap", Choice.ADAPTIVE)).tunedBy(tuning);
    Engine.Candidate only = engine.rank(FILES, MIB).getFirst();
    assertThat(only.verdict()).isEqualTo(CHEAP.judge(FILES));
    assertThat(only.measured()).isFalse();
  }

  private static Engine engine(Choice choice) throws Failure {
    return new Engine(Strategies.of(List.of(CHEAP, DEAR, OTHER)), choice);
  }

  private static Tuning tuning(Map<String, Tuning.Figure> figures) {
    return figures::get;
  }

  private static Tuning.Figure figure(long nsPerMiB, long chunkBytes) {
    return new Tuning.Figure(nsPerMiB, chunkBytes);
  }

  private static List<String> names(Engine engine, long bytes) throws RefusedException {
    return engine.rank(FILES, bytes).stream().map(each -> each.strategy().name()).toList();
  }

  private static TransferStrategy strategy(String name, long startUpNs, long nsPerMiB) {
    Verdict verdict = new Verdict.Usable(new Verdict.Cost(startUpNs, nsPerMiB), 64);
    return new ScriptedStrategy(name, verdict, 0, ScriptedStrategy.NEVER);
  }
}
