package dev.zcp.bench.report;

import dev.zcp.testing.SampleBench;
import org.junit.jupiter.api.Test;

class BenchTableTest {
  @Test
  void show() {
    IO.println(BenchTable.of(SampleBench.result(), true, true));
  }
}
