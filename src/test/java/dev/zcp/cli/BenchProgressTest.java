package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.Cell;
import dev.zcp.bench.Experiment;
import dev.zcp.cli.BenchReports.BenchProgress;
import dev.zcp.engine.Choice;
import dev.zcp.report.Screen;
import dev.zcp.testing.SampleBench;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BenchProgressTest {

  private static final long SECOND_NS = 1_000_000_000;

  private static final String ERASE = "\r\u001b[K";

  private int columns = 80;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Screen screen = new Screen(new PrintStream(bytes, true), true, () -> columns);
  private long nowNs = 5;
  private long limitNs = Long.MAX_VALUE;

  @Test
  void itTellsTheShareTheRunsTheTimeLeftAndTheCell() {
    BenchProgress progress = progress();
    progress.planned(120);
    progress.running(cell("mmap", Choice.WHOLE), 0);
    assertThat(shown()).isEqualTo("  0%  0/120 runs  -:-- left  copy mmap whole");
    nowNs += 30 * SECOND_NS;
    progress.running(cell("direct", 65536), 30);
    assertThat(shown()).isEqualTo(" 25%  30/120 runs  1:30 left  copy direct 64.0 KiB");
    nowNs += 89 * SECOND_NS;
    progress.running(cell("auto", Choice.ADAPTIVE), 119);
    assertThat(shown()).isEqualTo(" 99%  119/120 runs  0:01 left  copy auto");
  }

  @Test
  void itDrawsAtMostTenTimesASecond() {
    BenchProgress progress = progress();
    progress.planned(10);
    progress.running(cell("auto", Choice.ADAPTIVE), 1);
    nowNs += SECOND_NS / 10 - 1;
    progress.running(cell("auto", Choice.ADAPTIVE), 2);
    assertThat(shown()).contains(" 1/10 ");
    nowNs += 1;
    progress.running(cell("auto", Choice.ADAPTIVE), 3);
    assertThat(shown()).contains(" 3/10 ");
  }

  @Test
  void itEndsWithItsTimeIfTheRunsTakeLonger() {
    limitNs = 60 * SECOND_NS;
    BenchProgress progress = progress();
    progress.planned(100);
    nowNs += 45 * SECOND_NS;
    progress.running(cell("auto", Choice.ADAPTIVE), 10);
    assertThat(shown()).startsWith(" 75%  10/100 runs  0:15 left");
  }

  @Test
  void itStaysWithinTheTerminal() {
    columns = 30;
    BenchProgress progress = progress();
    progress.planned(10);
    progress.running(cell("auto", Choice.ADAPTIVE), 1);
    assertThat(shown()).hasSize(29);
  }

  @Test
  void moreRunsThanWereGuessedAreNoMoreThanAll() {
    BenchProgress progress = progress();
    progress.planned(10);
    progress.running(cell("auto", Choice.ADAPTIVE), 11);
    assertThat(shown()).startsWith("100%  10/10 runs  0:00 left");
  }

  private BenchProgress progress() {
    return new BenchProgress(screen, "", true, limitNs, () -> nowNs);
  }

  /// What is seen after the last erasure.
  private String shown() {
    String all = bytes.toString(StandardCharsets.UTF_8);
    int erased = all.lastIndexOf(ERASE);
    return erased < 0 ? all : all.substring(erased + ERASE.length());
  }

  private static Cell cell(String contender, long chunkBytes) {
    return SampleBench.cell(Experiment.COPY, contender, chunkBytes, 1);
  }
}
