package dev.zcp.linux;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessorsTest {

  @Test
  void processorsThatAllWorkLeaveLessTimeThanThoseThatRest() throws Exception {
    int usable = Runtime.getRuntime().availableProcessors();
    long all;
    try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
      all = lines.filter(line -> line.matches("cpu[0-9].*")).count();
    }
    assumeTrue(usable == all, "this process may use only some of the processors");
    Processors processors = new Processors();
    long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
    Thread[] workers = new Thread[usable];
    for (int i = 0; i < workers.length; i++) {
      workers[i] =
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  Thread.onSpinWait();
                }
              });
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    double busy = processors.idleShare();
    assertTrue(busy < 0.5, () -> "with as many threads as processors: " + busy);
  }
}
