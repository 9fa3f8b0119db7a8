package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorstHeapTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 15, 16, 17, 100, 1000})
  void theSlowestOperationsAreKeptWhateverTheirOrder(int countMax) {
    long seed = System.nanoTime();
    long[] samples = new Random(seed).longs(2000, 0, 5000).toArray();
    WorstHeap heap = new WorstHeap(countMax);
    for (long sampleNs : samples) {
      heap.offer(Stage.READ, null, null, 1, 2, sampleNs);
    }
    List<WorstOperation> kept = new ArrayList<>();
    heap.addTo(kept, WorkSide.LOCAL, false);
    WorstOperation.sort(kept);

    long[] slowest = LongStream.of(samples).map(ns -> -ns).sorted().map(ns -> -ns).toArray();
    assertThat(kept.stream().mapToLong(WorstOperation::elapsedNs))
        .as("seed %d", seed)
        .containsExactly(LongStream.of(slowest).limit(countMax).boxed().toArray(Long[]::new));
  }

  @Test
  void anOperationIsToldWithItsFileItsPlaceAndItsTime() {
    long beforeMs = System.currentTimeMillis();
    Insight insight = new Insight("copy", "auto", new Wanting(2));
    FileLog file = insight.begin("a/b", 10, Stage.COPY);
    file.moved("heap", 64, 10, 5_000_000_000L);
    file.sample(Stage.OPEN, 7);
    insight.sample(Stage.FLUSH, 6);
    file.done(Level.NONE);

    List<WorstOperation> worst = insight.finish().findings().worst();

    assertThat(worst).hasSize(2);
    WorstOperation first = worst.getFirst();
    assertThat(first.stage()).isEqualTo(Stage.COPY);
    assertThat(first.path()).isEqualTo("a/b");
    assertThat(first.offset()).isEqualTo(64);
    assertThat(first.bytes()).isEqualTo(10);
    assertThat(first.startedMs()).isBetween(beforeMs - 5000, System.currentTimeMillis() - 5000);
    assertThat(worst.get(1).stage()).isEqualTo(Stage.OPEN);
    assertThat(worst.get(1).offset()).isEqualTo(-1);
  }

  @Test
  void aStepIsNotToldBesideTheReadThatMadeItSlow() {
    Insight insight = new Insight("copy", "auto", new Wanting(10));
    FileLog file = insight.begin("a", 10, Stage.COPY);
    file.read(0, 5, 95);
    file.written(0, 5, 1);
    file.moved("heap", 0, 5, 100);
    file.read(5, 5, 50);
    file.written(5, 5, 49);
    file.moved("heap", 5, 5, 101);
    file.moved("heap", 10, 5, 102);

    assertThat(insight.finish().findings().worst())
        .extracting(each -> each.stage() + " " + each.elapsedNs())
        .containsExactly("COPY 102", "COPY 101", "READ 95", "READ 50", "WRITE 49", "WRITE 1");
  }

  @Test
  void nothingIsKeptIfNobodyWantsIt() {
    Insight insight = new Insight("copy", "auto", event -> {});
    insight.sample(Stage.FLUSH, 6);
    assertThat(insight.finish().findings().worst()).isEmpty();
  }

  private record Wanting(int worstWanted) implements Event.Listener {

    @Override
    public void on(Event event) {}
  }
}
